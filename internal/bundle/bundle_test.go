package bundle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 500000, time.UTC)
	key  = ledger.KeyOf([32]byte{7})
)

func hash(text string) string { return bundle.HashForTest(text) }

type failing interface{ Fatalf(string, ...any) }

// body is what the ledger says of the run of the sample.
func body(t failing, b bundle.Bundle) json.RawMessage {
	cited, checks := []map[string]any{}, map[string]int{}
	for _, e := range b.Evidence {
		if e.Cited {
			cited = append(cited, map[string]any{"ref": e.Label, "document_id": e.DocumentID, "version": e.Version, "excerpt_hash": e.Hash})
		}
	}
	for _, c := range b.Checks {
		checks[c.Verdict]++
	}
	r := b.Run
	raw, err := json.Marshal(map[string]any{
		"state": r.State, "finish_reason": r.Reason, "attempt": r.Attempt, "route": r.Route, "kind": r.Kind, "engine": r.Engine, "model": r.Model,
		"host": r.Host, "goal_hash": hash(r.Goal), "prompt_hash": r.PromptHash, "recording_hash": r.RecordingHash,
		"answer_hash": hash(b.Answer.Text), "citations": cited, "tool_calls": b.ToolCalls, "checks": checks,
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return raw
}

// sample is a bundle with every field set, before it is signed.
func sample() bundle.Bundle {
	excerpt, other := "上海住宿上限为每晚 <650> 元。", "高铁二等座可以报销。"
	return bundle.Bundle{
		Run: bundle.Run{
			ID: "run_1", Tenant: "acme", Actor: "alice", Kind: "answer", Goal: "上海住宿上限?", Route: "agentic_rag", State: "completed", Reason: "success",
			Engine: "model", Model: "m-1", Host: "models.example", Attempt: 1, PromptHash: "aa", RecordingHash: "bb", CreatedAt: noon, EndedAt: noon.Add(time.Second),
		},
		Answer: bundle.Answer{
			Text: "650 元 [S1]", Conclusion: "650 元 [S1]", Basis: "b", ToConfirm: "c", NextSteps: "n", Missing: []string{"date"},
			Notices: []string{"source_truncated"}, NeedsConfirmation: true,
		},
		Evidence: []bundle.Evidence{
			{
				Label: "S1", Cited: true, DocumentID: "doc-1", KnowledgeBaseID: "kb", DocKey: "travel", Title: "差旅", Version: 2, Status: "published", ChunkID: "c_1",
				Locator: json.RawMessage(`{"kind":"md","line":3}`), Span: [2]int{1, 9}, SourceURI: "https://example.org", Excerpt: excerpt, Hash: hash(excerpt),
				TruncatedBefore: true, TruncatedAfter: true, ReadAt: noon,
			},
			{Label: "S2", DocumentID: "doc-1", DocKey: "travel", Version: 2, Excerpt: other, Hash: hash(other), ReadAt: noon},
		},
		Checks:    []bundle.Check{{Sentence: "650 元", Labels: []string{"S1"}, Verdict: "supported", DecidedBy: "numbers", Quote: excerpt}},
		ToolCalls: []bundle.ToolCall{{ID: "call_1", Tool: "search_knowledge", ArgsHash: "cc", ResultHash: "dd", Code: "ok"}},
		Documents: []bundle.Document{{ID: "doc-1", DocKey: "travel", Version: 2, Checksum: "ee", MediaType: "text/markdown"}},
	}
}

// recorded puts the entry of a bundle's run into a log with others, and the proof into the bundle.
func recorded(t failing, b bundle.Bundle, name ledger.Name, content json.RawMessage) bundle.Bundle {
	shelf := map[int64]ledger.Hash{}
	read := ledger.Prover(func(numbers []int64) ([]ledger.Hash, error) {
		out := make([]ledger.Hash, len(numbers))
		for i, n := range numbers {
			out[i] = shelf[n]
		}
		return out, nil
	})
	head := ledger.Head{}
	for i := range 5 {
		e := ledger.Entry{ID: fmt.Sprint("led_", i), Tenant: "acme", Kind: ledger.Security, Actor: "alice", Time: noon, RunID: "run_1"}
		if i == 3 {
			e.Kind, e.Body = ledger.RunEnded, content
		}
		e = ledger.Seal(head, e)
		head = ledger.Head{Sequence: e.Sequence, Hash: e.Hash}
		first, hashes, err := ledger.Stored(int64(i), name.Leaf(e), read)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for j, h := range hashes {
			shelf[first+int64(j)] = h
		}
		if i == 3 {
			b.Entry = e
		}
	}
	if name.Person != "" {
		b.Entry = b.Entry.Apart()
	}
	tree, err := read.Tree(5)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c, err := key.Checkpoint(name, tree)
	if err != nil {
		t.Fatalf("%v", err)
	}
	hashes, err := read.Inclusion(5, 3)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b.Proof = ledger.Inclusion{Index: 3, Hashes: hashes, Checkpoint: c.Note}
	return b
}

var own = ledger.Name{Tenant: "acme", Person: "alice"}

// file signs the sample.
func file(t failing) []byte {
	b := sample()
	return signed(t, recorded(t, b, own, body(t, b)))
}

func signed(t failing, b bundle.Bundle) []byte {
	raw, err := bundle.Sign(b, key)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return raw
}

func verify(raw []byte) (bundle.Report, error) {
	return bundle.Verify(bytes.NewReader(raw), key.Public())
}

func TestABundleIsVerifiedWithTheFileAndTheKeyAlone(t *testing.T) {
	for _, name := range []ledger.Name{own, {Tenant: "acme"}} {
		b := sample()
		raw := signed(t, recorded(t, b, name, body(t, b)))
		r, err := verify(raw)
		if err != nil || r.KeyFromFile || r.Checkpoint.Name != name || r.Bundle.Answer.Text != "650 元 [S1]" {
			t.Fatalf("%v: %+v, %v", name, r, err)
		}
		if r, err := bundle.Verify(bytes.NewReader(raw), ""); err != nil || !r.KeyFromFile {
			t.Errorf("without a key: %+v, %v", r, err)
		}
		if _, err := bundle.Verify(bytes.NewReader(raw), ledger.KeyOf([32]byte{9}).Public()); problem.CodeOf(err) != "bundle_broken" {
			t.Errorf("under another key: %v", err)
		}
	}
}

func TestTheSameBundleHasTheSameBytes(t *testing.T) {
	if !bytes.Equal(file(t), file(t)) {
		t.Error("two files of one bundle differ")
	}
}

func TestAnEmptyBundleIsWhole(t *testing.T) {
	b := bundle.Bundle{Run: bundle.Run{ID: "run_1", Tenant: "acme", Actor: "alice"}}
	if _, err := verify(signed(t, recorded(t, b, own, body(t, b)))); err != nil {
		t.Error(err)
	}
}

func TestEveryChangedByteIsFound(t *testing.T) {
	raw := file(t)
	for i := range raw {
		// Every byte in one of two ways, that and its letter's case, with the key and without it.
		change, trust := byte(1), key.Public()
		if raw[i] >= 'A' {
			change, trust = 32, ""
		}
		bad := bytes.Clone(raw)
		bad[i] ^= change
		if _, err := bundle.Verify(bytes.NewReader(bad), trust); code(err) == "" {
			t.Fatalf("byte %d (%q) became %q: %v\n%s", i, raw[i], bad[i], err, raw[max(0, i-30):min(len(raw), i+30)])
		}
	}
}

// code is the code of a refusal of this package; "" for anything else.
func code(err error) string {
	if c := problem.CodeOf(err); err != nil && (c == "bundle_broken" || c == "not_a_bundle") && len(err.Error()) > 10 {
		return c
	}
	return ""
}

// Every field of the file, found by reflection, is changed, and the part that it stands in is named.
func TestEveryChangedFieldIsFoundAndItsPartNamed(t *testing.T) {
	raw := file(t)
	parts := map[string]string{
		"Run": "The part run ", "Answer": "The part answer ", "Evidence": "The part evidence/", "Checks": "The part checks ", "ToolCalls": "The part tool_calls ",
		"Documents": "The part documents ", "Entry": "The part entry ", "Proof": "The part proof ", "Key": "key", "Manifest": "signature of the manifest",
		"Format": "does not say that it is a bundle",
	}
	n := 0
	var walk func(path string, v reflect.Value, whole *bundle.Bundle)
	walk = func(path string, v reflect.Value, whole *bundle.Bundle) {
		try := func(set func()) {
			n++
			set()
			changed, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			_, err = verify(changed)
			top, _, _ := strings.Cut(path, ".")
			if code(err) == "" || !strings.Contains(err.Error(), parts[top]) {
				t.Errorf("%s was changed: %v", path, err)
			}
		}
		switch at := v.Interface().(type) {
		case time.Time:
			try(func() { v.Set(reflect.ValueOf(at.Add(time.Second))) })
			v.Set(reflect.ValueOf(at))
			return
		case json.RawMessage:
			try(func() { v.Set(reflect.ValueOf(json.RawMessage(`{"x":1}`))) })
			v.Set(reflect.ValueOf(at))
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if path != "" {
					name = path + "." + name
				}
				walk(name, v.Field(i), whole)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(path+"."+fmt.Sprint(i), v.Index(i), whole)
			}
			if v.Kind() == reflect.Slice && v.Len() > 0 && path != "Evidence" {
				all := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)
				try(func() { v.Set(all.Slice(1, all.Len())) })
				try(func() { v.Set(reflect.Append(all, all.Index(0))) })
				v.Set(all)
			}
		case reflect.String:
			was := v.String()
			try(func() { v.SetString(was + "x") })
			v.SetString(was)
		case reflect.Int, reflect.Int64:
			was := v.Int()
			try(func() { v.SetInt(was + 1) })
			v.SetInt(was)
		case reflect.Bool:
			was := v.Bool()
			try(func() { v.SetBool(!was) })
			v.SetBool(was)
		default:
			t.Fatalf("%s is a %v", path, v.Kind())
		}
	}
	var b bundle.Bundle
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	walk("", reflect.ValueOf(&b).Elem(), &b)
	if n < 80 {
		t.Errorf("only %d fields were changed", n)
	}
}

