package git

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// Prefix begins the address of a repository.
const Prefix = "git+"

// Address names a folder in a state of a repository.
type Address struct {
	Remote *url.URL // of a repository elsewhere; nil for one of this machine
	Path   string   // of one of this machine, absolute
	Ref    string   // branch, tag or commit; "" is what HEAD names
	Folder string   // in the repository, with slashes; "" is all of it
}

// Parse reads an address: git+file:///PATH or git+https://HOST/PATH, then @REF if it is not what HEAD
// names, then //FOLDER if it is not the whole. It holds no user name and no password: those would be
// remembered with every document.
func Parse(raw string) (a Address, err error) {
	rest, ok := strings.CutPrefix(raw, Prefix)
	if !ok {
		return a, refused("it does not begin with git+")
	}
	scheme, rest, ok := strings.Cut(rest, "://")
	if !ok {
		return a, refused("it has no scheme such as git+https://")
	}
	if strings.ContainsAny(rest, "?#") {
		return a, refused("it holds a question mark or a number sign")
	}
	switch strings.ToLower(scheme) {
	case "file":
		if !strings.HasPrefix(rest, "/") {
			return a, refused("after git+file:// it needs an absolute path")
		}
		if rest, err = url.PathUnescape(rest); err != nil {
			return a, refused("it is not well escaped")
		}
		rest = a.split(rest)
		a.Path = filepath.Clean(filepath.FromSlash(rest))
	case "http", "https":
		host, place, _ := strings.Cut(rest, "/")
		if place, err = url.PathUnescape(place); err != nil {
			return a, refused("it is not well escaped")
		}
		whole := url.URL{Path: "/" + strings.Trim(a.split(place), "/")}
		if a.Remote, err = outbound.ParseURL(strings.ToLower(scheme) + "://" + host + whole.EscapedPath()); err != nil {
			return a, err
		}
	default:
		return a, refused("repositories are reached by git+file, git+https or git+http")
	}
	return a, a.check()
}

// Local is the address of a repository of this machine. What exists under that path is meant, whatever is
// in its name; else it may end in @REF and //FOLDER.
func Local(path string, exists func(string) bool) (a Address, err error) {
	if !exists(path) {
		path = a.split(filepath.ToSlash(path))
	}
	if a.Path, err = filepath.Abs(filepath.FromSlash(path)); err != nil {
		return a, refused("it is no path")
	}
	return a, a.check()
}

// split takes the folder and the name of a state off an address.
func (a *Address) split(text string) string {
	text, a.Folder, _ = strings.Cut(text, "//")
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text, a.Ref = text[:at], text[at+1:]
	}
	return text
}

func (a *Address) check() error {
	a.Folder = strings.Trim(a.Folder, "/")
	if a.Folder != "" && (path.Clean(a.Folder) != a.Folder || strings.HasPrefix(a.Folder, "..")) {
		return refused("its folder is no plain path")
	}
	for _, s := range []string{a.Path, a.Ref, a.Folder} {
		if strings.ContainsFunc(s, glyph.Steers) {
			return refused("it holds control characters")
		}
	}
	return nil
}

// Name is what the repository is remembered by: the same in each of its states.
func (a Address) Name() string { return a.uri("", a.Folder) }

// shown is the folder as people are told of it, without the state.
func (a Address) shown() string {
	if a.Folder == "" {
		return strings.TrimPrefix(a.uri("", ""), Prefix)
	}
	return strings.TrimPrefix(a.uri("", a.Folder), Prefix)
}

// URI names a file in a state of the repository; as much of it as may be kept with a document.
func (a Address) URI(commit, place string) string {
	const most = 2048
	if whole := a.uri(commit, path.Join(a.Folder, place)); len(whole) <= most {
		return whole
	}
	if whole := a.uri(commit, ""); len(whole) <= most {
		return whole
	}
	return ""
}

func (a Address) uri(state, place string) string {
	base := url.URL{Scheme: "file", Path: filepath.ToSlash(a.Path)}
	if a.Remote != nil {
		base = *a.Remote
	}
	out := Prefix + base.String()
	if base.Scheme == "file" {
		out = Prefix + "file://" + base.EscapedPath()
	}
	if state != "" {
		out += "@" + state
	}
	if place != "" {
		out += "//" + (&url.URL{Path: place}).EscapedPath()
	}
	return out
}

func refused(why string) error {
	return problem.New(problem.Invalid, "invalid_url", "The address of the repository can't be used: %s.", why)
}
