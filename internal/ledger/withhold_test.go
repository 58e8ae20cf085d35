package ledger_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/ledger"
)

const citing = `{"form":2,"state":"completed","citations":[{"ref":"S1","document_id":"doc-a","excerpt_hash":"h1"},{"ref":"S2","document_id":"doc-b","excerpt_hash":"h2"}]}`

func sealed(body string) ledger.Entry {
	return ledger.Seal(ledger.Head{}, ledger.Entry{ID: "led_1", Tenant: "acme", Kind: ledger.RunEnded, Actor: "alice", Time: time.Unix(0, 0), Body: json.RawMessage(body)})
}

func TestAnEntryWithoutWhatItCitesIsStillTheOneOfItsHash(t *testing.T) {
	whole := sealed(citing)
	own := ledger.Name{Tenant: "acme", Person: "alice"}
	less, ok := whole.Withholding(func(ref string) bool { return ref == "S1" })
	if !ok || !less.Sound() || !less.Reserved() || whole.Reserved() {
		t.Fatalf("%s: whole %t", less.Body, ok)
	}
	if own.Leaf(less) != own.Leaf(whole) {
		t.Error("the leaf in the person's log is another")
	}
	if strings.Contains(string(less.Body), "doc-a") || strings.Contains(string(less.Body), "h1") || !strings.Contains(string(less.Body), "doc-b") {
		t.Errorf("got %s", less.Body)
	}
	none, _ := less.Withholding(func(string) bool { return true })
	if again, _ := none.Withholding(func(string) bool { return true }); !none.Sound() || string(again.Body) != string(none.Body) {
		t.Errorf("withheld again: %s", again.Body)
	}
	if same, ok := whole.Withholding(func(string) bool { return false }); !ok || string(same.Body) != string(whole.Body) {
		t.Errorf("without need: %s", same.Body)
	}
}

func TestNothingOfAnEntryCanBeChangedBehindWhatIsWithheld(t *testing.T) {
	less, _ := sealed(citing).Withholding(func(ref string) bool { return ref == "S1" })
	for name, change := range map[string][2]string{
		"the reference of what is withheld": {`"ref":"S1"`, `"ref":"S3"`}, "its hash": {`"hash":"`, `"hash":"0`},
		"what is shown": {"doc-b", "doc-c"}, "another member": {"completed", "refused"}, "a citation more": {`"citations":[`, `"citations":[{"ref":"S9"},`},
		"the form": {`"form":2`, `"form":3`}, "a member more": {`"form":2`, `"form":2,"x":1`},
		"a member twice": {`"state"`, `"state":"refused","state"`}, "the citations twice": {`"citations"`, `"citations":[],"citations"`},
		"the form twice": {`"form":2`, `"form":1,"form":2`}, "a member of what is withheld twice": {`"ref":"S1"`, `"ref":"S3","ref":"S1"`},
		"a member of what is withheld in another case": {`{"hash"`, `{"REF":"S3","hash"`},
	} {
		e := less
		e.Body = json.RawMessage(strings.Replace(string(less.Body), change[0], change[1], 1))
		if string(e.Body) == string(less.Body) || e.Sound() {
			t.Errorf("%s: %s is taken for the entry", name, e.Body)
		}
	}
	// Neither in one that is shown whole.
	whole := sealed(citing)
	e := whole
	e.Body = json.RawMessage(strings.Replace(string(whole.Body), `"state"`, `"state":"refused","state"`, 1))
	if e.Sound() || string(e.Body) == string(whole.Body) {
		t.Errorf("%s is taken for the entry", e.Body)
	}
}

// What was sealed without a form of its own is no longer the one of its hash when a part is withheld, and said so.
func TestAnEntryWithoutOneFormIsNotWholeWithoutAPart(t *testing.T) {
	e := sealed(strings.Replace(citing, `"ref":"S1"`, `"ref":"S1","place":9007199254740993`, 1))
	less, whole := e.Withholding(func(ref string) bool { return ref == "S1" })
	if !e.Sound() || whole || strings.Contains(string(less.Body), "doc-a") {
		t.Errorf("whole %t, sound %t: %s", whole, e.Sound(), less.Body)
	}
}

func TestAnEntryOfTheFirstFormIsNoLongerWholeWithoutAPart(t *testing.T) {
	first := sealed(strings.Replace(citing, `"form":2,`, "", 1))
	less, whole := first.Withholding(func(ref string) bool { return ref == "S1" })
	if whole || less.Sound() || strings.Contains(string(less.Body), "doc-a") || !first.Sound() {
		t.Errorf("whole %t: %s", whole, less.Body)
	}
	odd := first
	odd.Body = json.RawMessage(`[1]`)
	if got, whole := odd.Withholding(func(string) bool { return true }); !whole || string(got.Body) != `[1]` {
		t.Errorf("what is no object: %s", got.Body)
	}
}

// An entry has one form whoever wrote its body, so that it can be written anew.
func TestTheBodyOfAnEntryIsSealedInItsOneForm(t *testing.T) {
	if e := sealed("{ \"b\" : \"\\u003c\", \"a\" : 1.0 }"); string(e.Body) != `{"a":1,"b":"<"}` {
		t.Errorf("got %s", e.Body)
	}
	// What has no one form is kept as it came.
	deep := `{"n":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`
	for _, odd := range []string{`{"n":9007199254740993}`, deep} {
		if e := sealed(" " + odd); string(e.Body) != odd || !e.Sound() {
			t.Errorf("got %s", e.Body)
		}
	}
}

func TestAnyCitationsMayBeWithheld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type cited struct {
			Ref string `json:"ref"`
			Doc string `json:"document"`
		}
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cited {
			return cited{rapid.SampledFrom([]string{"S1", "S2", "S3", ""}).Draw(t, "ref"), rapid.String().Draw(t, "doc")}
		}), 0, 6).Draw(t, "cited")
		raw, err := json.Marshal(map[string]any{"form": 2, "cited": list, "title": rapid.String().Draw(t, "title")})
		if err != nil {
			t.Fatal(err)
		}
		e := sealed(string(raw))
		lost := rapid.SampledFrom([]string{"S1", "S2", "S3", ""}).Draw(t, "lost")
		less, whole := e.Withholding(func(ref string) bool { return ref == lost })
		if !whole || !less.Sound() || !e.Sound() {
			t.Fatalf("%s became %s", e.Body, less.Body)
		}
	})
}
