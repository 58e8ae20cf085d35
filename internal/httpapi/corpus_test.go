package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
)

func TestUploadBecomesADocument(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	rec := w.upload("alice", "kb-a", "doc_key", "policies/差旅.txt", "title", "差旅制度", "source_uri", "file:///x", "status", "published",
		"access_policy", `{"deny":["user:bob"]}`, "file", "ignored.txt|住宿标准每晚 650 元。\n\nThe limit is 650.")
	var up api.Upload
	must(t, json.Unmarshal(rec.Body.Bytes(), &up))
	if rec.Code != http.StatusAccepted || up.JobID == nil || up.DocKey != "policies/差旅.txt" || up.Version != 1 || up.Unchanged {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	w.refusal("alice", "GET", "/api/documents/"+up.DocumentID, "", http.StatusNotFound, "not_found")
	job := expect[api.Job](w, "alice", "GET", "/api/jobs/"+*up.JobID, "", http.StatusOK)
	if job.State != "queued" || job.DocumentID != up.DocumentID || job.Error != nil {
		t.Fatalf("job %+v", job)
	}
	w.work()
	if job := expect[api.Job](w, "alice", "GET", "/api/jobs/"+*up.JobID, "", http.StatusOK); job.State != "succeeded" {
		t.Fatalf("job %+v", job)
	}
	d := expect[api.Document](w, "alice", "GET", "/api/documents/"+up.DocumentID, "", http.StatusOK)
	if d.Title != "差旅制度" || d.Status != "published" || d.ChunkCount != 2 || string(d.AccessPolicy) != `{"deny":["user:bob"]}` || d.PublishedAt == nil {
		t.Errorf("document %+v", d)
	}
	chunks := expect[api.List[api.Chunk]](w, "alice", "GET", "/api/documents/"+up.DocumentID+"/chunks", "", http.StatusOK)
	if len(chunks.Items) != 2 || chunks.Items[0].Text != "住宿标准每晚 650 元。" || chunks.Items[1].Span.Start != 15 {
		t.Errorf("chunks %+v", chunks.Items)
	}
	original := w.send("alice", "GET", "/api/documents/"+up.DocumentID+"/original", "")
	if original.Body.String() != "住宿标准每晚 650 元。\n\nThe limit is 650." {
		t.Errorf("original %q", original.Body)
	}
	want := "attachment; filename*=utf-8''%E5%B7%AE%E6%97%85.txt"
	if got := original.Header().Get("Content-Disposition"); got != want {
		t.Errorf("Content-Disposition %q, want %q", got, want)
	}
}

// TestAGraphicIsGivenAsAFile holds that an SVG file never runs under the address of the server: whoever
// opens its original gets a file to keep.
func TestAGraphicIsGivenAsAFile(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	svg := `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><text y="20">DN50</text></svg>`
	up := w.add("kb-a", "flow.svg|"+svg, "status", "published")
	original := w.send("alice", "GET", "/api/documents/"+up.DocumentID+"/original", "")
	h := original.Header()
	if original.Body.String() != svg || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
		t.Errorf("the original comes with %v", h)
	}
}

func TestChunksComeInPages(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	up := w.add("kb-a", "a.txt|one\n\ntwo\n\nthree", "status", "published")
	var got []string
	path := "/api/documents/" + up.DocumentID + "/chunks?limit=1"
	for cursor := ""; ; {
		l := expect[api.List[api.Chunk]](w, "alice", "GET", path+cursor, "", http.StatusOK)
		for _, c := range l.Items {
			got = append(got, c.Text)
		}
		if l.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *l.NextCursor
	}
	if diff := cmp.Diff([]string{"one", "two", "three"}, got); diff != "" {
		t.Error(diff)
	}
	w.refusal("alice", "GET", path+"&cursor=zzz", "", http.StatusUnprocessableEntity, "invalid_cursor")
}