func TestPassagesThatAreTakenOutAddedOrExchangedAreFound(t *testing.T) {
	for name, change := range map[string]func(*bundle.Bundle){
		"taken out": func(b *bundle.Bundle) { b.Evidence = b.Evidence[:1] },
		"added":     func(b *bundle.Bundle) { b.Evidence = append(b.Evidence, bundle.Evidence{Label: "S3"}) },
		"repeated":  func(b *bundle.Bundle) { b.Evidence = append(b.Evidence, b.Evidence[0]) },
		"exchanged": func(b *bundle.Bundle) { b.Evidence[0], b.Evidence[1] = b.Evidence[1], b.Evidence[0] },
	} {
		var b bundle.Bundle
		if err := json.Unmarshal(file(t), &b); err != nil {
			t.Fatal(err)
		}
		change(&b)
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := verify(raw); code(err) != "bundle_broken" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Even whoever holds the key can't sign an answer that the ledger does not speak of.
func TestWhatTheLedgerDoesNotSayIsFoundThoughItIsSigned(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*bundle.Bundle)
		says   string
	}{
		"answer":         {func(b *bundle.Bundle) { b.Answer.Text = "651 元 [S1]" }, "The answer is not"},
		"question":       {func(b *bundle.Bundle) { b.Run.Goal = "other" }, "The question is not"},
		"state":          {func(b *bundle.Bundle) { b.Run.State = "refused" }, "The state"},
		"reason":         {func(b *bundle.Bundle) { b.Run.Reason = "x" }, "The reason"},
		"run":            {func(b *bundle.Bundle) { b.Run.ID = "run_2" }, "The run"},
		"actor":          {func(b *bundle.Bundle) { b.Run.Actor = "bob" }, "The actor"},
		"tenant":         {func(b *bundle.Bundle) { b.Run.Tenant = "globex" }, "The tenant"},
		"model":          {func(b *bundle.Bundle) { b.Run.Model = "m-2" }, "The model"},
		"attempt":        {func(b *bundle.Bundle) { b.Run.Attempt = 2 }, "The attempt"},
		"prompt hash":    {func(b *bundle.Bundle) { b.Run.PromptHash = "x" }, "The prompt hash"},
		"recordings":     {func(b *bundle.Bundle) { b.Run.RecordingHash = "x" }, "The recording hash"},
		"call":           {func(b *bundle.Bundle) { b.ToolCalls[0].ResultHash = "x" }, "The calls of tools"},
		"check":          {func(b *bundle.Bundle) { b.Checks[0].Verdict = "contradicted" }, "The checks"},
		"excerpt":        {func(b *bundle.Bundle) { b.Evidence[0].Excerpt = "other" }, "The excerpt of S1"},
		"uncited":        {func(b *bundle.Bundle) { b.Evidence[0].Cited = false }, "What is cited as S1"},
		"version":        {func(b *bundle.Bundle) { b.Evidence[0].Version = 3 }, "What is cited as S1"},
		"citation":       {func(b *bundle.Bundle) { b.Evidence = b.Evidence[1:] }, "cites S1, which"},
		"more citations": {func(b *bundle.Bundle) { b.Evidence[1].Cited = true }, "does not cite S2"},
		"withheld":       {func(b *bundle.Bundle) { b.Evidence[0] = bundle.Evidence{Label: "S1", Cited: true, Withheld: true} }, "is withheld"},
		"excerpt and hash": {func(b *bundle.Bundle) {
			b.Evidence[0].Excerpt, b.Evidence[0].Hash = "other", hash("other")
		}, "What is cited as S1"},
	} {
		b := sample()
		content := body(t, b)
		tt.change(&b)
		_, err := verify(signed(t, recorded(t, b, own, content)))
		if code(err) != "bundle_broken" || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := sample()
	for name, content := range map[string]json.RawMessage{"no record": json.RawMessage(`{}`), "a list": json.RawMessage(`[]`)} {
		if _, err := verify(signed(t, recorded(t, b, own, content))); code(err) != "bundle_broken" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReducedAnswerIsSaidToBeReduced(t *testing.T) {
	b := sample()
	content := body(t, b)
	b.Answer = bundle.Answer{Reduced: true}
	b.Checks, b.Run.Goal, b.Documents = nil, "", nil
	b.Evidence[0] = bundle.Evidence{Label: "S1", Cited: true, Withheld: true}
	r, err := verify(signed(t, recorded(t, b, own, content)))
	if err != nil || !r.Bundle.Answer.Reduced {
		t.Errorf("%+v, %v", r.Bundle.Answer, err)
	}
}

func TestHostileFilesEndInAClearError(t *testing.T) {
	raw := string(file(t))
	deep := strings.Repeat("[", 100000)
	for name, text := range map[string]string{
		"empty": "", "words": "hello", "list": "[]", "null": "null", "number": "1", "another object": `{"a":1}`, "another format": `{"format":"zip"}`,
		"format is none": `{"format":1}`,
		"zip":            "PK\x03\x04" + strings.Repeat("\x00", 100), "gzip": "\x1f\x8b\x08",
		"huge":         strings.Repeat(" ", bundle.MaxBytes) + raw,
		"deep":         `{"format":"kaoju-bundle-1","run":` + deep,
		"deep whole":   `{"format":"kaoju-bundle-1","run":` + deep + strings.Repeat("]", 100000) + `}`,
		"twice":        strings.Replace(raw, `{"format"`, `{"format":"kaoju-bundle-1","format"`, 1),
		"twice within": strings.Replace(raw, `"run_id":"run_1"`, `"run_id":"run_2","run_id":"run_1"`, 1),
		"other case":   strings.Replace(raw, `"run_id":"run_1"`, `"RUN_ID":"run_1"`, 1),
		"unknown":      strings.Replace(raw, `{"format"`, `{"path":"../../etc/passwd","format"`, 1),
		"two values":   raw + raw, "mark in front": "\ufeff" + raw,
		"cut": raw[:len(raw)/2], "no manifest": raw[:strings.Index(raw, `,"manifest"`)] + "}\n",
		"another type": strings.Replace(raw, `"attempt":1`, `"attempt":"1"`, 1), "too large a number": strings.Replace(raw, `"attempt":1`, `"attempt":1e99`, 1),
	} {
		if _, err := verify([]byte(text)); code(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, says := range map[string]string{"PK\x03\x04": "archive", strings.Replace(raw, `{"format"`, `{"format":"kaoju-bundle-1","format"`, 1): `"format" more than once`} {
		if _, err := verify([]byte(name)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestAFileThatCannotBeReadIsNoVerdict(t *testing.T) {
	f, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := bundle.Verify(f, ""); err == nil || code(err) != "" {
		t.Errorf("got %v", err)
	}
}

func TestWhateverAnAnswerSaysIsCarriedToTheByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := sample()
		b.Answer.Text, b.Run.Goal = rapid.String().Draw(t, "answer"), rapid.String().Draw(t, "goal")
		b.Evidence[1].Excerpt = rapid.String().Draw(t, "excerpt")
		b.Evidence[1].Hash = hash(b.Evidence[1].Excerpt)
		r, err := verify(signed(t, recorded(t, b, own, body(t, b))))
		if err != nil || r.Bundle.Answer.Text != b.Answer.Text || r.Bundle.Evidence[1].Excerpt != b.Evidence[1].Excerpt {
			t.Fatalf("%+v, %v", r.Bundle, err)
		}
	})
}

func FuzzVerify(f *testing.F) {
	raw := file(f)
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add([]byte(`{"format":"kaoju-bundle-1"}`))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if _, err := verify(in); err == nil && !canonical.Equal(in, raw) {
			t.Fatalf("a file that the key never signed is accepted: %q", in)
		}
	})
}
