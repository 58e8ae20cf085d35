package tenancy

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Lexicons implements lexicon.Store and retrieval.Vocabulary.
type Lexicons struct {
	db    *database.DB
	first bool
}

// Lexicons returns the seam to the words and synonyms of tenants.
func (a *Tenancy) Lexicons() *Lexicons { return &Lexicons{a.DB, a.First} }

// Mark implements lexicon.Store.
func (l *Lexicons) Mark(ctx context.Context, tenant access.TenantID) (mark int, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		err := t.QueryRowContext(ctx, `SELECT lock_version FROM lexicons WHERE tenant = ?`, tenant).Scan(&mark)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return mark, err
}

// List implements lexicon.Store.
func (l *Lexicons) List(ctx context.Context, tenant access.TenantID) (out lexicon.List, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, _, err = stored(ctx, t, tenant)
		return err
	})
	return out, err
}

// stored reads a list and the hash of its words.
func stored(ctx context.Context, t *database.Tx, tenant access.TenantID) (out lexicon.List, words string, err error) {
	var lines string
	var at int64
	err = t.QueryRowContext(ctx, `SELECT coalesce(l.lines, ''), coalesce(l.lock_version, 1), coalesce(l.words, ''), coalesce(l.reworded = l.indexed, 1),
coalesce(l.updated_at, 0), coalesce(l.updated_by, '') FROM tenants t LEFT JOIN lexicons l ON l.tenant = t.id WHERE t.id = ?`, tenant).
		Scan(&lines, &out.LockVersion, &words, &out.Indexed, &at, &out.UpdatedBy)
	if err != nil {
		return lexicon.List{}, "", row.Missing(err)
	}
	out.Lines = []string{}
	if lines != "" {
		out.Lines = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	if at > 0 {
		out.UpdatedAt = time.UnixMicro(at).UTC()
	}
	return out, words, nil
}

// SetList implements lexicon.Store. Each line ends in a line feed, so that one empty line is not none.
func (l *Lexicons) SetList(ctx context.Context, tenant access.TenantID, by access.UserID, c lexicon.Change) (out lexicon.List, err error) {
	text := ""
	if len(c.Lines) > 0 {
		text = strings.Join(c.Lines, "\n") + "\n"
	}
	err = l.db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		now, words, err := stored(ctx, t, tenant)
		if err != nil {
			return err
		}
		if c.LockVersion != 0 && c.LockVersion != now.LockVersion {
			return problem.New(problem.Conflict, "lock_conflict", "It was changed meanwhile: read it again.")
		}
		next, s := now.LockVersion+1, seal.New()
		_, err = t.ExecContext(ctx, `INSERT INTO lexicons (tenant, lines, lock_version, words, reworded, indexed, nonce, updated_at, updated_by) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)
ON CONFLICT (tenant) DO UPDATE SET lines = excluded.lines, lock_version = excluded.lock_version, words = excluded.words,
  reworded = CASE WHEN words = excluded.words THEN reworded ELSE excluded.reworded END, nonce = excluded.nonce, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
			tenant, text, next, c.Words, first(words != c.Words, next), s.Key, t.Now().UnixMicro(), by)
		if err != nil {
			return err
		}
		err = chain.Note(ctx, t, ledger.LexiconChanged, tenant, by, map[string]any{
			"lock_version": next, "words": c.Count.Words, "synonyms": c.Count.Synonyms, "hash": seal.Hash(s.Key, text),
		})
		if err != nil {
			return err
		}
		out, _, err = stored(ctx, t, tenant)
		return err
	})
	return out, err
}

// first is when the words of a new list changed: 0, as "indexed" is, where it has none.
func first(changed bool, version int) int {
	if changed {
		return version
	}
	return 0
}

// Reworded implements retrieval.Vocabulary. Beside a server there are none: it has merged what it read
// with the former words, and would keep that as if it were made of what is built now.
func (l *Lexicons) Reworded(ctx context.Context) (out []retrieval.Reworded, err error) {
	if !l.first {
		return nil, nil
	}
	err = l.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT tenant, reworded FROM lexicons WHERE reworded <> indexed ORDER BY tenant`)
		out, err = row.Collect(rows, err, func(s row.Scanner) (r retrieval.Reworded, err error) {
			return r, s.Scan(&r.Tenant, &r.Version)
		})
		return err
	})
	return out, err
}

// Indexed implements retrieval.Vocabulary.
func (l *Lexicons) Indexed(ctx context.Context, r retrieval.Reworded) error {
	return l.db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `UPDATE lexicons SET indexed = ? WHERE tenant = ? AND indexed < ?`, r.Version, r.Tenant, r.Version)
		return err
	})
}
