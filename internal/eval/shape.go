package eval

import (
	"maps"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/run"
)

// placing are the keys that say who asks, and where; they may have defaults for a whole file.
func (r *reader) placing(c *Case) map[string]func(field) {
	var group []string
	return map[string]func(field){
		"as":              typed(r, &c.As),
		"tenant":          typed(r, &c.Tenant),
		"knowledge_bases": texts(r, &c.Bases),
		"doc_key":         r.text(&c.DocKey),
		"route":           r.word(&c.Route, routes()...),
		"support":         r.partly(&c.Wants.Support),
		"groups": func(f field) {
			texts(r, &group)(f)
			c.Groups = nil
			for _, g := range group {
				if !slices.Contains(Groups(), Group(g)) || slices.Contains(c.Groups, Group(g)) {
					r.fault(f.line, f.key, "%q must be retrieval, citation, tools or traceability, each once", g)
					continue
				}
				c.Groups = append(c.Groups, Group(g))
			}
		},
	}
}

func routes() []string {
	return []string{
		string(run.Direct), string(run.Refuse), string(run.FixedRAG), string(run.Summary), string(run.AgenticRAG), string(run.VersionTool),
	}
}

// newCase reads one case over the defaults.
func (r *reader) newCase(n node) Case {
	c := r.defaults
	c.Groups, c.Bases = slices.Clone(c.Groups), slices.Clone(c.Bases)
	c.Line = n.line
	keys := r.placing(&c)
	maps.Copy(keys, r.expectations(&c.Wants))
	maps.Copy(keys, map[string]func(field){
		"id":       r.text(&c.ID),
		"language": r.word(&c.Language, "zh", "en"),
		"question": r.text(&c.Question),
		"forbid": func(f field) {
			inner := r.wanted(&c.Forbid.Targets)
			inner["strings"] = texts(r, &c.Forbid.Strings)
			r.object(f.value, f.key, inner)
		},
		"calls": func(f field) {
			for _, item := range r.items(f.value, f.key) {
				c.Calls = append(c.Calls, r.call(item))
			}
		},
		"reply": r.text(&c.Reply),
		"propose": func(f field) {
			c.Propose = &Proposal{Decide: Decline}
			r.object(f.value, f.key, map[string]func(field){
				"document": typed(r, &c.Propose.Document), "code": r.text(&c.Propose.Code), "others": texts(r, &c.Propose.Others),
				"decide": r.word(&c.Propose.Decide, Decline, Approve),
			})
		},
		"update": func(f field) {
			c.Update = &Update{}
			r.object(f.value, f.key, map[string]func(field){
				"publish": typed(r, &c.Update.Publish), "text": r.text(&c.Update.Text), "file": r.text(&c.Update.File), "doc_key": typed(r, &c.Update.Key),
				"knowledge_base": typed(r, &c.Update.Base), "by": typed(r, &c.Update.By),
				"before": func(f field) { r.object(f.value, f.key, r.expectations(&c.Update.Before)) },
			})
		},
	})
	r.object(n, "", keys)
	r.given = append(r.given, givenIn(n))
	return c
}

// expectations are the keys that say what a right outcome looks like.
func (r *reader) expectations(w *Wants) map[string]func(field) {
	keys := r.wanted(&w.Targets)
	maps.Copy(keys, map[string]func(field){
		"expect": func(f field) {
			var s string
			r.word(&s, string(Answered), string(Insufficient), string(Refused), string(Failed))(f)
			w.Outcome = Outcome(s)
		},
		"state": r.text(&w.State), "finish_reason": r.text(&w.FinishReason),
		"rank": r.count(&w.Rank, 1, 50), "recall": r.share(&w.Recall), "no_hits": r.truth(&w.NoHits),
		"codes": texts(r, &w.Codes), "contains": texts(r, &w.Contains), "lacks": texts(r, &w.Lacks), "answer": texts(r, &w.Answer),
		"support": r.partly(&w.Support),
		"citations": func(f field) {
			for _, item := range r.items(f.value, f.key) {
				w.Citations = append(w.Citations, r.place(item))
			}
		},
	})
	return keys
}

