package preview

import (
	"regexp"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// sanitise lets through what a fragment may hold, and nothing else. The renderer writes nothing
// else; this does not believe it.
func sanitise(html string) string { return policy().Sanitize(html) }

// policy is the list of what a fragment may hold. No element on it loads anything, runs anything or
// leads anywhere, and no attribute takes an address or a style.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "del", "code", "pre", "blockquote",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "div", "section", "span")
	p.AllowNoAttrs().OnElements("span")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^doc-[A-Za-z0-9_-]+$`)).Globally()
	number := regexp.MustCompile(`^[0-9]{1,10}$`)
	p.AllowAttrs("data-start", "data-end").Matching(number).Globally()
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^doc(?:-[a-z0-9_]+)?(?: doc-[a-z0-9_]+)?$`)).OnElements("div", "section", "span")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[a-z0-9+#_.-]{0,40}$`)).OnElements("code")
	p.AllowAttrs("colspan", "rowspan").Matching(number).OnElements("td", "th")
	p.AllowAttrs("start").Matching(number).OnElements("ol")
	p.AllowAttrs("title").Matching(regexp.MustCompile(`^[A-Z]{1,3}[0-9]{1,7}$`)).OnElements("td", "th")
	return p
})
