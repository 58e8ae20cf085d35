package leaktest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"pgregory.net/rapid"
)

// write asks for a draft, waits for it, saves it, and says what it is worth.
func (w *world) write(t *rapid.T) {
	who, probe := user(t, "who"), "季度预算"
	if list := w.living(); len(list) > 0 {
		probe = pick(t, "about", list).canary.Probe
	}
	m, leak := w.p.model, ""
	m.parrot, m.read, m.turns, m.halt = rapid.Bool().Draw(t, "parrot"), "read_document", 0, 0
	m.seen = func(prompt []byte) {
		w.prompted()
		if l := w.leak(who, Find, "prompt", prompt); l != "" && leak == "" {
			leak = l
		}
	}
	r := w.look(who, Cite, "draft", send("POST", "/api/runs", map[string]any{"kind": "draft", "goal": fmt.Sprintf("写一份说明：%s 的批准预算是多少？", probe)}))
	id := between(r.body, `"run_id":"`, `"`)
	if id == "" {
		return
	}
	// The stream ends with the run.
	w.look(who, Cite, "replay", get("/api/runs/"+id+"/events", "Accept", "text/event-stream"))
	m.seen = nil
	if leak != "" {
		w.fail("%s", leak)
	}
	w.runs = append(w.runs, asked{id, who})
	w.look(who, Cite, "feedback", send("POST", "/api/feedback", map[string]any{"run_id": id, "verdict": "unclear", "note": w.own[who].Token}))
	save := send("POST", "/api/runs/"+id+"/draft", map[string]any{"base_version": 0})
	save.headers = append(save.headers, "Idempotency-Key", "first of "+id)
	saved := w.look(who, Cite, "draft", save)
	if again := w.look(who, Cite, "draft", save); again != saved && saved.status == 201 {
		w.fail("saving again with the key answers %+v and not %+v", again, saved)
	}
	if draft := between(saved.body, `"draft_id":"`, `"`); draft != "" {
		w.drafts = append(w.drafts, asked{draft, who})
	}
}

// lookAtDraft opens a draft of the past in every way and edits it, as its owner and as somebody else.
func (w *world) lookAtDraft(t *rapid.T) {
	if len(w.drafts) == 0 {
		return
	}
	d := pick(t, "draft", w.drafts)
	ways := []func(string) request{
		func(p string) request { return get(p) },
		func(p string) request { return get(p + "?version=1") },
		func(p string) request { return get(p + "/versions") },
		func(p string) request { return get(p + "/export?format=markdown") },
		func(p string) request {
			edit := send("PUT", p, map[string]any{"title": w.own[d.by].Token})
			edit.headers = append(edit.headers, "If-Match", "*")
			return edit
		},
	}
	path := "/api/drafts/" + d.id
	for _, way := range ways {
		w.look(d.by, Cite, "draft", way(path))
	}
	w.look(d.by, Cite, "draft", get("/api/drafts?limit=200"))
	w.look(d.by, Cite, "feedback", get("/api/feedback?limit=200"))
	w.word(d.by, path+"/export?format=docx")
	w.rewrite(t, d, path)
	if other := user(t, "other"); other != d.by {
		way := pick(t, "way", ways)
		w.same(other, "draft", way(path), way("/api/drafts/draft_unknown"))
		w.same(other, "draft", get(path+"/export?format=docx"), get("/api/drafts/draft_unknown/export?format=docx"))
		w.look(other, Cite, "draft", get("/api/drafts?limit=200"))
	}
}

// rewrite saves what the owner sees with a sentence of the owner's own. Where a part is withheld,
// the product refuses, until it is told to leave that part out.
func (w *world) rewrite(t *rapid.T, d asked, path string) {
	r := w.look(d.by, Cite, "draft", get(path))
	var seen struct {
		Body    string `json:"body"`
		Reduced bool   `json:"reduced"`
	}
	if r.status != 200 || json.Unmarshal([]byte(r.body), &seen) != nil {
		return
	}
	discard := seen.Reduced && rapid.Bool().Draw(t, "discard")
	edit := send("PUT", path, map[string]any{"title": w.own[d.by].Token, "body": seen.Body + "\n" + w.own[d.by].Token + "。", "discard_withheld": discard})
	edit.headers = append(edit.headers, "If-Match", "*")
	switch r := w.look(d.by, Cite, "draft", edit); {
	case r.status != 200 && !seen.Reduced:
		w.fail("an edit of a whole draft: %d %s", r.status, r.body)
	case r.status == 200 && seen.Reduced && !discard:
		w.fail("an edit replaced what its maker does not see, and was not told to: %s", r.body)
	}
}

// word judges all parts of a Word document.
func (w *world) word(who, path string) {
	r := w.p.do(w.tokens[who], get(path))
	w.stats.responses++
	if r.status != 200 {
		w.judge(who, Cite, "word", []byte(r.body))
		return
	}
	z, err := zip.NewReader(bytes.NewReader([]byte(r.body)), int64(len(r.body)))
	w.must(err)
	var all bytes.Buffer
	for _, f := range z.File {
		part, err := f.Open()
		w.must(err)
		_, err = io.Copy(&all, part)
		w.must(err)
	}
	w.judge(who, Cite, "word", all.Bytes())
}
