// Package declaration reads the file in which the operator declares tools.
package declaration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// toolFile is the file in which the operator declares tools.
type toolFile struct {
	Tools []toolEntry `yaml:"tools"`
}

// toolEntry declares a tool that is called at an address. Keys are named here and stand in the
// environment.
type toolEntry struct {
	Name        string         `yaml:"name"`
	Description string         `yaml:"description"`
	Schema      map[string]any `yaml:"schema"`
	Sensitivity string         `yaml:"sensitivity"`
	Role        string         `yaml:"role"`
	Level       string         `yaml:"level"`
	Evidence    *bool          `yaml:"evidence"`
	Endpoint    string         `yaml:"endpoint"`
	KeyEnv      string         `yaml:"key_env"`
	SecretEnv   string         `yaml:"secret_env"`
	Timeout     string         `yaml:"timeout"`
	Repeatable  bool           `yaml:"repeatable"`
}

// KeyPrefix begins the names of all variables that hold a tool's key: nothing else of the
// environment can be sent anywhere by a line in a file.
const KeyPrefix = "KAOJU_TOOL_"

var keyName = regexp.MustCompile(`^` + KeyPrefix + `[A-Z0-9_]{1,64}$`)

// maxToolFile bounds the file of declared tools.
const maxToolFile = 1 << 20

// BuiltIn are the tools that every server has.
func BuiltIn() []action.Declaration {
	return []action.Declaration{
		{Tool: toolkit.NewCreateTask(), Evidence: true, Effect: approval.Recorded},
		{Tool: toolkit.NewExportDocument(), Effect: approval.Recorded},
		{Tool: toolkit.NewExportHistory(), Effect: approval.Recorded},
	}
}

// Read returns the built-in tools and those of the operator's file, "" for no file. Keys are the
// variables that may hold the key of a tool. Whatever is wrong with a
// declaration is an error that names the file and the tool.
func Read(path string, keys map[string]string) ([]action.Declaration, error) {
	all := BuiltIn()
	if path == "" {
		return all, nil
	}
	file, err := readTools(path)
	if err != nil {
		return nil, fmt.Errorf("tools file %s: %w", path, err)
	}
	for i, entry := range file.Tools {
		d, err := entry.declaration(keys)
		if err != nil {
			name := entry.Name
			if name == "" {
				name = fmt.Sprintf("number %d", i+1)
			}
			return nil, fmt.Errorf("tools file %s: tool %s: %w", path, name, err)
		}
		all = append(all, d)
	}
	return all, nil
}

func readTools(path string) (file toolFile, err error) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return file, errors.New("it cannot be read")
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxToolFile+1))
	if err != nil || len(raw) > maxToolFile {
		return file, fmt.Errorf("it cannot be read, or is longer than %d bytes", maxToolFile)
	}
	if err := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict()).Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return file, errors.New(yaml.FormatError(err, false, false))
	}
	return file, nil
}

// declaration checks an entry and makes a tool of it.
func (t toolEntry) declaration(keys map[string]string) (d action.Declaration, err error) {
	e := &toolkit.Endpoint{URL: t.Endpoint, Timeout: 10 * time.Second, Clock: time.Now}
	if e.Declared, err = t.spec(); err != nil {
		return d, err
	}
	d = action.Declaration{Tool: e, Evidence: t.Sensitivity == string(tool.Write), Effect: approval.Outside, Address: t.Endpoint, Repeatable: t.Repeatable}
	if t.Evidence != nil {
		d.Evidence = *t.Evidence
	}
	if t.Level != "" {
		if d.Level, err = access.ParseLevel(t.Level); err != nil {
			return d, errors.New("level must be reader, editor or manager")
		}
	}
	if t.Timeout != "" {
		if e.Timeout, err = time.ParseDuration(t.Timeout); err != nil || e.Timeout <= 0 || e.Timeout > 30*time.Second {
			return d, errors.New("timeout must be a time such as 10s, of at most 30s")
		}
	}
	if d.Host, err = hostOf(t.Endpoint); err != nil {
		return d, err
	}
	// The address is exact: no other host is reached, and no redirect is followed.
	e.Client = outbound.New(outbound.Options{Allow: []string{d.Host}, Redirects: -1, MaxResponse: 1 << 20})
	if e.Key, err = keyOf(keys, "key_env", t.KeyEnv); err != nil {
		return d, err
	}
	e.Secret, err = keyOf(keys, "secret_env", t.SecretEnv)
	return d, err
}

func (t toolEntry) spec() (spec tool.Spec, err error) {
	switch {
	case t.Name == "":
		return spec, errors.New("name is missing")
	case strings.TrimSpace(t.Description) == "" || len(t.Description) > 1000:
		return spec, errors.New("description must be a text of at most 1000 bytes")
	case len(t.Schema) == 0:
		return spec, errors.New("schema is missing")
	case !slices.Contains([]tool.Sensitivity{tool.Read, tool.SensitiveRead, tool.Write}, tool.Sensitivity(t.Sensitivity)):
		return spec, errors.New("sensitivity must be read, sensitive_read or write")
	}
	spec = tool.Spec{Name: t.Name, Description: t.Description, Sensitivity: tool.Sensitivity(t.Sensitivity)}
	if t.Role != "" {
		if spec.Role, err = access.ParseRole(t.Role); err != nil {
			return spec, errors.New("role must be member, knowledge_admin, auditor or tenant_admin")
		}
	}
	if spec.Schema, err = json.Marshal(t.Schema); err != nil {
		return spec, errors.New("schema can't be written as JSON")
	}
	return spec, nil
}

// hostOf returns the exact host and port of an endpoint.
func hostOf(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Fragment != "" {
		return "", errors.New("endpoint must be an address that begins with http:// or https://, without a password and a fragment")
	}
	host, port, err := net.SplitHostPort(outbound.HostPort(u))
	if err != nil || host == "" || port == "" {
		return "", errors.New("endpoint has no usable host and port")
	}
	return outbound.HostPort(u), nil
}

// keyOf returns the key that a variable holds. One that is named must be there.
func keyOf(keys map[string]string, field, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if !keyName.MatchString(name) {
		return "", fmt.Errorf("%s must name a variable that begins with %s", field, KeyPrefix)
	}
	if keys[name] == "" {
		return "", fmt.Errorf("%s names the variable %s, which is not set", field, name)
	}
	return keys[name], nil
}
