// Package fragment says in headers what an answer with a fragment of HTML is: that it can do nothing
// where it is opened by itself, which stretches stand beside it, and whether a client has it already.
package fragment

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/preview"
)

// Policy is what a page may do that is nothing but a fragment: nothing loads and nothing runs.
const Policy = "sandbox; default-src 'none'; frame-ancestors 'none'"

// Describe sets the headers of a stretch of a version, and reports whether the client already has it,
// as its If-None-Match says.
func Describe(h http.Header, id string, f preview.Fragment, held string) bool {
	beside(h, id, "prev", f.Previous)
	beside(h, id, "next", f.Next)
	beside(h, id, "prev-chapter", f.PreviousChapter)
	beside(h, id, "next-chapter", f.NextChapter)
	return describe(h, []byte(f.HTML), "text/html; charset=utf-8", held)
}

// Drawing sets the headers of a drawing, and reports whether the client already has it. A client may keep it, and asks each
// time whether it still may show it.
func Drawing(h http.Header, svg []byte, held string) bool {
	h.Set("Cache-Control", "private, no-cache")
	return describe(h, svg, "image/svg+xml", held)
}

func describe(h http.Header, body []byte, media, held string) bool {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h.Set("ETag", tag)
	h.Set("Content-Security-Policy", Policy)
	if Has(held, tag) {
		return true
	}
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return false
}

// beside names another stretch of the version.
func beside(h http.Header, id, rel string, at *preview.Window) {
	if at == nil {
		return
	}
	q := url.Values{"from": {strconv.Itoa(at.From)}}
	if at.To > 0 {
		q.Set("to", strconv.Itoa(at.To))
	}
	h.Add("Link", "</api/documents/"+url.PathEscape(id)+"/preview?"+q.Encode()+`>; rel="`+rel+`"`)
}

// Has reports whether a list of entity tags holds one.
func Has(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}