func (r *reader) place(n node) Place {
	var p Place
	r.object(n, "citations", map[string]func(field){
		"document": typed(r, &p.Target.Document), "doc_key": typed(r, &p.Target.Key), "version": r.count(&p.Target.Version, 1, 1<<30),
		"heading": r.text(&p.Heading), "line": r.count(&p.Line, 1, 1<<30), "quote": r.text(&p.Quote),
	})
	if p == (Place{}) {
		r.fault(n.line, "citations", "names nothing that a citation could miss")
	}
	return p
}

// call reads a tool call. Arguments are a mapping, or the text that a model would write.
func (r *reader) call(n node) Call {
	c := Call{Arguments: "{}", Code: "ok"}
	r.object(n, "calls", map[string]func(field){
		"tool": r.text(&c.Tool), "code": r.text(&c.Code), "stripped": r.count(&c.Stripped, 0, 1000),
		"arguments": func(f field) {
			if f.value.kind == scalar {
				c.Arguments = f.value.text
				return
			}
			var out strings.Builder
			f.value.json(&out)
			c.Arguments = out.String()
		},
	})
	if c.Tool == "" {
		r.fault(n.line, "calls.tool", "is missing")
	}
	return c
}

// review looks for cases that cannot be run, that nothing could make fail, or that expect what nobody
// would look at.
func (r *reader) review() {
	seen := map[string]int{}
	if len(r.suite.Cases) == 0 && len(r.faults) == 0 {
		r.fault(1, "cases", "there is no case")
	}
	for i, c := range r.suite.Cases {
		if first, ok := seen[c.ID]; ok && c.ID != "" {
			r.fault(c.Line, "id", "%q is the id of the case in line %d too", c.ID, first)
		}
		seen[c.ID] = c.Line
		for _, f := range append(c.wrong(), c.unheld(r.given[i])...) {
			r.fault(c.Line, f[0], "%s", f[1])
		}
	}
}

// wrong returns keys with what is wrong about them.
func (c Case) wrong() (out [][2]string) {
	bad := func(when bool, key, what string) {
		if when {
			out = append(out, [2]string{key, what})
		}
	}
	w := c.Wants
	bad(c.ID == "", "id", "is missing")
	bad(c.Question == "" && c.Propose == nil, "question", "is missing")
	bad(len(c.Calls) > 0 && (c.Propose != nil || c.Update != nil), "calls", "goes with neither propose nor update")
	bad(c.Propose != nil && c.Update != nil, "propose", "does not go with update")
	bad(c.Propose != nil && c.Propose.Document == "", "propose.document", "is missing")
	bad(c.Reply != "" && len(c.Calls) == 0, "reply", "is what a scripted model says after its calls, and there are none")
	bad(c.scripted() && (c.In(Retrieval) || c.In(Citation)), "groups", "a case with calls or propose belongs to tools and traceability")
	bad(c.scripted() && len(c.Groups) > 0 && !c.In(Tools), "groups", "what comes of calls and proposals is looked at in tools alone")
	bad(c.In(Tools) && !c.scripted() && w.Outcome == "" && w.State == "" && w.FinishReason == "", "groups", "a case of tools needs calls, propose, expect, state or finish_reason")
	finds := len(w.Targets)+len(w.Codes)+len(c.Forbid.Targets)+len(c.Forbid.Strings) > 0 || w.NoHits
	bad(c.In(Retrieval) && !finds, "groups", "a case of retrieval needs documents, doc_keys, versions, codes, no_hits or forbid")
	bad(w.NoHits && len(w.Targets)+len(w.Codes) > 0, "no_hits", "does not go with documents or codes")
	bad(w.Recall > 0 && len(w.Targets) == 0, "recall", "needs documents, doc_keys or versions")
	bad(w.Rank > 0 && len(w.Targets) == 0, "rank", "needs documents, doc_keys or versions")
	if u := c.Update; u != nil {
		bad((u.Publish == "") == (u.Text == ""), "update", "needs publish or text, and not both")
		bad(u.Text != "" && u.Key == "", "update.doc_key", "is missing")
		bad(u.By == "", "update.by", "is missing: who publishes")
	}
	return out
}
