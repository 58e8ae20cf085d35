package desk

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
)

// bodies are what entries of each kind hold, as those who write them do. LOST stands for a document.
var bodies = map[ledger.Kind][]string{
	ledger.RunEnded: {
		`{"form":2,"state":"completed","citations":[{"ref":"S1","document_id":"LOST","version":1,"chunk_id":"c","span":{"start":0,"end":1},"excerpt_hash":"h"}],"evidence":[{"ref":"S1","record_hash":"h"}]}`,
		`{"state":"completed","citations":[{"ref":"S1","document_id":"LOST","version":1,"chunk_id":"c","span":{"start":0,"end":1},"excerpt_hash":"h"}]}`,
	},
	ledger.RunReduced:        {`{"attempt":1,"document":"LOST","emptied":{"passages":["S1"],"recordings":1},"record_form":2,"record_hash":"h"}`},
	ledger.DraftSaved:        {`{"form":2,"draft":"draft_1","version":1,"cited":[{"ref":"S1","document":"LOST","version":1,"excerpt_hash":"h"}]}`},
	ledger.DocumentPublished: {`{"document":"LOST","knowledge_base":"kb","version":2,"archived":[]}`, `{"document":"d2","knowledge_base":"kb","version":2,"archived":["d3","LOST"]}`},
	ledger.DocumentAdded:     {`{"document":"LOST","knowledge_base":"kb","version":2,"status":"draft"}`},
	ledger.DocumentRecut:     {`{"document":"LOST","knowledge_base":"kb","doc_key":"k","version":2,"chunker":1,"chunks":1,"chunks_hash":"h"}`},
	ledger.DocumentEdited:    {`{"document":"LOST","knowledge_base":"kb","version":2,"changed":["title"],"policy":{}}`},
	ledger.DocumentArchived:  {`{"document":"LOST","knowledge_base":"kb","version":2,"status":"archived"}`},
	ledger.DocumentDeleted:   {`{"document":"LOST","knowledge_base":"kb","version":2,"was":"published"}`},
	ledger.DocumentErased:    {`{"document":"LOST","knowledge_base":"kb","version":2,"was":"published","runs":1}`},
	ledger.ProposalMade:      {`{"proposal":"p","kind":"publish","document":"LOST","knowledge_base":"kb","version":2}`},
	ledger.ProposalEnded:     {`{"proposal":"p","kind":"publish","document":"LOST","knowledge_base":"kb","version":2,"approved":true}`},
	ledger.TaskEnded:         {`{"task":"t","proposal":"p","tool":"x","document":"LOST","knowledge_base":"kb","version":2}`},
	ledger.TextExported:      {`{"task":"t","proposal":"p","tool":"x","documents":["d2","LOST"]}`},
	ledger.HistoryRead: {
		`{"document_id":"LOST","version":1,"checksum":"c","part":"text"}`,
		`{"document_id":"LOST","version":1,"status":"archived","checksum":"c","part":"window","span":{"start":0,"end":9}}`,
		`{"documents":["d2","LOST"],"part":"search","as_of":"2026-01-01T00:00:00Z"}`,
	},
}

// nameNone are the kinds whose entries name no document.
var nameNone = []ledger.Kind{
	ledger.RunResumed, ledger.BaseChanged, ledger.GrantsChanged, ledger.DirectoryChanged, ledger.TokenChanged, ledger.PasswordChanged,
	ledger.IdentityChanged, ledger.Security, ledger.EvaluationEnded, ledger.LexiconChanged, ledger.RightsViewed,
}

// kinds reads the kinds of entry where they are declared.
func kinds(t *testing.T) (out []ledger.Kind) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../ledger/ledger.go", nil, parser.SkipObjectResolution)
	must(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Kind" {
			for _, v := range spec.Values {
				word, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				must(t, err)
				out = append(out, ledger.Kind(word))
			}
		}
		return true
	})
	return out
}

func TestEveryKindOfEntryIsKnownToNameDocumentsOrNone(t *testing.T) {
	all := kinds(t)
	if !slices.Contains(all, ledger.LexiconChanged) || len(all) != len(bodies)+len(nameNone) {
		t.Errorf("%d kinds are declared, %d are known", len(all), len(bodies)+len(nameNone))
	}
	for _, kind := range all {
		if (bodies[kind] != nil) == slices.Contains(nameNone, kind) {
			t.Errorf("%s: say which documents its entries name, or that they name none", kind)
		}
	}
}

func TestAnEntryOfOnesOwnNamesALostDocumentInNoKind(t *testing.T) {
	for kind, list := range bodies {
		for _, text := range list {
			o := newOffice()
			for _, id := range []corpus.DocumentID{"d1", "d2", "d3"} {
				o.put(id, corpus.Key(id), 1, access.StatusPublished, "text")
			}
			body := strings.ReplaceAll(text, "LOST", "d1")
			o.enter("alice", kind, "", json.RawMessage(body))
			shown := func() string {
				t.Helper()
				page, _, err := o.desk().Ledger(t.Context(), alice, LedgerFilter{Limit: 5})
				must(t, err)
				if len(page) != 1 {
					t.Fatalf("%s: %d entries", kind, len(page))
				}
				return string(page[0].Body)
			}
			if got := shown(); !strings.Contains(got, `"d1"`) {
				t.Errorf("%s with the right: %s", kind, got)
			}
			o.deny("d1")
			if got := shown(); strings.Contains(got, `"d1"`) || !strings.Contains(got, `"withheld":true`) {
				t.Errorf("%s without it: %s", kind, got)
			}
		}
	}
}
