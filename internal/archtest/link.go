package archtest

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"
)

var (
	inlineLink = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)`)
	fence      = regexp.MustCompile("(?s)(```.*?```|`[^`\n]*`)")
	heading    = regexp.MustCompile(`(?m)^#{1,6}[ \t]+(.+?)[ \t]*#*$`)
	markup     = regexp.MustCompile("[`*_]|\\[([^\\]]*)\\]\\([^)]*\\)")
)

// CheckLinks returns the relative links of the Markdown files below fsys whose file, folder or
// heading does not exist. Files below testdata, and those of the given folders, are left out:
// their links belong to somebody else's tree.
func CheckLinks(fsys fs.FS, except ...string) ([]Violation, error) {
	var out []Violation
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if matches(except, name) {
				return fs.SkipDir
			}
			return skipDir(name)
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		for _, m := range inlineLink.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if why := follow(fsys, name, m[1]); why != "" {
				out = append(out, Violation{name, "links to " + m[1] + ", " + why, "A link in the documentation leads somewhere."})
			}
		}
		return nil
	})
	return out, err
}

// follow says why a link does not lead anywhere; "" if it does, or leads out of the tree's care.
func follow(fsys fs.FS, from, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	if strings.HasPrefix(file, "/") || !fs.ValidPath(target) {
		return "which is outside the repository"
	}
	info, err := fs.Stat(fsys, target)
	if err != nil {
		return "which does not exist"
	}
	if anchor == "" || info.IsDir() || !strings.HasSuffix(target, ".md") {
		return ""
	}
	text, err := fs.ReadFile(fsys, target)
	if err != nil {
		return "which can't be read"
	}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		if slug(m[1]) == anchor {
			return ""
		}
	}
	return "which has no such heading"
}

// slug makes the anchor of a heading: lower case, letters, digits, dashes and underscores kept,
// spaces turned into dashes.
func slug(title string) string {
	title = markup.ReplaceAllString(title, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
