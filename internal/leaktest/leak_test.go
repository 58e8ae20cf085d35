package leaktest

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var (
	sequences = flag.Int("leaktest.sequences", usual, "random sequences of the leak test")
	shrink    = flag.Duration("leaktest.shrink", 20*time.Second, "how long a violation is made shorter")
	length    = flag.Int("leaktest.operations", 45, "operations in a sequence, at most twice as many")
)

// fixedSeed is where the sequences begin, so that a run can be repeated.
const fixedSeed = "20261129"

// TestNothingReachesWhomTheRulesKeepItFrom drives the whole product at random and judges every
// byte that leaves it.
func TestNothingReachesWhomTheRulesKeepItFrom(t *testing.T) {
	if f := flag.Lookup("rapid.seed"); f.Value.String() == "0" {
		setFlag(t, "rapid.seed", fixedSeed)
	}
	setFlag(t, "rapid.checks", fmt.Sprint(*sequences))
	setFlag(t, "rapid.shrinktime", shrink.String())
	setFlag(t, "rapid.nofailfile", "true")
	s := &stats{seen: map[string]int{}}
	choices := bag()
	begun := time.Now()
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "world")
		if err != nil {
			r.Fatalf("%v", err)
		}
		defer os.RemoveAll(dir)
		w := begin(r, dir, "seed", s)
		defer func() { w.p.close(r) }()
		w.stock(r)
		n := rapid.IntRange(*length/2, *length*2).Draw(r, "operations")
		for range n {
			o := rapid.SampledFrom(choices).Draw(r, "operation")
			w.trail = append(w.trail, o.name)
			o.do(w, r)
			s.operations++
		}
		w.atTheEnd(r)
		s.sequences++
		s.bytes += w.scan.Bytes()
	})
	if t.Failed() {
		return
	}
	for _, channel := range []string{"find", "chat", "chunks", "draft", "task export", "word", "by synonym"} {
		some := 0
		for _, p := range people {
			n := s.seen[p.id+" "+channel]
			some += n
			// Few sequences need not lead everybody to everything.
			if n == 0 && (*sequences >= 200 || *sequences >= 40 && (channel == "find" || channel == "chat")) {
				t.Errorf("%s never saw anything in %s: the channel or the scanner is broken", p.id, channel)
			}
		}
		if some == 0 && *sequences >= 40 {
			t.Errorf("nobody ever saw anything in %s: the channel or the scanner is broken", channel)
		}
	}
	t.Logf("leaktest: %d sequences, %d operations, %d responses, %d prompts, %d bytes scanned, %d twin searches equal, 0 violations (%.1f s)",
		s.sequences, s.operations, s.responses, s.prompts, s.bytes, s.equal, time.Since(begun).Seconds())
	fmt.Printf("leaktest: %d sequences, %d operations, %d bytes scanned, 0 violations\n", s.sequences, s.operations, s.bytes)
}

// stock fills the world with something to see, so that short sequences see it too.
func (w *world) stock(t *rapid.T) {
	for _, tenant := range []string{"acme", "globex"} {
		for i, kb := range basesOf[tenant] {
			w.grant(kb, tenant, map[string]int{"everyone": 1, "user:ben": i%2 + 1})
			if i < 2 {
				v := &version{tenant: tenant, base: kb, no: 1, open: true, key: kb + "-paper-1", id: "doc-" + kb + "-paper-1-v1"}
				v.canary = Mint(w.seed, v.id)
				w.upload(v, true, true)
			}
		}
	}
}

// atTheEnd looks at everything once more: each version as each person, and a twin of the world.
func (w *world) atTheEnd(t *rapid.T) {
	w.trail = append(w.trail, "the end")
	for _, who := range w.names() {
		for _, v := range w.all {
			if v.status == "published" {
				w.finds(who, v)
			}
		}
	}
	for range min(4, len(w.all)) {
		w.opens(user(t, "who"), pick(t, "version", w.all))
	}
	for _, d := range w.drafts {
		w.look(d.by, Cite, "draft", get("/api/drafts/"+d.id))
		w.look(d.by, Cite, "draft", get("/api/drafts/"+d.id+"/export?version=1"))
		w.word(d.by, "/api/drafts/"+d.id+"/export?format=docx")
	}
	for _, r := range w.runs {
		w.look(r.by, Cite, "run", get("/api/runs/"+r.id))
		w.look(r.by, Cite, "replay", get("/api/runs/"+r.id+"/events", "Accept", "text/event-stream"))
	}
	var active []string
	for _, p := range people {
		if !w.away[p.id] {
			active = append(active, p.id)
		}
	}
	w.twin(t, pick(t, "twin of", active))
}

