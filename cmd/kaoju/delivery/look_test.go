package delivery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestALookAsksForDocumentsAsOftenHoweverManyWereArchived(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.write(fmt.Sprintf("%02d.md", i), fmt.Sprint("text ", i))
	}
	now := time.Unix(1_000_000, 0)
	look := func() int {
		t.Helper()
		w.base.asked = 0
		l, err := w.folder(w.root).List(t.Context())
		w.do(err)
		_, err = w.d.Sync(t.Context(), "folder", l, now, time.Minute)
		w.do(err)
		return w.base.asked
	}
	look()
	for i := range 20 {
		w.do(os.Remove(filepath.Join(w.root, fmt.Sprintf("%02d.md", i))))
	}
	if n := look(); n != 3 { // what it brought, what of it is in force, and the proposals that wait
		t.Errorf("the look at 20 files that went asks %d times", n)
	}
	if n := look(); n != 3 { // what it brought, what of it is in force, and what else is
		t.Errorf("the look at 20 archived documents asks %d times", n)
	}
}

func TestAProposalThatWaitsIsNotMadeAgain(t *testing.T) {
	w := newWorld(t)
	w.base.proposing = true
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.sync("added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "a.md")))
	w.base.waiting = map[string]string{"a.md v1": "prop_1"}
	w.sync("gone: a.md; proposal prop_1 would archive it: kaoju doc decide prop_1 approve", "unchanged: b.md")
	if w.base.proposed != 0 {
		t.Error("it was proposed again")
	}
}

func TestAFileWhoseKeyCameAnotherWayIsRefusedOnceAndSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	w.base.refuse = problem.New(problem.Conflict, "doc_key_taken", "A document that came another way has this key.")
	w.write("a.md", "one")
	refusal := `failed: a.md: the document "a.md" came another way, and this source does not replace it; --adopt lets the source have it. (doc_key_taken)`
	w.sync(refusal)
	uploads := w.base.uploads
	w.sync()
	if w.base.uploads != uploads {
		t.Error("what is refused as it is was sent again")
	}
	w.write("a.md", "another")
	w.sync(refusal)
	w.base.refuse = nil
	w.d.Adopt = true
	w.write("a.md", "a third one")
	w.sync("added: a.md")
	if !w.base.latest.Adopt {
		t.Error("the upload does not say that the source is to have the document")
	}
}

func TestFilesThatFailCountAmongThoseThatAreTold(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.xyz", "two")
	w.do(os.Symlink("a.md", filepath.Join(w.root, "c.md")))
	_, n, err := w.d.Read(t.Context(), []delivery.Source{w.folder(w.root)}, nil)
	if err != nil || n != 2 {
		t.Errorf("%d files, error %v", n, err)
	}
}
