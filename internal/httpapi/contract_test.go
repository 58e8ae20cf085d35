package httpapi

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

var update = flag.Bool("update", false, "write golden files anew")

// contract checks answers against the description that the server gives of itself.
type contract struct {
	t   *testing.T
	doc *openapi3.T
}

func newContract(t *testing.T, w *world) *contract {
	t.Helper()
	for _, media := range []string{"text/html", "image/svg+xml", "application/x-ndjson"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.RegisteredBodyDecoder("text/plain"))
	}
	rec := w.send("alice", http.MethodGet, "/openapi.json", "")
	if rec.Code != http.StatusOK {
		t.Fatalf("/openapi.json: %d", rec.Code)
	}
	doc, err := openapi3.NewLoader().LoadFromData(rec.Body.Bytes())
	must(t, err)
	must(t, doc.Validate(t.Context()))
	return &contract{t, doc}
}

// check holds one answer against the description of its operation.
func (c *contract) check(s *server, r *http.Request, rec *httptest.ResponseRecorder) {
	c.t.Helper()
	_, pattern := s.mux.Handler(unversioned(r))
	method, path, _ := strings.Cut(pattern, " ")
	item := c.doc.Paths.Value(path)
	if item == nil {
		c.t.Errorf("%s is not described", pattern)
		return
	}
	op := item.GetOperation(method)
	if op == nil {
		c.t.Errorf("%s is not described", pattern)
		return
	}
	in := &openapi3filter.RequestValidationInput{
		Request: r, Route: &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: method, Operation: op},
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: rec.Code, Header: rec.Header(), Body: io.NopCloser(bytes.NewReader(rec.Body.Bytes())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(c.t.Context(), out); err != nil {
		c.t.Errorf("%s answered %d, which its description does not allow: %v\n%s", pattern, rec.Code, err, rec.Body)
	}
}

// described leaves out what is described elsewhere: the description itself, and the plain page.
func described(r row) bool { return r.route != "GET /{$}" && r.route != "GET /openapi.json" }

func TestAnswersAreAsDescribed(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	c := newContract(t, w)
	for _, who := range []string{"alice", "tina", "bob", ""} {
		for _, r := range rows {
			if !described(r) || who == r.owner() && strings.HasPrefix(r.route, "DELETE") {
				continue
			}
			req := r.request(w, who, mine)
			if strings.Contains(r.path, "/events") && r.accept == "" {
				continue // A stream of text has no schema to hold it against.
			}
			rec := w.do(req)
			w.runner.work.Wait()
			c.check(w.server, req, rec)
		}
	}
}

func TestRefusalsAreAsDescribed(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	c := newContract(t, w)
	for _, r := range rows {
		if r.body == "" {
			continue
		}
		for _, body := range []string{`{`, `{"unknown":1}`, `[]`} {
			q := r
			q.body = body
			req := q.request(w, r.owner(), mine)
			c.check(w.server, req, w.do(req))
		}
	}
}

func TestReducedAnswersAreAsDescribed(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	a := w.ask("bob", "lodging")
	w.grant("kb-a", "user:alice", "manager")
	c := newContract(t, w)
	for _, path := range []string{"/api/runs/" + a.RunID, "/api/runs", "/api/runs/" + a.RunID + "/sources/S1"} {
		req := w.request("bob", http.MethodGet, path, nil)
		c.check(w.server, req, w.do(req))
	}
}

// The description is reviewed like code: a change of it shows in a diff. Run with
// -update to write it anew.
func TestDescriptionIsTheReviewedOne(t *testing.T) {
	w := newWorld(t)
	got := indented(t, w.send("alice", http.MethodGet, "/openapi.json", "").Body.Bytes())
	file := filepath.Join("testdata", "openapi.json")
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("the OpenAPI description differs from %s; review it, then run the test with -update", file)
	}
}

func TestDescriptionNamesNoOtherHost(t *testing.T) {
	w := newWorld(t)
	text := w.send("alice", http.MethodGet, "/openapi.json", "").Body.String()
	for _, word := range []string{"http://", "https://", "$schema", "unpkg"} {
		if strings.Contains(text, word) {
			t.Errorf("the description holds %q", word)
		}
	}
}
