package httpapi

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

// inside is the text of all parts of a Word document.
func inside(t *testing.T, raw []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatalf("%v: %.200s", err, raw)
	}
	var b strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		_, err = io.Copy(&b, r)
		must(t, err)
	}
	return b.String()
}

var (
	packed = regexp.MustCompile(`(?s)/FlateDecode[^>]*>>stream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`<((?:[0-9A-F]{2})+)> Tj`)
)

// drawn is the Latin text that a PDF document of ours draws.
func drawn(t *testing.T, raw []byte) string {
	t.Helper()
	var b strings.Builder
	for _, s := range packed.FindAllSubmatch(raw, -1) {
		z, err := zlib.NewReader(bytes.NewReader(s[1]))
		must(t, err)
		page, err := io.ReadAll(z)
		must(t, err)
		for _, codes := range shown.FindAllSubmatch(page, -1) {
			text, err := hex.DecodeString(string(codes[1]))
			must(t, err)
			b.Write(text)
		}
	}
	if !strings.Contains(b.String(), "Kaoju") {
		t.Errorf("the document draws nothing that can be read: %q", b.String())
	}
	return b.String()
}

func TestExportsAreDownloads(t *testing.T) {
	w, run := desk2(t)
	id := w.saved("bob", run)
	w.put("bob", id, `{"title":"住宿: a/b \"c\""}`, 1)
	for path, want := range map[string][2]string{
		"/api/drafts/" + id + "/export":                 {"text/markdown; charset=utf-8", "住宿_ a_b _c.md"},
		"/api/drafts/" + id + "/export?format=markdown": {"text/markdown; charset=utf-8", "住宿_ a_b _c.md"},
		"/api/drafts/" + id + "/export?format=docx":     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "住宿_ a_b _c.docx"},
		"/api/runs/" + run + "/export?format=docx":      {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "lodging.docx"},
		"/api/drafts/" + id + "/export?format=pdf":      {"application/pdf", "住宿_ a_b _c.pdf"},
		"/api/runs/" + run + "/export?format=pdf":       {"application/pdf", "lodging.pdf"},
	} {
		rec := w.send("bob", "GET", path, "")
		kind, params, err := mime.ParseMediaType(rec.Header().Get("Content-Disposition"))
		if rec.Code != 200 || err != nil || kind != "attachment" || params["filename"] != want[1] || rec.Header().Get("Content-Type") != want[0] ||
			rec.Header().Get("X-Content-Type-Options") != "nosniff" || rec.Header().Get("Content-Length") != strconv.Itoa(rec.Body.Len()) {
			t.Errorf("%s: %d %v", path, rec.Code, rec.Header())
		}
	}
	md := w.send("bob", "GET", "/api/drafts/"+id+"/export?version=1", "").Body.String()
	for _, part := range []string{"# lodging\n", "draft, version 1", "[^S1]", "[^S1]: S1: a.txt · version 1 — line 1: “The lodging limit is 650 yuan.” “CANARY-one”"} {
		if !strings.Contains(md, part) {
			t.Errorf("%q is not in %s", part, md)
		}
	}
	docx := inside(t, w.send("bob", "GET", "/api/runs/"+run+"/export?format=docx", "").Body.Bytes())
	if !strings.Contains(docx, "footnoteReference") || !strings.Contains(docx, "CANARY-two") || strings.Contains(docx, "TargetMode") {
		t.Errorf("%s", docx)
	}
	w.refusal("bob", "GET", "/api/drafts/"+id+"/export?format=odt", "", 422, "invalid_request")
	w.refusal("bob", "GET", "/api/runs/"+run+"/export?format=.pdf", "", 422, "invalid_request")
	w.refusal("bob", "GET", "/api/runs/"+run+"/export?format=../x", "", 422, "invalid_request")
	w.runner.hold = true
	waiting := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	w.refusal("bob", "GET", "/api/runs/"+waiting.RunID+"/export", "", 409, "no_answer")
	close(w.runner.open)
	w.runner.work.Wait()
}