func TestUploadFormsAreHeldToTheirFields(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	for _, c := range []struct {
		name    string
		fields  []string
		pointer string
	}{
		{"no file", []string{"title", "x"}, "/file"},
		{"two files", []string{"file", "a.txt|a", "file", "b.txt|b"}, "/file"},
		{"unknown field", []string{"file", "a.txt|a", "owner", "bob"}, "/owner"},
		{"field twice", []string{"title", "a", "title", "b", "file", "a.txt|a"}, "/title"},
		{"status", []string{"file", "a.txt|a", "status", "archived"}, "/status"},
		{"policy", []string{"file", "a.txt|a", "access_policy", `{"allow":["bob"]}`}, "/access_policy"},
		{"policy with unknown field", []string{"file", "a.txt|a", "access_policy", `{"alow":["user:bob"]}`}, "/access_policy"},
		{"policy twice", []string{"file", "a.txt|a", "access_policy", `{"allow":[],"allow":["everyone"]}`}, "/access_policy"},
		{"id", []string{"file", "a.txt|a", "id", "a/b"}, "/id"},
		{"key", []string{"file", "a.txt|a", "doc_key", "a\x00b"}, "/doc_key"},
		{"title", []string{"file", "a.txt|a", "title", strings.Repeat("长", 501)}, "/title"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := w.upload("alice", "kb-a", c.fields...)
			var p api.Problem
			must(t, json.Unmarshal(rec.Body.Bytes(), &p))
			if rec.Code != http.StatusUnprocessableEntity || len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer {
				t.Errorf("%d %s", rec.Code, rec.Body)
			}
		})
	}
	if l := expect[api.List[api.Document]](w, "alice", "GET", "/api/knowledge-bases/kb-a/documents", "", http.StatusOK); len(l.Items) != 0 {
		t.Errorf("a refused form left %+v", l.Items)
	}
}

func TestUploadFormsAreHeldToTheirShape(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	body, media := formOf("file", "a.txt|"+strings.Repeat("x", 1000))
	var whole strings.Builder
	b := make([]byte, 4096)
	n, err := body.Read(b)
	must(t, err)
	whole.Write(b[:n])
	for _, c := range []struct {
		name, body, media, code string
		status                  int
	}{
		{"cut off", whole.String()[:n-20], media, "malformed_form", http.StatusBadRequest},
		{"empty", "", media, "malformed_form", http.StatusBadRequest},
		{"JSON", `{"file":"x"}`, "application/json", "unsupported_media_type", http.StatusUnsupportedMediaType},
		{"no boundary", "x", "multipart/form-data", "unsupported_media_type", http.StatusUnsupportedMediaType},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := w.do(w.request("alice", "POST", "/api/knowledge-bases/kb-a/documents", strings.NewReader(c.body), "Content-Type", c.media))
			var p api.Problem
			must(t, json.Unmarshal(rec.Body.Bytes(), &p))
			if rec.Code != c.status || p.Code != c.code {
				t.Errorf("%d %s, want %d %s", rec.Code, rec.Body, c.status, c.code)
			}
		})
	}
	rec := w.upload("alice", "kb-a", "file", "big.txt|"+strings.Repeat("x", 1<<20+1))
	if rec.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a file above the limit: %d %s", rec.Code, rec.Body)
	}
	many := []string{}
	for range 20 {
		many = append(many, "title", "x")
	}
	if rec := w.upload("alice", "kb-a", many...); rec.Code < 400 || rec.Code >= 500 {
		t.Errorf("a form of many parts: %d %s", rec.Code, rec.Body)
	}
}

