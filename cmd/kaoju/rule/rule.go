// Package rule says what the values of settings must look like, and takes those apart that hold several.
package rule

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// URL wants an address of the web.
func URL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("must be an address that begins with http:// or https://")
	}
	return nil
}

// OneOf wants one of some words.
func OneOf(words ...string) func(string) error {
	return func(s string) error {
		for _, w := range words {
			if s == w {
				return nil
			}
		}
		return fmt.Errorf("must be one of %v", words)
	}
}

// Positive wants a whole number above 0.
func Positive(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n <= 0 {
		return errors.New("must be a whole number above 0")
	}
	return nil
}

// Memory refuses a bound under which a process that reads files can't even begin.
func Memory(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 64<<20 {
		return errors.New("must be a whole number of bytes, at least 67108864")
	}
	return nil
}

// Number wants a whole number, 0 or more.
func Number(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 {
		return errors.New("must be a whole number, 0 or more")
	}
	return nil
}

// Duration wants a time above 0.
func Duration(s string) error {
	if d, err := time.ParseDuration(s); err != nil || d <= 0 {
		return errors.New("must be a time such as 90s or 3m")
	}
	return nil
}

// Languages are names joined by "+", as programs that recognise characters know them.
func Languages(s string) error {
	if !languages.MatchString(s) {
		return errors.New("must be names of languages joined by +, such as chi_sim+eng")
	}
	return nil
}

var languages = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_/-]*(\+[A-Za-z0-9][A-Za-z0-9_/-]*)*$`)

// NoDatabase wants nothing: there is one kind of database.
func NoDatabase(string) error {
	return errors.New("this version keeps its data in SQLite only; leave it empty")
}

// Cosine wants a number between -1 and 1.
func Cosine(s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= -1 && x <= 1) {
		return errors.New("must be a number between -1 and 1")
	}
	return nil
}

// Parts splits a list and leaves out what is empty.
func Parts(list, separator string) (out []string) {
	for _, w := range strings.Split(list, separator) {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// Pairs reads THEIRS=OURS. The last equals sign divides: names of the provider may hold others.
func Pairs(list string) (out [][2]string) {
	for _, w := range Parts(list, ";") {
		at := strings.LastIndex(w, "=")
		if at < 0 {
			out = append(out, [2]string{"", w})
			continue
		}
		out = append(out, [2]string{strings.TrimSpace(w[:at]), strings.TrimSpace(w[at+1:])})
	}
	return out
}

// GroupPairs wants pairs of a provider's group and one of ours.
func GroupPairs(s string) error {
	for _, p := range Pairs(s) {
		if p[0] == "" || !access.ValidID(p[1]) {
			return fmt.Errorf("%q is not written as PROVIDERS=OURS", p[0]+"="+p[1])
		}
	}
	return nil
}

// RolePairs wants pairs of a provider's group and a role, which is not tenant_admin.
func RolePairs(s string) error {
	for _, p := range Pairs(s) {
		role, err := access.ParseRole(p[1])
		switch {
		case p[0] == "":
			return fmt.Errorf("%q is not written as PROVIDERS=ROLE", p[1])
		case err != nil:
			var e *problem.Error
			if errors.As(err, &e) {
				return errors.New(e.Detail)
			}
			return err
		case role == access.TenantAdmin:
			return errors.New("a provider makes nobody tenant_admin; give that role by hand")
		}
	}
	return nil
}

// Hosts wants hosts with their ports.
func Hosts(list string) error {
	for _, h := range Parts(list, ",") {
		if host, port, err := net.SplitHostPort(h); err != nil || host == "" || Positive(port) != nil {
			return fmt.Errorf("%q is not written as HOST:PORT", h)
		}
	}
	return nil
}

// HostTokens wants tokens, each with its host. What is wrong is not repeated.
func HostTokens(list string) error {
	for _, p := range Parts(list, ",") {
		if host, token, ok := strings.Cut(p, "="); !ok || host == "" || token == "" || strings.Contains(host, "/") {
			return errors.New("must be written as HOST=TOKEN or HOST=USER:TOKEN, separated by commas")
		}
	}
	return nil
}

// Tokens returns what gives the user name and token for a host with its port. A host that was written
// without one means that of https. Where no user name was written, one is said that the large hosts take.
func Tokens(list string) func(host string) (user, token string) {
	all := map[string][2]string{}
	for _, p := range Parts(list, ",") {
		host, token, _ := strings.Cut(p, "=")
		user, secret, ok := strings.Cut(token, ":")
		if !ok {
			user, secret = "x-access-token", token
		}
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), "443")
		}
		all[strings.ToLower(host)] = [2]string{user, secret}
	}
	return func(host string) (string, string) { return all[host][0], all[host][1] }
}
