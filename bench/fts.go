package main

import (
	"database/sql"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"

	"github.com/kaoju/kaoju/internal/access"
)

// ftsEngine is SQLite FTS5 by the pure Go driver. The permission is an IN over the versions that
// the user's groups may read where few are, an EXISTS for each match where many are: each is the
// faster one there.
type ftsEngine struct {
	db   *sql.DB
	rows int64
	docs int64
}

const ftsSchema = `
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -400000; PRAGMA mmap_size = 4000000000;
CREATE VIRTUAL TABLE fts USING fts5(body, content='', contentless_delete=1, tokenize='ascii');
CREATE TABLE chunk (id INTEGER PRIMARY KEY, doc INTEGER, tenant TEXT, published INTEGER);
CREATE TABLE by_doc (doc INTEGER, grp TEXT, PRIMARY KEY (doc, grp)) WITHOUT ROWID;
CREATE TABLE by_group (grp TEXT, doc INTEGER, PRIMARY KEY (grp, doc)) WITHOUT ROWID;
CREATE TABLE member (usr TEXT, grp TEXT, PRIMARY KEY (usr, grp)) WITHOUT ROWID;`

const (
	ftsAll = `SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts) LIMIT 20`
	ftsIn  = `SELECT f.rowid FROM fts f JOIN chunk c ON c.id = f.rowid WHERE f.body MATCH ? AND c.tenant = ? AND c.published = 1
		AND c.doc IN (SELECT a.doc FROM member m JOIN by_group a ON a.grp = m.grp WHERE m.usr = ?) ORDER BY bm25(fts) LIMIT 20`
	ftsExists = `SELECT f.rowid FROM fts f JOIN chunk c ON c.id = f.rowid WHERE f.body MATCH ? AND c.tenant = ? AND c.published = 1
		AND EXISTS (SELECT 1 FROM by_doc a JOIN member m ON m.usr = ? AND m.grp = a.grp WHERE a.doc = c.doc) ORDER BY bm25(fts) LIMIT 20`
)

func newFTS(dir string, rights []right) (*ftsEngine, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "fts.db"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(ftsSchema); err != nil {
		return nil, err
	}
	for _, r := range rights {
		for _, g := range r.groups {
			if _, err := db.Exec(`INSERT INTO member VALUES (?, ?)`, r.name, string(access.Group(group(g)))); err != nil {
				return nil, err
			}
		}
	}
	return &ftsEngine{db: db}, nil
}

// add inserts the chunks of some versions in one transaction.
func (f *ftsEngine) add(list []document, bodies [][]string) error {
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	for i, d := range list {
		f.docs++
		for _, p := range d.resource.Policy.Allow {
			if _, err := tx.Exec(`INSERT INTO by_doc VALUES (?, ?)`, f.docs, string(p)); err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT INTO by_group VALUES (?, ?)`, string(p), f.docs); err != nil {
				return err
			}
		}
		for _, body := range bodies[i] {
			f.rows++
			if _, err := tx.Exec(`INSERT INTO chunk VALUES (?, ?, ?, ?)`, f.rows, f.docs, string(d.resource.Tenant), d.resource.Status == access.StatusPublished); err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT INTO fts (rowid, body) VALUES (?, ?)`, f.rows, body); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// finish does once what makes searching faster.
func (f *ftsEngine) finish() error {
	_, err := f.db.Exec(`INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE`)
	return err
}

// Search implements engine.
func (f *ftsEngine) Search(text string, r right) (int, error) {
	match := `"` + strings.Join(strong(text), `" OR "`) + `"`
	rows, err := f.query(match, r)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

func (f *ftsEngine) query(match string, r right) (*sql.Rows, error) {
	switch {
	case r.all:
		return f.db.Query(ftsAll, match)
	case r.share < 0.3:
		return f.db.Query(ftsIn, match, string(r.tenant), r.name)
	}
	return f.db.Query(ftsExists, match, string(r.tenant), r.name)
}

func (f *ftsEngine) Close() error { return f.db.Close() }
