package sqlite

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/seal"
)

// Whoever has the folder can still hold a list against the ledger; whoever has the ledger alone can try no guess.
func TestTheHashOfAListIsUnderTheNonceBesideIt(t *testing.T) {
	db, ctx, known := filled(t, t.TempDir()), context.Background(), map[string]bool{}
	for range 2 {
		if _, err := db.Tenancy().Lexicons().SetList(ctx, "acme", "root", lexicon.Change{Lines: []string{"OA, 办公"}}); err != nil {
			t.Fatal(err)
		}
		var lines, nonce, kind, body string
		if err := db.writer.QueryRow(`SELECT lines, nonce FROM lexicons WHERE tenant = 'acme'`).Scan(&lines, &nonce); err != nil {
			t.Fatal(err)
		}
		if err := db.writer.QueryRow(`SELECT kind, body FROM entries WHERE tenant = 'acme' ORDER BY sequence DESC LIMIT 1`).Scan(&kind, &body); err != nil {
			t.Fatal(err)
		}
		var told struct {
			Hash string `json:"hash"`
		}
		if err := json.Unmarshal([]byte(body), &told); err != nil || kind != string(ledger.LexiconChanged) {
			t.Fatalf("%s: %s, %v", kind, body, err)
		}
		if told.Hash != seal.Hash(nonce, lines) || told.Hash == seal.Hash("", lines) || known[nonce] || nonce == "" {
			t.Errorf("%q under %q is told as %s", lines, nonce, told.Hash)
		}
		known[nonce] = true
	}
}
