package leaktest

import (
	"strings"
	"time"

	"pgregory.net/rapid"
)

// export has somebody ask for the full text of a version, or of all of them, and lets it be approved
// or declined. Before it is approved nothing of the version is told; afterwards what may be read is.
func (w *world) export(t *rapid.T) {
	list, who := w.living("published"), user(t, "who")
	if len(list) == 0 || w.away[who] {
		return
	}
	v, name := pick(t, "version", list), pick(t, "tool", []string{"export_document", "export_document", "export_history"})
	number := between(w.p.do(w.tokens[managerOf[v.tenant]], get("/api/documents/"+v.id)).body, `"version":`, ",")
	wish := func(id string) request {
		return send("POST", "/api/tools/"+name+"/proposals", map[string]any{"object_id": id, "version": number})
	}
	if !w.may(who, v, Find) {
		w.same(who, "task export", wish(v.id), wish("doc_unknown"))
		return
	}
	if name == "export_history" && !w.may(who, v, Past) {
		w.same(who, "task export", wish(v.id), wish("doc_unknown"))
		return
	}
	r := w.look(who, Find, "export card", wish(v.id))
	if r.status != 201 {
		w.fail("export %s as %s: %d %s", v.id, who, r.status, r.body)
	}
	id := between(r.body, `"approval_id":"`, `"`)
	card := w.look(who, Find, "export card", get("/api/approvals/"+id)).body + r.body
	for _, word := range []string{v.canary.Token, v.canary.Fact, v.canary.Name, v.canary.Title} {
		if strings.Contains(card, word) {
			w.fail("the card of an export tells %q: %s", word, card)
		}
	}
	approved := rapid.IntRange(0, 3).Draw(t, "approved") > 0
	w.expect(200, who, send("POST", "/api/approvals/"+id+"/decisions", map[string]any{"approved": approved}))
	task := "task_" + strings.TrimPrefix(id, "prop_")
	if !approved {
		w.same(who, "task export", get("/api/tasks/"+task), get("/api/tasks/task_unknown"))
		return
	}
	w.exports = append(w.exports, asked{id: task, by: who})
	w.fetch(who, task)
}

// fetch fetches an export as somebody who may, and judges what comes.
func (w *world) fetch(who, task string) {
	w.look(who, Cite, "task", get("/api/tasks/"+task))
	w.look(who, Open, "task export", get("/api/tasks/"+task+"/result"))
}

// exported fetches an earlier export again, under the rights of now, as its proposer or as another.
func (w *world) exported(t *rapid.T) {
	if len(w.exports) == 0 {
		return
	}
	e, who := pick(t, "export", w.exports), user(t, "who")
	switch {
	case w.away[who]:
	case who == e.by:
		w.fetch(who, e.id)
	default:
		w.same(who, "task export", get("/api/tasks/"+e.id+"/result"), get("/api/tasks/task_unknown/result"))
		w.same(who, "task", get("/api/tasks/"+e.id), get("/api/tasks/task_unknown"))
		w.look(who, Cite, "proposal", get("/api/approvals"))
	}
	if rapid.IntRange(0, 5).Draw(t, "late") == 0 && !w.away[e.by] {
		w.p.clock.step(16 * time.Minute)
		if r := w.look(e.by, Find, "task export", get("/api/tasks/"+e.id+"/result")); r.status == 200 {
			w.fail("an export of %s is given out after its time", e.by)
		}
		w.exports = nil
	}
}
