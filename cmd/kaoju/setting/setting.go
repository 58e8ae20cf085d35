// Package setting knows every setting of the product: its name, where its value comes from, and what
// must go together. Its methods give the parts of the product the settings they are made with.
package setting

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
)

// Origin says where the value of a setting came from.
type Origin string

// The places that a value comes from, from the weakest up.
const (
	Default     Origin = "default"
	File        Origin = "file"
	Environment Origin = "environment"
	Flag        Origin = "flag"
)

// Value is a setting in force.
type Value struct {
	Text string
	From Origin
}

// Config holds every setting in force.
type Config struct {
	File   string            // the file that was read, "" if none
	Keys   map[string]string // the variables that may hold the key of a declared tool
	values map[string]Value
}

// Get returns the value in force of a setting, "" if there is none.
func (c *Config) Get(name string) string { return c.values[name].Text }

// Value returns a setting in force with where it came from.
func (c *Config) Value(name string) Value { return c.values[name] }

// Or returns a setting, or another value where nobody set it.
func (c *Config) Or(name, fallback string) string {
	if c.values[name].From == Default {
		return fallback
	}
	return c.Get(name)
}

// Number returns a setting that is a whole number.
func (c *Config) Number(name string) int {
	n, _ := strconv.Atoi(c.Get(name)) // checked when it was loaded
	return n
}

// Duration returns a setting that is a length of time.
func (c *Config) Duration(name string) time.Duration {
	d, _ := time.ParseDuration(c.Get(name)) // checked when it was loaded
	return d
}

// AddFlags gives a command the flags of the named settings.
func AddFlags(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		s := named(name)
		cmd.Flags().String(FlagName(name), s.Fallback, s.Help+" ("+s.Env+")")
		cmd.Flags().Lookup(FlagName(name)).Annotations = map[string][]string{ofSetting: nil}
	}
}

// ofSetting marks the flag of a setting: a command may have a flag of its own that goes by the name of another.
const ofSetting = "setting"

// given returns what the flag of a setting was given.
func given(cmd *cobra.Command, name string) (text string, ok bool) {
	f := cmd.Flags().Lookup(FlagName(name))
	if f == nil || !f.Changed {
		return "", false
	}
	_, ours := f.Annotations[ofSetting]
	return f.Value.String(), ours
}

// FlagName returns how the flag of a setting is called, without its dashes.
func FlagName(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '_' {
			out[i] = '-'
		}
	}
	return string(out)
}

func named(name string) Setting {
	for _, s := range Table {
		if s.Name == name {
			return s
		}
	}
	panic("no setting " + name)
}

// Load finds the value of every setting: flag, then environment, then file, then default. A file
// that is named and missing, an unknown name in it, a bad value, or values that do not go together are
// an error that says which. No error repeats a secret.
func Load(cmd *cobra.Command, env map[string]string) (*Config, error) {
	path, _ := cmd.Flags().GetString("config")
	file, err := readFile(path)
	if err != nil {
		return nil, err
	}
	c := &Config{values: map[string]Value{}, File: path, Keys: map[string]string{}}
	for name, text := range env {
		if strings.HasPrefix(name, declaration.KeyPrefix) {
			c.Keys[name] = text
		}
	}
	if err := bound(cmd, env, file); err != nil {
		return nil, err
	}
	if file == nil {
		c.File = ""
	}
	for _, s := range Table {
		v := Value{s.Fallback, Default}
		if text, ok := file[s.Name]; ok {
			v = Value{text, File}
		}
		if text, ok := env[s.Env]; ok && text != "" {
			v = Value{text, Environment}
		}
		if text, ok := given(cmd, s.Name); ok {
			v = Value{text, Flag}
		}
		if s.check != nil && v.Text != "" {
			if err := s.check(v.Text); err != nil {
				return nil, fmt.Errorf("setting %s (from %s): %w", s.Name, v.From, err)
			}
		}
		c.values[s.Name] = v
	}
	if c.Get("model_url") == "" && c.Get("model") != "" {
		return nil, errors.New("setting model: a model is named, but no endpoint is set (KAOJU_MODEL_URL)")
	}
	if c.Get("model_url") != "" && c.Get("model") == "" {
		return nil, errors.New("setting model: a model endpoint is set, so the model needs a name (KAOJU_MODEL)")
	}
	if err := c.checkVerifier(); err != nil {
		return nil, err
	}
	if err := c.checkEmbedding(); err != nil {
		return nil, err
	}
	if err := c.Reranker().Check(); err != nil {
		return nil, err
	}
	return c, c.checkProvider()
}

// DefaultFile is the settings file that is read where none is named. It may be absent.
const DefaultFile = "kaoju.yaml"

// readFile reads kaoju.yaml strictly. The default file may be absent.
func readFile(path string) (map[string]string, error) {
	raw, err := os.ReadFile(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) && path == DefaultFile {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings file %s: it cannot be read", path)
	}
	var parsed map[string]any
	if err := yaml.Unmarshal(raw, &parsed); err != nil {
		return nil, fmt.Errorf("settings file %s: %s", path, yaml.FormatError(err, false, false))
	}
	out := map[string]string{}
	for name, v := range parsed {
		known := false
		for _, s := range Table {
			known = known || s.Name == name
		}
		if !known {
			return nil, fmt.Errorf("settings file %s: there is no setting %q", path, name)
		}
		switch v.(type) {
		case string, bool, int, int64, uint64, float64:
			out[name] = fmt.Sprint(v)
		default:
			return nil, fmt.Errorf("settings file %s: %s must be a single value", path, name)
		}
	}
	return out, nil
}
