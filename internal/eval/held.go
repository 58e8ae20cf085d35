package eval

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/run"
)

// heldIn are the groups in which what a case expects is held against what came of it. A key that is
// not here is looked at in all of them.
var heldIn = map[string][]Group{
	"documents": {Retrieval, Citation}, "doc_keys": {Retrieval, Citation}, "versions": {Retrieval, Citation},
	"rank": {Retrieval}, "recall": {Retrieval}, "no_hits": {Retrieval}, "codes": {Retrieval},
	"contains": {Citation}, "lacks": {Citation}, "answer": {Citation}, "citations": {Citation}, "support": {Citation},
	"expect": {Citation, Tools}, "state": {Citation, Tools}, "finish_reason": {Citation, Tools},
}

// ofAnswers are the keys that citation looks at in an answer that was read from documents, and
// nowhere else.
var ofAnswers = []string{"documents", "doc_keys", "versions", "citations", "support"}

// given are the keys that a case has itself. What it has of the defaults may go unused.
type given struct{ own, before []string }

func keysOf(n node) (out []string) {
	for _, f := range n.fields {
		out = append(out, f.key)
	}
	return out
}

func givenIn(n node) (g given) {
	g.own = keysOf(n)
	for _, f := range n.fields {
		if f.key != "update" {
			continue
		}
		for _, in := range f.value.fields {
			if in.key == "before" {
				g.before = keysOf(in.value)
			}
		}
	}
	return g
}

// scripted reports whether the case is one of calls or of a proposal, and not of an answer.
func (c Case) scripted() bool { return len(c.Calls) > 0 || c.Propose != nil }

// unheld returns the keys of a case that nobody would look at, each with why. A case must not pass
// for what it does not test.
func (c Case) unheld(g given) (out [][2]string) {
	if len(c.Groups) == 0 {
		c.Groups = c.natural()
	}
	for _, key := range g.own {
		if why := c.idle(key, c.Wants, Groups()); why != "" {
			out = append(out, [2]string{key, why})
		}
	}
	for _, key := range g.before {
		// Nothing is searched for before an update.
		if why := c.idle(key, c.Update.Before, []Group{Citation, Tools}); why != "" {
			out = append(out, [2]string{"update.before." + key, why})
		}
	}
	if p := c.Propose; p != nil && p.Code != "" {
		for _, key := range []string{"question", "expect", "state", "finish_reason", "forbid"} {
			if slices.Contains(g.own, key) {
				out = append(out, [2]string{key, "is not looked at where the proposal is to be refused"})
			}
		}
		if len(p.Others) > 0 || p.Decide == Approve {
			out = append(out, [2]string{"propose.code", "goes with neither others nor approve: a proposal that is refused is not decided"})
		}
	}
	return out
}

// idle says why a key is not looked at, of the groups that there are where it stands; "" if it is.
func (c Case) idle(key string, w Wants, there []Group) string {
	in, ok := heldIn[key]
	if !ok {
		return ""
	}
	if c.scripted() {
		there = []Group{Tools}
	}
	in = slices.DeleteFunc(slices.Clone(in), func(g Group) bool { return !slices.Contains(there, g) })
	names := make([]string, len(in))
	for i, g := range in {
		names[i] = string(g)
	}
	w.settle()
	switch among := func(g Group) bool { return c.In(g) }; {
	case len(in) == 0 && c.scripted():
		return "is not looked at in a case with calls or propose"
	case len(in) == 0:
		return "is not looked at before the update, when nothing is searched for"
	case !slices.ContainsFunc(in, among):
		return "is looked at in " + strings.Join(names, " and ") + " alone, where the case is not"
	case !slices.Contains(ofAnswers, key) || slices.Contains(in, Retrieval) && c.In(Retrieval):
		return ""
	case w.Outcome != Answered:
		return "is looked at in an answer alone, and the question is to end otherwise"
	case c.Route == string(run.Direct):
		return "is looked at in an answer that was read from documents, and the route is direct"
	}
	return ""
}