func TestUnchangedBytesAnswer200(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	first := w.add("kb-a", "a.txt|same", "status", "published")
	rec := w.upload("alice", "kb-a", "file", "a.txt|same")
	var again api.Upload
	must(t, json.Unmarshal(rec.Body.Bytes(), &again))
	if rec.Code != http.StatusOK || !again.Unchanged || again.JobID != nil || again.DocumentID != first.DocumentID {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestThePolicyOfUnchangedBytesIsNeverDropped(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	first := w.add("kb-a", "a.txt|same", "status", "published")
	deny := `{"deny":["user:bob"]}`
	upload := func(want int, code string) {
		t.Helper()
		rec := w.upload("alice", "kb-a", "file", "a.txt|same", "access_policy", deny)
		var p api.Problem
		must(t, json.Unmarshal(rec.Body.Bytes(), &p))
		if rec.Code != want || p.Code != code || code != "" && !strings.Contains(p.Detail, "PATCH") {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	}
	upload(http.StatusConflict, "policy_differs")
	expect[api.Document](w, "alice", "PATCH", "/api/documents/"+first.DocumentID, `{"access_policy":`+deny+`}`, http.StatusOK)
	upload(http.StatusOK, "")
}

func TestPoliciesThatShutTheirSetterOutAreRefused(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	id := w.add("kb-a", "a.txt|a", "status", "published").DocumentID
	for _, policy := range []string{`{"deny":["user:alice"]}`, `{"deny":["everyone"]}`, `{"allow":[]}`, `{"allow":["user:bob"]}`} {
		p := w.refusal("alice", "PATCH", "/api/documents/"+id, `{"access_policy":`+policy+`}`, http.StatusUnprocessableEntity, "policy_excludes_you")
		if len(p.Errors) != 1 || p.Errors[0].Pointer != "/access_policy" {
			t.Errorf("%s: %+v", policy, p.Errors)
		}
		rec := w.upload("alice", "kb-a", "file", "b.txt|b", "access_policy", policy)
		var refused api.Problem
		must(t, json.Unmarshal(rec.Body.Bytes(), &refused))
		if rec.Code != http.StatusUnprocessableEntity || refused.Code != "policy_excludes_you" || refused.Errors[0].Pointer != "/access_policy" {
			t.Errorf("%s: %d %s", policy, rec.Code, rec.Body)
		}
	}
}

func TestPoliciesThatAreNotUnderstoodAreRefusedEverywhere(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	id := w.add("kb-a", "a.txt|a", "status", "published").DocumentID
	for _, policy := range []string{
		`{}`, `{"deny":null}`, `{"DENY":["user:bob"]}`, `{"Allow":["user:alice"]}`, `{"deny":["user:bob"],"Deny":[]}`, `{"deny":["user:bob"],"deny":[]}`, `[]`, `7`, `"open"`, `null`, `""`,
	} {
		rec := w.send("alice", "PATCH", "/api/documents/"+id, `{"access_policy":`+policy+`}`)
		if policy != `null` && rec.Code != http.StatusUnprocessableEntity && rec.Code != http.StatusBadRequest || rec.Code < 400 {
			t.Errorf("PATCH %s: %d %s", policy, rec.Code, rec.Body)
		}
		if rec := w.upload("alice", "kb-a", "file", "b.txt|b", "access_policy", policy); rec.Code != http.StatusUnprocessableEntity {
			t.Errorf("upload %s: %d %s", policy, rec.Code, rec.Body)
		}
	}
	if d := expect[api.Document](w, "alice", "GET", "/api/documents/"+id, "", http.StatusOK); string(d.AccessPolicy) != `"inherit"` || d.LockVersion != 1 {
		t.Errorf("a refused policy left %s, lock %d", d.AccessPolicy, d.LockVersion)
	}
}

func TestAnEditorCannotSetAPolicyWithAnUpload(t *testing.T) {
	w := newWorld(t)
	w.three()
	if rec := w.upload("dave", "kb-a", "file", "new.txt|new", "access_policy", `{"deny":["user:bob"]}`); rec.Code != http.StatusNotFound {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if rec := w.upload("dave", "kb-a", "file", "new.txt|new", "access_policy", "inherit"); rec.Code != http.StatusAccepted {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestNamesAreTakenAsTheIntakeTakesThem(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	for name, fields := range map[string][]string{
		"the longest key": {"doc_key", strings.Repeat("考", 512), "file", "a.txt|a"},
		"longest title":   {"doc_key", "t", "title", strings.Repeat("题", 300), "file", "a.txt|b"},
		"longest address": {"doc_key", "s", "source_uri", "https://" + strings.Repeat("x", 2040), "file", "a.txt|c"},
	} {
		if rec := w.upload("alice", "kb-a", fields...); rec.Code != http.StatusAccepted {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
	}
	w.work()
	for _, d := range expect[api.List[api.Document]](w, "alice", "GET", "/api/knowledge-bases/kb-a/documents?doc_key=t", "", http.StatusOK).Items {
		expect[api.Document](w, "alice", "PATCH", "/api/documents/"+d.ID, `{"title":"`+d.Title+`"}`, http.StatusOK)
		w.refusal("alice", "PATCH", "/api/documents/"+d.ID, `{"title":"`+d.Title+`x"}`, http.StatusUnprocessableEntity, "invalid_request")
	}
	for pointer, fields := range map[string][]string{
		"/doc_key": {"doc_key", strings.Repeat("k", 513), "file", "a.txt|d"}, "/title": {"title", strings.Repeat("t", 301), "file", "a.txt|d"},
		"/source_uri": {"source_uri", strings.Repeat("x", 2049), "file", "a.txt|d"},
	} {
		rec := w.upload("alice", "kb-a", fields...)
		var p api.Problem
		must(t, json.Unmarshal(rec.Body.Bytes(), &p))
		if rec.Code != http.StatusUnprocessableEntity || len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %d %s", pointer, rec.Code, rec.Body)
		}
	}
	rec := w.upload("alice", "kb-a", "file", `C:\Users\a\travel`+"\u202e"+`.txt|e`)
	var up api.Upload
	must(t, json.Unmarshal(rec.Body.Bytes(), &up))
	if rec.Code != http.StatusAccepted || up.DocKey != "travel.txt" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestTheRecordOfAHistoryReadHoldsNoKey(t *testing.T) {
	w := newWorld(t)
	archived, _, _ := w.three()
	expect[api.List[api.Chunk]](w, "carol", "GET", "/api/documents/"+archived+"/chunks", "", http.StatusOK)
	l := expect[api.List[api.Entry]](w, "carol", "GET", "/api/ledger", "", http.StatusOK)
	if last := l.Items[len(l.Items)-1]; last.Kind != "history.read" || strings.Contains(string(last.Body), "travel") || strings.Contains(string(last.Body), "doc_key") {
		t.Errorf("%+v", last)
	}
}

func TestLaterVersionNeedsAProposalByDefault(t *testing.T) {
	w := newWorld(t)
	expect[api.KnowledgeBase](w, "alice", "POST", "/api/knowledge-bases", `{"id":"kb-p","name":"P"}`, http.StatusCreated)
	w.add("kb-p", "a.txt|one", "status", "published")
	rec := w.upload("alice", "kb-p", "file", "a.txt|two", "status", "published")
	var p api.Problem
	must(t, json.Unmarshal(rec.Body.Bytes(), &p))
	if rec.Code != http.StatusConflict || p.Code != "proposal_required" || p.DocumentID == "" || p.JobID == "" {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	w.work()
	if d := expect[api.Document](w, "alice", "GET", "/api/documents/"+p.DocumentID, "", http.StatusOK); d.Status != "draft" || d.Version != 2 {
		t.Errorf("document %+v", d)
	}
}

func TestEditorCannotPublish(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "editor")
	if rec := w.upload("bob", "kb-a", "file", "a.txt|one", "status", "published"); rec.Code != http.StatusNotFound {
		t.Errorf("an editor's published upload: %d %s", rec.Code, rec.Body)
	}
	if rec := w.upload("bob", "kb-a", "file", "a.txt|one"); rec.Code != http.StatusAccepted {
		t.Errorf("an editor's draft: %d %s", rec.Code, rec.Body)
	}
}

// three makes a document with an archived, a published and a draft version.
func (w *world) three() (archived, published, draft string) {
	w.t.Helper()
	w.kb("kb-a")
	archived = w.add("kb-a", "travel.txt|The lodging limit is 500 yuan.", "status", "published").DocumentID
	published = w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published").DocumentID
	draft = w.add("kb-a", "travel.txt|The lodging limit is 700 yuan.").DocumentID
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader", "user:carol", "reader", "user:dave", "editor")
	return archived, published, draft
}

func TestStatusDecidesWhoSeesWhat(t *testing.T) {
	w := newWorld(t)
	archived, published, draft := w.three()
	type want struct{ metadata, content int }
	for who, wants := range map[string][3]want{
		"alice": {{200, 404}, {200, 200}, {200, 200}}, // manager
		"dave":  {{200, 404}, {200, 200}, {200, 200}}, // editor; his role of auditor adds nothing
		"bob":   {{404, 404}, {200, 200}, {404, 404}}, // reader
		"carol": {{404, 200}, {200, 200}, {404, 404}}, // knowledge_admin who reads
		"erin":  {{404, 404}, {404, 404}, {404, 404}},
	} {
		for i, id := range []string{archived, published, draft} {
			for _, c := range []struct {
				path string
				want int
			}{
				{"", wants[i].metadata}, {"/versions", wants[i].metadata}, {"/chunks", wants[i].content}, {"/original", wants[i].content}, {"/preview", wants[i].content},
			} {
				if rec := w.send(who, "GET", "/api/documents/"+id+c.path, ""); rec.Code != c.want {
					t.Errorf("%s, version %d%s: status %d, want %d", who, i+1, c.path, rec.Code, c.want)
				}
			}
		}
	}
}

func TestListsShowTheNewestVersionThatOneMaySee(t *testing.T) {
	w := newWorld(t)
	_, published, draft := w.three()
	newest := func(who, query string) (out []string) {
		for _, d := range expect[api.List[api.Document]](w, who, "GET", "/api/knowledge-bases/kb-a/documents"+query, "", http.StatusOK).Items {
			out = append(out, d.ID)
		}
		return out
	}
	for _, c := range []struct {
		who, query string
		want       []string
	}{
		{"alice", "", []string{draft}}, {"bob", "", []string{published}}, {"alice", "?status=published", []string{published}},
		{"bob", "?status=draft", nil}, {"bob", "?doc_key=travel.txt", []string{published}}, {"bob", "?doc_key=other", nil},
		{"bob", "?updated_to=2000-01-01", nil}, {"bob", "?updated_from=2000-01-01", []string{published}},
	} {
		if diff := cmp.Diff(c.want, newest(c.who, c.query)); diff != "" {
			t.Errorf("%s%s: %s", c.who, c.query, diff)
		}
	}
	w.refusal("alice", "GET", "/api/knowledge-bases/kb-a/documents?status=reserved", "", http.StatusUnprocessableEntity, "invalid_request")
	versions := func(who string) (out []int) {
		for _, d := range expect[api.List[api.Document]](w, who, "GET", "/api/documents/"+published+"/versions", "", http.StatusOK).Items {
			out = append(out, d.Version)
		}
		return out
	}
	if diff := cmp.Diff([]int{3, 2, 1}, versions("alice")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{2}, versions("bob")); diff != "" {
		t.Error(diff)
	}
}

func TestReadersDoNotSeeThePolicy(t *testing.T) {
	w := newWorld(t)
	_, published, _ := w.three()
	expect[api.Document](w, "alice", "PATCH", "/api/documents/"+published, `{"access_policy":{"deny":["user:erin"]}}`, http.StatusOK)
	if d := expect[api.Document](w, "bob", "GET", "/api/documents/"+published, "", http.StatusOK); d.AccessPolicy != nil {
		t.Errorf("a reader sees %s", d.AccessPolicy)
	}
	if d := expect[api.Document](w, "dave", "GET", "/api/documents/"+published, "", http.StatusOK); string(d.AccessPolicy) != `{"deny":["user:erin"]}` {
		t.Errorf("an editor sees %s", d.AccessPolicy)
	}
}

func TestReadingTheArchiveIsRecordedFirst(t *testing.T) {
	w := newWorld(t)
	archived, published, _ := w.three()
	for _, path := range []string{archived + "/original", archived + "/chunks", archived + "/preview", published + "/preview", published + "/original", published + "/chunks"} {
		if rec := w.send("carol", "GET", "/api/documents/"+path, ""); rec.Code != http.StatusOK {
			t.Fatalf("%s: %d", path, rec.Code)
		}
	}
	var parts []string
	for _, e := range expect[api.List[api.Entry]](w, "carol", "GET", "/api/ledger", "", http.StatusOK).Items {
		var body struct {
			Document string `json:"document_id"`
			Part     string `json:"part"`
		}
		must(t, json.Unmarshal(e.Body, &body))
		if e.Kind == "history.read" && body.Document == archived && e.Actor == "carol" {
			parts = append(parts, body.Part)
		}
	}
	if diff := cmp.Diff([]string{"original", "chunks", "preview"}, parts); diff != "" {
		t.Error(diff)
	}
}

func TestEditsHonourTheLock(t *testing.T) {
	w := newWorld(t)
	_, id, _ := w.three()
	for _, path := range []string{"/api/documents/" + id, "/api/knowledge-bases/kb-a"} {
		body := `{"title":"New"}`
		if strings.Contains(path, "bases") {
			body = `{"name":"New"}`
		}
		tag := w.send("alice", "GET", path, "").Header().Get("ETag")
		rec := w.send("alice", "PATCH", path, body, "If-Match", tag)
		if rec.Code != http.StatusOK || rec.Header().Get("ETag") == tag {
			t.Fatalf("%s: %d, ETag %s after %s", path, rec.Code, rec.Header().Get("ETag"), tag)
		}
		for _, stale := range []string{tag, `"0"`, "W/" + rec.Header().Get("ETag"), "nonsense", `""`} {
			w.refusal("alice", "PATCH", path, body, http.StatusPreconditionFailed, "precondition_failed", "If-Match", stale)
			w.refusal("alice", "DELETE", path, "", http.StatusPreconditionFailed, "precondition_failed", "If-Match", stale)
			// The lock of what one cannot see is no news either.
			w.refusal("erin", "PATCH", path, body, http.StatusNotFound, "not_found", "If-Match", stale)
		}
		now := w.send("alice", "GET", path, "").Header().Get("ETag")
		if now != rec.Header().Get("ETag") {
			t.Errorf("%s: a refused edit moved the lock from %s to %s", path, rec.Header().Get("ETag"), now)
		}
		if rec := w.send("alice", "PATCH", path, body, "If-Match", "*"); rec.Code != http.StatusOK {
			t.Errorf("%s with *: %d", path, rec.Code)
		}
	}
}

func TestDeletedDocumentIsGoneEverywhere(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	id := w.add("kb-a", "a.txt|alpha words", "status", "published").DocumentID
	if rec := w.send("alice", "DELETE", "/api/documents/"+id, ""); rec.Code != http.StatusNoContent || rec.Body.Len() != 0 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	for _, path := range []string{"", "/versions", "/chunks", "/original", "/preview"} {
		w.refusal("alice", "GET", "/api/documents/"+id+path, "", http.StatusNotFound, "not_found")
	}
	if r := expect[api.SearchResult](w, "alice", "POST", "/api/search", `{"query":"alpha"}`, http.StatusOK); len(r.Items) != 0 {
		t.Errorf("found %+v", r.Items)
	}
}

func TestGrantsAreTheManagersAndTakeEffectAtOnce(t *testing.T) {
	w := newWorld(t)
	_, id, _ := w.three()
	w.refusal("bob", "GET", "/api/knowledge-bases/kb-a/grants", "", http.StatusNotFound, "not_found")
	w.refusal("dave", "GET", "/api/knowledge-bases/kb-a/grants", "", http.StatusNotFound, "not_found")
	if g := expect[api.Grants](w, "alice", "GET", "/api/knowledge-bases/kb-a/grants", "", http.StatusOK); len(g.Grants) != 4 {
		t.Errorf("grants %+v", g)
	}
	for who, want := range map[access.UserID]int{"alice": 4, "dave": 0, "bob": 0} {
		b, err := w.server.deps.Desk.Base(t.Context(), access.Actor{Tenant: acme, User: who}, "kb-a")
		if err != nil || len(b.Grants) != want {
			t.Errorf("the desk tells %s of %d grants: %v", who, len(b.Grants), err)
		}
	}
	for body, pointer := range map[string]string{
		`{"grants":[]}`: "/grants",
		`{"grants":[{"principal":"user:bob","role":"reader"}]}`:                                             "/grants",
		`{"grants":[{"principal":"bob","role":"manager"}]}`:                                                 "/grants/0/principal",
		`{"grants":[{"principal":"user:alice","role":"owner"}]}`:                                            "/grants/0/role",
		`{"grants":[{"principal":"everyone","role":"manager"},{"principal":"everyone","role":"reader"}]}`:   "/grants",
		`{"grants":[{"principal":"user:alice","role":"manager","level":3}]}`:                                "/grants/0/level",
		`{"grants":[{"principal":"user:alice","role":"manager"},{"principal":"user:a:b","role":"reader"}]}`: "/grants/1/principal",
	} {
		p := w.refusal("alice", "PUT", "/api/knowledge-bases/kb-a/grants", body, http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) == 0 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v, want %s", body, p.Errors, pointer)
		}
	}
	w.grant("kb-a", "user:alice", "manager")
	w.refusal("bob", "GET", "/api/documents/"+id, "", http.StatusNotFound, "not_found")
	w.grant("kb-a", "user:alice", "manager", "everyone", "reader")
	if rec := w.send("bob", "GET", "/api/documents/"+id, ""); rec.Code != http.StatusOK {
		t.Errorf("granted again: %d", rec.Code)
	}
}

func TestTakenIDOfAnInvisibleBaseIsNoNews(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.refusal("alice", "POST", "/api/knowledge-bases", `{"id":"kb-a","name":"x"}`, http.StatusConflict, "exists")
	for _, who := range []string{"bob", "erin"} {
		expect[api.KnowledgeBase](w, who, "POST", "/api/knowledge-bases", `{"id":"kb-a","name":"x"}`, http.StatusCreated)
	}
}

func TestBasesComeInPages(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"kb-c", "kb-a", "kb-b"} {
		w.kb(id)
	}
	var got []string
	path := "/api/knowledge-bases?limit=2"
	for {
		l := expect[api.List[api.KnowledgeBase]](w, "alice", "GET", path, "", http.StatusOK)
		for _, b := range l.Items {
			got = append(got, b.ID)
		}
		if l.NextCursor == nil {
			break
		}
		path = "/api/knowledge-bases?limit=2&cursor=" + *l.NextCursor
	}
	if diff := cmp.Diff([]string{"kb-a", "kb-b", "kb-c"}, got); diff != "" {
		t.Error(diff)
	}
	if l := expect[api.List[api.KnowledgeBase]](w, "alice", "GET", "/api/knowledge-bases?limit=100000", "", http.StatusOK); len(l.Items) != 3 {
		t.Errorf("a limit above the maximum gave %d", len(l.Items))
	}
}

func TestSearchPagesAndClamps(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.add("kb-a", "a.txt|word 1\n\nword 2\n\nword 3", "status", "published")
	first := expect[api.SearchResult](w, "alice", "POST", "/api/search", `{"query":"word","limit":2}`, http.StatusOK)
	if len(first.Items) != 2 || first.NextCursor == nil {
		t.Fatalf("%+v", first)
	}
	second := expect[api.SearchResult](w, "alice", "POST", "/api/search", `{"query":"word","limit":2,"cursor":"`+*first.NextCursor+`"}`, http.StatusOK)
	if len(second.Items) != 1 || second.NextCursor != nil {
		t.Fatalf("%+v", second)
	}
	w.refusal("alice", "POST", "/api/search", `{"query":"other","cursor":"`+*first.NextCursor+`"}`, http.StatusUnprocessableEntity, "invalid_cursor")
	if all := expect[api.SearchResult](w, "alice", "POST", "/api/search", `{"query":"word","limit":9000}`, http.StatusOK); len(all.Items) != 3 {
		t.Errorf("%+v", all)
	}
	if none := expect[api.SearchResult](w, "alice", "POST", "/api/search", `{"query":"word","knowledge_base_ids":[]}`, http.StatusOK); len(none.Items) != 0 {
		t.Errorf("an empty list of knowledge bases found %+v", none.Items)
	}
}

func TestLedgerShowsOnesOwnAndTheAuditorAll(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.add("kb-a", "a.txt|alpha", "status", "published")
	a := w.ask("alice", "alpha")
	actors := func(who, query string) map[string]int {
		out := map[string]int{}
		for path := "/api/ledger?limit=3" + query; ; {
			l := expect[api.List[api.Entry]](w, who, "GET", path, "", http.StatusOK)
			for _, e := range l.Items {
				if e.TenantID != string(acme) || e.Hash == "" || (e.Previous != "") != (who == "dave") || (e.Sequence != 0) != (who == "dave") {
					t.Errorf("entry %+v", e)
				}
				out[e.Actor]++
			}
			if l.NextCursor == nil {
				return out
			}
			path = "/api/ledger?limit=3" + query + "&cursor=" + *l.NextCursor
		}
	}
	head, err := w.db.Ledger().Head(t.Context(), string(acme))
	must(t, err)
	total := 0
	for _, n := range actors("dave", "") {
		total += n
	}
	if int64(total) != head.Sequence {
		t.Errorf("the auditor sees %d of %d entries", total, head.Sequence)
	}
	if got := actors("alice", ""); len(got) != 1 || got["alice"] == 0 {
		t.Errorf("alice sees %v", got)
	}
	if body := w.send("alice", "GET", "/api/ledger?limit=1", "").Body.String(); strings.Contains(body, "sequence") || strings.Contains(body, "previous") {
		t.Errorf("alice is told the place of her entry: %s", body)
	}
	if got := actors("alice", "&actor=bob"); len(got) != 0 {
		t.Errorf("alice sees of Bob %v", got)
	}
	if got := actors("dave", "&run_id="+a.RunID); got["alice"] != 1 || len(got) != 1 {
		t.Errorf("entries of the run: %v", got)
	}
	if got := actors("dave", "&to=2000-01-01"); len(got) != 0 {
		t.Errorf("entries before the beginning: %v", got)
	}
}

func TestMeSaysWhoIsAsking(t *testing.T) {
	w := newWorld(t)
	must(t, w.db.Admin().PutGroup(t.Context(), acme, "operator", "rd", []access.Principal{access.User("bob")}))
	me := expect[api.Me](w, "bob", "GET", "/api/me", "", http.StatusOK, "X-User-Id", "alice", "X-Tenant-Id", "globex", "X-Role", "tenant_admin")
	want := api.Me{UserID: "bob", TenantID: "acme", DisplayName: "BOB", Roles: []string{"member"}, Groups: []string{"rd"}}
	if diff := cmp.Diff(want, me); diff != "" {
		t.Error(diff)
	}
}
