package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
)

func TestPreviewAsksForItsWindowAndReadsWhatIsBeside(t *testing.T) {
	var asked []string
	links := []string{`</api/documents/d%2F1/preview?from=0&to=20>; rel="prev"`, `</api/documents/d%2F1/preview?from=40>; rel="next"`,
		`</api/documents/d%2F1/preview?from=2>; rel="prev-chapter"`, `</api/documents/d%2F1/preview?from=90>; rel="next-chapter"`}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.EscapedPath()+"?"+r.URL.RawQuery+" "+r.Header.Get("Accept")+" "+r.Header.Get("Authorization"))
		w.Header()["Link"] = links
		w.Header().Set("ETag", `"x"`)
		_, _ = w.Write([]byte("<div>上限</div>"))
	}))
	defer server.Close()
	c := api.NewClient(server.Client(), server.URL, "t")
	want := api.Preview{HTML: "<div>上限</div>", ETag: `"x"`, Previous: &api.PreviewWindow{To: 20}, Next: &api.PreviewWindow{From: 40}, PreviousChapter: &api.PreviewWindow{From: 2}, NextChapter: &api.PreviewWindow{From: 90}}
	for _, w := range []api.PreviewWindow{{}, {From: 20, To: 40}, {Anchor: "doc-line-3"}} {
		got, err := c.Preview(t.Context(), "d/1", w)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%+v: %v %s", w, err, d)
		}
	}
	if d := cmp.Diff([]string{
		"/api/documents/d%2F1/preview? text/html Bearer t", "/api/documents/d%2F1/preview?from=20&to=40 text/html Bearer t",
		"/api/documents/d%2F1/preview?anchor=doc-line-3 text/html Bearer t",
	}, asked); d != "" {
		t.Error(d)
	}
	for _, odd := range [][]string{nil, {"x"}, {`<::>; rel="next"`}, {`</a?from=x>; rel="next"`}, {`</a?from=1&to=x>; rel="prev"`}, {`</a?from=1>; rel="other"`}, {`</a>; rel="next"`}} {
		links = odd
		if got, err := c.Preview(t.Context(), "d", api.PreviewWindow{}); err != nil || got.Previous != nil || got.Next != nil {
			t.Errorf("%v is read as %+v (%v)", odd, got, err)
		}
	}
}
