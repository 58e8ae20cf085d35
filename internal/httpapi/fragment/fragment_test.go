package fragment_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/httpapi/fragment"
	"github.com/kaoju/kaoju/internal/preview"
)

func TestHeadersNameTheStretchesBeside(t *testing.T) {
	for name, c := range map[string]struct {
		f    preview.Fragment
		want []string
	}{
		"alone":   {preview.Fragment{}, nil},
		"first":   {preview.Fragment{Next: &preview.Window{From: 20}}, []string{`</api/documents/a%2Fb%20%3E/preview?from=20>; rel="next"`}},
		"middle":  {preview.Fragment{Previous: &preview.Window{To: 20}, Next: &preview.Window{From: 40}}, []string{`</api/documents/a%2Fb%20%3E/preview?from=0&to=20>; rel="prev"`, `</api/documents/a%2Fb%20%3E/preview?from=40>; rel="next"`}},
		"chapter": {preview.Fragment{PreviousChapter: &preview.Window{}, NextChapter: &preview.Window{From: 40}}, []string{`</api/documents/a%2Fb%20%3E/preview?from=0>; rel="prev-chapter"`, `</api/documents/a%2Fb%20%3E/preview?from=40>; rel="next-chapter"`}},
	} {
		h := http.Header{}
		fragment.Describe(h, "a/b >", c.f, "")
		if d := cmp.Diff(c.want, h.Values("Link")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestFragmentThatIsHeldIsToldFromAnother(t *testing.T) {
	h := http.Header{}
	if fragment.Describe(h, "d", preview.Fragment{HTML: "<p>上限</p>"}, "") {
		t.Error("nothing is held")
	}
	tag := h.Get("ETag")
	want := http.Header{
		"Etag": {tag}, "Content-Type": {"text/html; charset=utf-8"}, "Content-Length": {"13"},
		"Content-Security-Policy": {"sandbox; default-src 'none'; frame-ancestors 'none'"},
	}
	if d := cmp.Diff(want, h); d != "" || len(tag) != 34 {
		t.Error(tag, d)
	}
	for held, want := range map[string]bool{tag: true, "W/" + tag: true, `"a",` + tag + ` ,"b"`: true, "*": true, tag[1:]: false, `"a"`: false, " , ": false} {
		if got := fragment.Describe(http.Header{}, "d", preview.Fragment{HTML: "<p>上限</p>"}, held); got != want {
			t.Errorf("%s is held: %v", held, got)
		}
		if fragment.Describe(http.Header{}, "d", preview.Fragment{HTML: "<p>下限</p>"}, held) != (held == "*") {
			t.Errorf("%s is taken for another fragment", held)
		}
	}
}

func TestDrawingCanDoNothingAndIsAskedForAgain(t *testing.T) {
	h := http.Header{}
	if fragment.Drawing(h, []byte("<svg/>"), "") {
		t.Error("nothing is held")
	}
	tag := h.Get("ETag")
	want := http.Header{
		"Etag": {tag}, "Content-Type": {"image/svg+xml"}, "Content-Length": {"6"}, "Cache-Control": {"private, no-cache"},
		"Content-Security-Policy": {"sandbox; default-src 'none'; frame-ancestors 'none'"},
	}
	if d := cmp.Diff(want, h); d != "" || !fragment.Drawing(http.Header{}, []byte("<svg/>"), tag) || fragment.Drawing(http.Header{}, []byte("<svg></svg>"), tag) {
		t.Error(tag, d)
	}
}
