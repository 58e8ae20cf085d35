package preview_test

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
)

// FuzzPreview renders whatever can be read, in each format that is text, and holds every page against
// its text and the list of what a fragment may hold.
func FuzzPreview(f *testing.F) {
	names := []string{"a.md", "a.txt", "a.html", "a.csv"}
	for i := range names {
		for _, s := range []string{
			"# a *b* #\n\n- [x](u)\n  - `c`\n\n| a | b |\n|---|---|\n| 1 |\n\n> q\n\n```go\nx\n```\n", "<table><tr><th>a<td>b</table><pre>\n x</pre>", "a,b\n\"c\nd\",e\n",
			"**a\nb** ~~c~~ \\* &amp; <i> <https://x> ![a](b)\r\n\u202e\u200b", "[//]: # (x)\n[//]: <> 'y'\nz", "a\n===\n\n1. b\n2) c\n\t- d", "***a*b**_c_[[]]()!\\[", "|\\||`|`|\n|-|-|\n",
		} {
			f.Add(i, s)
		}
	}
	f.Fuzz(func(t *testing.T, kind int, s string) {
		name := names[uint(kind)%uint(len(names))]
		if result, err := parse.Parse(context.Background(), parse.File{Name: name, Data: []byte(s)}); err == nil {
			whole(t, stored(result.Parsed))
		}
	})
}
