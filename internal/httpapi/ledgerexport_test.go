package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
)

func TestALogIsSavedAsAFileThatIsVerifiedWithoutTheServer(t *testing.T) {
	w, _ := desk2(t)
	w.ask("alice", "lodging")
	whole := map[string]int64{}
	for _, who := range []string{"alice", "bob", "dave"} {
		rec := w.send(who, "GET", "/api/ledger/export", "")
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "application/x-ndjson" || !strings.Contains(rec.Header().Get("Content-Disposition"), `filename="kaoju-ledger.jsonl"`) {
			t.Fatalf("%s: %d %v", who, rec.Code, rec.Header())
		}
		text := rec.Body.String()
		got, err := ledger.VerifyFile(strings.NewReader(text), w.key(t))
		if err != nil {
			t.Fatalf("%s: %v\n%s", who, err, text)
		}
		person := who
		if who == "dave" { // He is the auditor.
			person = ""
		} else if strings.Contains(text, `"actor":"carol"`) || !strings.Contains(text, `"actor":"`+who+`"`) {
			t.Errorf("%s: %s", who, text)
		}
		if want := (ledger.Name{Tenant: "acme", Person: person}); got.Checkpoint.Name != want {
			t.Errorf("%s: the log of %+v", who, got.Checkpoint.Name)
		}
		whole[who] = got.Checkpoint.Tree.Size
		// What breaks off, or was changed, is found.
		if _, err := ledger.VerifyFile(strings.NewReader(text[:len(text)/2]), w.key(t)); err == nil {
			t.Errorf("%s: half a file is taken for whole", who)
		}
		if _, err := ledger.VerifyFile(strings.NewReader(strings.Replace(text, `"kind":"`, `"kind":"x`, 1)), w.key(t)); err == nil {
			t.Errorf("%s: a changed file is taken for whole", who)
		}
	}
	if whole["dave"] <= whole["alice"] || whole["alice"] < 1 {
		t.Errorf("%v", whole)
	}
	file, err := w.client("dave").ExportLedger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := ledger.VerifyFile(file, w.key(t)); err != nil {
		t.Error(err)
	}
	var p *api.Problem
	if _, err := w.client("frank").ExportLedger(t.Context()); !errors.As(err, &p) || p.Status == http.StatusOK {
		t.Errorf("somebody who is suspended: %v", err)
	}
}

// half is a writer that fails after a while.
type half struct{ left int }

func (h *half) Write(b []byte) (int, error) {
	if h.left -= len(b); h.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

func TestALogThatBreaksOffHasNoEnd(t *testing.T) {
	w, _ := desk2(t)
	dave := access.Actor{Tenant: acme, User: "dave"}
	if err := w.server.writeLedger(t.Context(), dave, &half{left: 10}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that has gone: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	var text strings.Builder
	if err := w.server.writeLedger(stopped, dave, &text); err == nil || strings.Contains(text.String(), "checkpoint") {
		t.Errorf("%v: %s", err, text.String())
	}
}
