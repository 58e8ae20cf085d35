package agent

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation"
)

// An answer carries no address that its reader did not ask for: a link or an image is the way in
// which a document that talks a model over sends away what the run has read, or leads the reader
// away. The source that an answer cites shows its addresses all the same.

var (
	// imageMark and linkMark are Markdown's, of which the words stay.
	imageMark = regexp.MustCompile(`!\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])`)
	linkMark  = regexp.MustCompile(`(\[[^\]\n]*\])\(\s*(?:/|[^)\n]*(?:://|www\.|[a-z]:))[^)\n]*\)`)
	// definition is what a reference link leads to, on a line of its own.
	definition = regexp.MustCompile(`(?m)^([ \t]*\[[^\]\n]+\]:)[ \t]*\S[^\n]*$`)
	// address is anything that a reader's program may follow. The domains are those that people use
	// in addresses; names of files, functions and packages end otherwise.
	address = regexp.MustCompile(`(?i)(?:\b[a-z][a-z0-9+.-]{1,20}:(?:/|\\){2}|\b(?:javascript|vbscript|mailto|blob):\S|\bdata:[a-z]+/|(?:^|[\s(<"'])//[a-z0-9-]+\.)[^\s<>"'）)」》】，。；、]*` +
		`|\bwww\.[^\s<>"'）)」》】，。；、]+` +
		`|[a-z0-9._%+<>-]*[a-z0-9-]\.(?:com|net|org|edu|gov|int|info|biz|io|ai|co|cc|tv|xyz|top|site|online|club|shop|vip|link|click|live|cn|hk|tw|jp|kr|uk|de|fr|eu|ru|au|ca|ch|invalid|test|example|onion)\b(?:[:/?#][^\s<>"'）)」》】，。；、]*)?`)
	// hidden are characters that nobody sees and that can carry text: tags, and selectors beyond the
	// ordinary.
	hidden = regexp.MustCompile("[\U000E0000-\U000E0FFF]")
)

// asking are the words of people who want an address.
var asking = regexp.MustCompile(`(?i)网址|链接|連結|网站|網站|官网|官網|地址|邮箱|郵箱|邮件|域名|主页|门户|門戶|\b(?:urls?|links?|address(?:es)?|web ?sites?|home ?pages?|portals?|e-?mails?|domains?|hosts?)\b`)

// withhold takes the addresses out of a model's text, and reports whether there were any. Where the
// question asks for an address, those stay that stand word for word in what was read.
func withhold(text, goal string, evidence []citation.Evidence) (string, bool) {
	asked := asking.MatchString(goal)
	keep := func(found string) bool {
		// A name such as ASP.NET looks like a host.
		if name := strings.Count(found, ".") == 1 && !strings.ContainsAny(found, ":/\\?#"); !asked && !name || found == "" {
			return false
		}
		return slices.ContainsFunc(evidence, func(e citation.Evidence) bool { return strings.Contains(e.Excerpt, found) })
	}
	note := "[address withheld, see the source]"
	if chinese(goal) {
		note = "（地址从略，见来源）"
	}
	out := hidden.ReplaceAllString(text, "")
	out = imageMark.ReplaceAllString(out, "$1")
	out = linkMark.ReplaceAllString(out, "$1")
	out = definition.ReplaceAllStringFunc(out, func(line string) string {
		if !address.MatchString(line) {
			return line
		}
		return definition.ReplaceAllString(line, "$1 "+note)
	})
	out = address.ReplaceAllStringFunc(out, func(found string) string {
		if keep(strings.Trim(found, " \t\n(<\"'.,:;")) {
			return found
		}
		return note
	})
	return out, out != text
}
