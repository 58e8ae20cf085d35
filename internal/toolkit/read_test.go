package toolkit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
	"pgregory.net/rapid"
)

// handbook is a long text: numbered sentences in sections of twenty lines.
func handbook(sections int) string {
	var b strings.Builder
	for s := 1; s <= sections; s++ {
		fmt.Fprintf(&b, "# 第%d章\n", s)
		for l := 1; l <= 20; l++ {
			fmt.Fprintf(&b, "第%d章第%d条：住宿费按实报销，上限为%d元。\n", s, l, s*100+l)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func read(t *testing.T, w *world, s tool.Session, args string) (corpus.Passage, error) {
	t.Helper()
	r, err := call(t, toolkit.NewRead(w, w, w), s, args)
	if err != nil {
		return corpus.Passage{}, err
	}
	if len(r.Passages) != 1 {
		t.Fatalf("%d passages", len(r.Passages))
	}
	return r.Passages[0], nil
}

// after is the session when a passage was read, as the run would keep it.
func after(s tool.Session, p corpus.Passage) tool.Session {
	s.Windows = append(s.Windows[:len(s.Windows):len(s.Windows)], tool.Window{Document: p.Document, Version: p.Version, Span: p.Span, Units: tool.Units(p.Text)})
	return s
}

func TestAShortDocumentIsReadWhole(t *testing.T) {
	w := newWorld()
	w.add("travel", travel)
	r, err := call(t, toolkit.NewRead(w, w, w), session(w.hit("travel", 2)), `{"document_id": "travel"}`)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Passages[0]
	if p.Text != strings.TrimSpace(travel) || p.TruncatedBefore || p.TruncatedAfter {
		t.Errorf("passage %+v", p)
	}
	if diff := cmp.Diff([]corpus.ChunkID{"c-travel-1", "c-travel-2"}, p.Chunks); diff != "" || p.Chunk != "c-travel-2" {
		t.Errorf("chunk %s of (-want +got):\n%s", p.Chunk, diff)
	}
	want := map[string]any{
		"ok": true, "document_id": "travel", "doc_key": "key-travel", "knowledge_base_id": "kb", "knowledge_base": "Handbook", "title": "Title of travel", "version": 2.0,
		"heading_path":     []any{"交通"},
		"locator":          map[string]any{"kind": "md", "heading": []any{"住宿"}, "line": 1.0, "line_end": 5.0, "char": []any{0.0, 32.0}},
		"span":             map[string]any{"start": 0.0, "end": 32.0},
		"truncated_before": false, "truncated_after": false,
	}
	if diff := cmp.Diff(want, object(t, r)); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if strings.Contains(string(r.Content), "高铁") {
		t.Error("the content holds the text, which the run adds")
	}
}

func TestTheDefaultWindowShowsTheHitFromItsSectionsHeading(t *testing.T) {
	w := newWorld()
	w.add("book", handbook(9))
	p, err := read(t, w, session(w.hit("book", 5)), `{"document_id": "book"}`)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.Text, "# 第5章\n") || w.texts["book"].Text[strings.Index(w.texts["book"].Text, p.Text)+len(p.Text)] != '\n' || p.Chunk != "c-book-5" {
		t.Errorf("chunk %s, text %.30s … %s", p.Chunk, p.Text, p.Text[len(p.Text)-20:])
	}
	if n := tool.Units(p.Text); n > 2000 || n < 1900 {
		t.Errorf("%d units, want nearly 2000", n)
	}
	if !p.TruncatedBefore || !p.TruncatedAfter {
		t.Error("a window in the middle is truncated at both ends")
	}
}

func TestAHitDeepInALongSectionIsInsideTheWindow(t *testing.T) {
	w := newWorld()
	var b strings.Builder
	b.WriteString("# 总则\n")
	for i := range 300 {
		fmt.Fprintf(&b, "第%d条规定如下，各部门应当遵照执行。\n\n", i)
	}
	w.add("long", b.String())
	deep := w.chunks["long"][200]
	h := w.hit("long", 1)
	h.Chunk, h.Span = deep.ID, deep.Span
	p, err := read(t, w, session(h), `{"document_id": "long"}`)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Span.Contains(deep.Span) || !strings.HasPrefix(p.Text, "第") || !strings.HasSuffix(p.Text, "。") {
		t.Errorf("span %v of hit %v: %.20s", p.Span, deep.Span, p.Text)
	}
	if before := deep.Span.Start - p.Span.Start; before < 200 {
		t.Errorf("only %d characters before the hit", before)
	}
}

func TestAnIDThatWasNoHitIsOutOfScope(t *testing.T) {
	w := newWorld()
	w.add("travel", travel)
	w.add("secret", travel)
	var all []error
	for _, id := range []string{"secret", "no-such-id", "c-travel-1"} {
		_, err := read(t, w, session(w.hit("travel", 1)), `{"document_id": "`+id+`"}`)
		all = append(all, err)
	}
	for _, err := range all {
		if code(err) != tool.OutOfScope || err.Error() != all[0].Error() {
			t.Errorf("err = %v", err)
		}
	}
	if w.loads != 0 {
		t.Error("a document out of scope was loaded")
	}
}

func TestAHitThatIsGoneIsNotFoundWithoutDetail(t *testing.T) {
	change := map[string]func(w *world, s *tool.Session){
		"grant revoked": func(w *world, _ *tool.Session) { w.grants = nil },
		"denied": func(w *world, _ *tool.Session) {
			d := w.docs["travel"]
			d.Policy.Deny = []access.Principal{access.User("alice")}
			w.docs["travel"] = d
		},
		"archived": func(w *world, _ *tool.Session) {
			d := w.docs["travel"]
			d.Status = access.StatusArchived
			w.docs["travel"] = d
		},
		"deleted":          func(w *world, _ *tool.Session) { delete(w.docs, "travel") },
		"out of the range": func(w *world, s *tool.Session) { s.Request.UpdatedTo = w.docs["travel"].UpdatedAt },
		"another version": func(w *world, _ *tool.Session) {
			d := w.docs["travel"]
			d.Version++
			w.docs["travel"] = d
		},
		"suspended": func(w *world, _ *tool.Session) { w.suspended = true },
	}
	var details []string
	for name, do := range change {
		w := newWorld()
		w.add("travel", travel)
		s := session(w.hit("travel", 1))
		do(w, &s)
		_, err := read(t, w, s, `{"document_id": "travel"}`)
		if code(err) != tool.NotFound || w.loads != 0 {
			t.Errorf("%s: %v, %d loads of text", name, err, w.loads)
			continue
		}
		details = append(details, err.Error())
	}
	for _, d := range details {
		if d != details[0] {
			t.Errorf("details differ: %q and %q", d, details[0])
		}
	}
}

func TestAStoreThatFailsIsAFailedDependency(t *testing.T) {
	w := newWorld()
	w.add("travel", travel)
	w.fail = problem.New(problem.Unavailable, "down", "down")
	if _, err := read(t, w, session(w.hit("travel", 1)), `{"document_id": "travel"}`); err == nil || code(err) != "" {
		t.Errorf("err = %v", err)
	}
}

func TestReadingAgainIsNoProgress(t *testing.T) {
	w := newWorld()
	w.add("travel", travel)
	s := session(w.hit("travel", 1))
	p, err := read(t, w, s, `{"document_id": "travel"}`)
	if err != nil {
		t.Fatal(err)
	}
	s = after(s, p)
	for _, again := range []string{`{"document_id": "travel"}`, `{"document_id": "travel", "around": "高铁"}`, `{"document_id": "travel", "offset": 3}`} {
		if _, err := read(t, w, s, again); code(err) != tool.NoProgress {
			t.Errorf("%s: %v", again, err)
		}
	}
}

func TestHalfAWindowAlreadyReadIsTheSameWindow(t *testing.T) {
	w := newWorld()
	w.add("plain", strings.Repeat("一二三四五六七八九\n", 1000))
	s := session(w.hit("plain", 1))
	s.TextUnits, s.WindowUnits = 100000, 100
	s.Windows = []tool.Window{{Document: "plain", Version: 2, Span: corpus.Span{Start: 1000, End: 1040}}, {Document: "plain", Version: 2, Span: corpus.Span{Start: 1030, End: 1060}}}
	for offset, want := range map[int]tool.Code{1000: tool.NoProgress, 1010: tool.NoProgress, 1020: "", 930: ""} {
		if _, err := read(t, w, s, fmt.Sprintf(`{"document_id": "plain", "offset": %d}`, offset)); code(err) != want {
			t.Errorf("offset %d: %v, want %q", offset, err, want)
		}
	}
	s.Windows = []tool.Window{{Document: "plain", Version: 1, Span: corpus.Span{Start: 0, End: 9000}}, {Document: "other", Version: 2, Span: corpus.Span{Start: 0, End: 9000}}}
	if _, err := read(t, w, s, `{"document_id": "plain"}`); err != nil {
		t.Errorf("windows of another version or document: %v", err)
	}
}

func TestDocumentsAreLimitedButNotFurtherWindowsOfThem(t *testing.T) {
	w := newWorld()
	for _, id := range []corpus.DocumentID{"a", "b", "c"} {
		w.add(id, travel)
	}
	w.add("d", handbook(9))
	s := session(w.hit("a", 1), w.hit("b", 1), w.hit("c", 1), w.hit("d", 1))
	s.Windows = []tool.Window{{Document: "a", Units: 1}, {Document: "b", Units: 1}, {Document: "c", Units: 1}}
	if _, err := read(t, w, s, `{"document_id": "d"}`); code(err) != tool.LimitDocuments {
		t.Errorf("a fourth document: %v", err)
	}
	s.Windows[2] = tool.Window{Document: "d", Version: 2, Span: corpus.Span{Start: 0, End: 10}, Units: 10}
	if _, err := read(t, w, s, `{"document_id": "d", "around": "第8章"}`); err != nil {
		t.Errorf("another window: %v", err)
	}
}

func TestTheTextLimitHoldsOverAllWindows(t *testing.T) {
	w := newWorld()
	w.add("book", handbook(9))
	s := session(w.hit("book", 1))
	total, offset := 0, 0
	for n := 1; ; n++ {
		p, err := read(t, w, s, fmt.Sprintf(`{"document_id": "book", "offset": %d}`, offset))
		if err != nil {
			if code(err) != tool.LimitText || n < 3 {
				t.Fatalf("window %d: %v", n, err)
			}
			break
		}
		total += tool.Units(p.Text)
		s, offset = after(s, p), p.Span.End
	}
	if total > 4000 || total < 3900 {
		t.Errorf("%d units were read, want nearly 4000 and no more", total)
	}
}

func TestUnitsAreCountedInUTF16(t *testing.T) {
	w := newWorld()
	w.add("emoji", strings.Repeat("😀", 3000)+"\n")
	p, err := read(t, w, session(w.hit("emoji", 1)), `{"document_id": "emoji"}`)
	if err != nil || p.Span.Len() != 1000 {
		t.Errorf("%d code points, %v; want 1000 of two units each", p.Span.Len(), err)
	}
}

func TestAroundCentresOnTheWords(t *testing.T) {
	w := newWorld()
	w.add("book", handbook(40))
	s := session(w.hit("book", 1))
	for around, want := range map[string]string{
		"第33章第7条":            "第33章第7条",
		"上限为3307元":           "第33章第7条",
		"第３３章第７条":            "第33章第7条",
		"3307元 是住宿费的上限吗":     "第33章第7条",
		"第33章第7条：住宿费按实报销，上限": "第33章第7条",
	} {
		p, err := read(t, w, s, fmt.Sprintf(`{"document_id": "book", "around": %q}`, around))
		if err != nil {
			t.Errorf("%s: %v", around, err)
			continue
		}
		at := strings.Index(p.Text, want)
		if at < 0 || !strings.HasPrefix(p.Text, "# 第") || p.Chunk != "c-book-"+corpus.ChunkID(rune('0'+33)) {
			t.Errorf("%s: chunk %s, %.40s", around, p.Chunk, p.Text)
		}
	}
}

func TestWordsThatAreNotInTheTextFallBackToTheHit(t *testing.T) {
	w := newWorld()
	w.add("book", handbook(9))
	s := session(w.hit("book", 5))
	for around, note := range map[string]string{"火星基地": "未找到", "moon landing": "not in the text", "，。！": "未找到|not in"} {
		r, err := call(t, toolkit.NewRead(w, w, w), s, fmt.Sprintf(`{"document_id": "book", "around": %q}`, around))
		if err != nil {
			t.Fatal(err)
		}
		said, _ := object(t, r)["note"].(string)
		found := false
		for _, n := range strings.Split(note, "|") {
			found = found || strings.Contains(said, n)
		}
		if around != "，。！" && !found || !strings.HasPrefix(r.Passages[0].Text, "# 第5章") {
			t.Errorf("%s: note %q, text %.20s", around, said, r.Passages[0].Text)
		}
	}
}

func TestAnOffsetBeginsTheWindow(t *testing.T) {
	w := newWorld()
	w.add("book", handbook(9))
	s := session(w.hit("book", 1))
	first, err := read(t, w, s, `{"document_id": "book", "offset": 0}`)
	if err != nil {
		t.Fatal(err)
	}
	second, err := read(t, w, after(s, first), fmt.Sprintf(`{"document_id": "book", "offset": %d}`, first.Span.End))
	if err != nil {
		t.Fatal(err)
	}
	text := []rune(w.texts["book"].Text)
	if gap := string(text[first.Span.End:second.Span.Start]); strings.TrimSpace(gap) != "" {
		t.Errorf("%q lies between a window and the one that continues it", gap)
	}
	for _, beyond := range []int{len(text), len(text) - 1, 1 << 40} {
		if _, err := read(t, w, s, fmt.Sprintf(`{"document_id": "book", "offset": %d}`, beyond)); code(err) != tool.InvalidArguments {
			t.Errorf("offset %d: %v", beyond, err)
		}
	}
	if _, err := read(t, w, s, `{"document_id": "book", "offset": 5, "around": "x"}`); code(err) != tool.InvalidArguments {
		t.Errorf("both: %v", err)
	}
}

func TestTheLocatorIsCutToTheWindow(t *testing.T) {
	w := newWorld()
	w.add("line", "first line\n"+strings.Repeat("word ", 2000)+"\nlast\n")
	s := session(w.hit("line", 1))
	p, err := read(t, w, s, `{"document_id": "line", "offset": 16}`)
	if err != nil {
		t.Fatal(err)
	}
	want := corpus.TextLocator{Format: "md", Heading: []string{}, Line: 2, Char: [2]int{16, p.Span.End}}
	if diff := cmp.Diff(corpus.Locator(want), p.Locator); diff != "" {
		t.Errorf("locator (-want +got):\n%s", diff)
	}
}

// TestEveryWindowKeepsItsPromises draws texts and sessions and holds each window against what it
// promises, with the text itself as the oracle.
func TestEveryWindowKeepsItsPromises(t *testing.T) {
	line := rapid.StringMatching(`[a-zé。！. 一二三四😀]{0,60}`)
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld()
		text := strings.Join(rapid.SliceOfN(line, 1, 40).Draw(rt, "lines"), "\n")
		if strings.TrimSpace(text) == "" {
			return
		}
		w.add("d", text)
		if len(w.chunks["d"]) == 0 {
			return
		}
		s := session(w.hit("d", rapid.IntRange(1, len(w.chunks["d"])).Draw(rt, "hit")))
		s.WindowUnits = rapid.IntRange(1, 400).Draw(rt, "window")
		args := `{"document_id": "d"}`
		runes := []rune(text)
		if rapid.Bool().Draw(rt, "with offset") {
			args = fmt.Sprintf(`{"document_id": "d", "offset": %d}`, rapid.IntRange(0, len(runes)).Draw(rt, "offset"))
		}
		p, err := read(t, w, s, args)
		if err != nil {
			if c := code(err); c != tool.InvalidArguments && c != tool.LimitText {
				rt.Fatal(err)
			}
			return
		}
		if p.Text != string(runes[p.Span.Start:p.Span.End]) || p.Text == "" || p.Text != strings.TrimSpace(p.Text) {
			rt.Fatalf("text %q is not the text at %v, or has blank ends", p.Text, p.Span)
		}
		if n := tool.Units(p.Text); n > s.WindowUnits {
			rt.Fatalf("%d units of %d", n, s.WindowUnits)
		}
		if before := strings.TrimSpace(string(runes[:p.Span.Start])) != ""; before != p.TruncatedBefore {
			rt.Fatalf("truncated before: %v", p.TruncatedBefore)
		}
		if rest := strings.TrimSpace(string(runes[p.Span.End:])) != ""; rest != p.TruncatedAfter {
			rt.Fatalf("truncated after: %v", p.TruncatedAfter)
		}
		for _, c := range w.chunks["d"] {
			listed := strings.Contains(fmt.Sprint(p.Chunks, " "), string(c.ID))
			if (c.Span.Overlap(p.Span) > 0) && !listed {
				rt.Fatalf("chunk %s of %v is not listed for %v", c.ID, c.Span, p.Span)
			}
		}
		// In this world the normalised text is the original, so the exact place is known.
		loc := p.Locator.(corpus.TextLocator)
		wantLine := strings.Count(string(runes[:p.Span.Start]), "\n") + 1
		wantEnd := wantLine + strings.Count(p.Text, "\n")
		if loc.Char != [2]int{p.Span.Start, p.Span.End} || loc.Line != wantLine || max(loc.Line, loc.LineEnd) != wantEnd {
			rt.Fatalf("locator %+v for %v on lines %d to %d", loc, p.Span, wantLine, wantEnd)
		}
	})
}