// twin builds the world again without what is hidden from somebody, and demands that the person
// observes the same in both.
func (w *world) twin(t *rapid.T, who string) {
	dir, err := os.MkdirTemp(w.p.dir, "twin")
	w.must(err)
	o := begin(w.t, dir, w.seed, w.stats)
	o.trail = append(slices.Clone(w.trail), "twin of "+who)
	defer o.p.close(w.t)
	o.history = nil
	for i := range w.history {
		switch c := w.history[i]; c.Do {
		case "group":
			o.p.do(o.tokens[headOf[c.In]], send("PUT", "/api/groups/"+c.Of+"/members", map[string]any{"members": c.Names}))
			o.note(c)
		case "user", "suspend", "restore":
			o.note(c)
		}
	}
	for tenant, lines := range w.synonym {
		o.setSynonyms(tenant, lines)
	}
	for kb, levels := range w.levels {
		o.grant(kb, w.tenantOfBase(kb), levels)
	}
	for _, v := range w.all {
		if v.status == "published" && w.may(who, v, Find) {
			c := *v
			o.upload(&c, true, true)
		}
	}
	for kb, levels := range w.levels {
		if w.readsBase(who, kb) && !w.edits(who, kb) {
			if a, b := w.listed(who, kb), o.listed(who, kb); !slices.Equal(a, b) {
				w.fail("%s lists of %s (%v) with what is hidden:\n%v\nand without it:\n%v", who, kb, levels, a, b)
			}
			w.stats.equal++
		}
	}
	for _, q := range append(slices.Clone(questions), "批准预算为", "the code name 季度预算", "QBX", "ZZK 预算") {
		for _, limit := range []int{2, 50} {
			body := send("POST", "/api/search", map[string]any{"query": q, "limit": limit})
			a, b := w.hits(who, body), o.hits(who, body)
			w.stats.equal++
			if !reflect.DeepEqual(a, b) {
				w.fail("%s sees of %q with what is hidden:\n%+v\nand without it:\n%+v", who, q, a, b)
			}
		}
	}
}

// edits says whether a user is an editor of a base, who sees its drafts.
func (w *world) edits(who, kb string) bool {
	h := append(w.history[:len(w.history):len(w.history)], Change{Do: "version", Of: "probe", In: kb, Status: "draft", Open: true})
	return h.May(who, "probe", Open, len(h))
}

// listed returns the documents of a base that somebody sees, page by page, with the pages' ends.
func (w *world) listed(who, kb string) []string {
	var out []string
	path := "/api/knowledge-bases/" + kb + "/documents?limit=3"
	for next := ""; ; {
		r := w.look(who, Open, "list", get(path+next))
		var page struct {
			Items []struct {
				ID, Title string
			}
			Next *string `json:"next_cursor"`
		}
		w.must(json.Unmarshal([]byte(r.body), &page))
		for _, d := range page.Items {
			out = append(out, d.ID+" "+d.Title)
		}
		if page.Next == nil {
			slices.Sort(out)
			return append(out, fmt.Sprint(len(page.Items)))
		}
		next = "&cursor=" + url.QueryEscape(*page.Next)
	}
}

func (w *world) tenantOfBase(kb string) string {
	if slices.Contains(basesOf["acme"], kb) {
		return "acme"
	}
	return "globex"
}

// hits makes a search and returns what of it must not depend on what is hidden. The cursor names
// a place, so only whether there is one counts.
func (w *world) hits(who string, q request) hits {
	r := w.look(who, Find, "search", q)
	var out hits
	w.must(json.Unmarshal([]byte(r.body), &out))
	if out.Next != nil {
		more := "more"
		out.Next = &more
	}
	return out
}

func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, old) })
}
