// Package contents keeps which documents came out of which file, inside transactions of the driver that it
// is part of. Who may take them in is the driver's.
package contents

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// The bounds of files inside files, beside those of one file.
const (
	// MaxDepth is how far inside others a file may be.
	MaxDepth = 2
	// MaxTotal is how many files one upload may bring, with those inside files that it brought.
	MaxTotal = corpus.MaxContents
)

// Holder is a version whose file has others in it.
type Holder struct {
	Row    int64
	Tenant access.TenantID
	Base   access.KnowledgeBaseID
	Key    corpus.Key
	ID     corpus.DocumentID
}

// Place is where a file is: in how many others, and the row of the outermost of them.
type Place struct {
	Depth int
	Root  int64
}

// Refuse gives a content the reason for which none may come from there, if there is one and it has none yet.
// before is how many came with the same upload.
func (p Place) Refuse(c *queue.Content, before int) {
	switch {
	case c.Code != "":
	case p.Depth >= MaxDepth:
		c.Code, c.Detail = "archive_nested", "The file is inside too many others."
	case before >= MaxTotal:
		c.Code, c.Detail = "archive_entry_limit", "More files came with one upload than are allowed."
	}
}

// PlaceOf returns where a holder is.
func PlaceOf(ctx context.Context, q row.Queries, h Holder) (Place, error) {
	rows, err := q.QueryContext(ctx, `SELECT depth, root FROM contents WHERE tenant = ? AND document = ? ORDER BY depth DESC, root DESC LIMIT 1`, h.Tenant, h.ID)
	found, err := row.Collect(rows, err, func(s row.Scanner) (p Place, err error) {
		err = s.Scan(&p.Depth, &p.Root)
		return p, err
	})
	if err != nil || len(found) > 0 {
		return append(found, Place{})[0], err
	}
	return Place{Root: h.Row}, nil
}

// Total returns how many files came with a root.
func Total(ctx context.Context, q row.Queries, root int64) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM contents WHERE root = ?`, root).Scan(&n)
	return n, err
}

// Put notes one content of a holder.
func Put(ctx context.Context, q row.Queries, h Holder, at Place, no int, c queue.Content) error {
	_, err := q.ExecContext(ctx, `INSERT INTO contents (holder, no, root, depth, tenant, base, path, key, document, version, job, code, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.Row, no, at.Root, at.Depth+1, h.Tenant, h.Base, c.Path, c.Key, c.Document, c.Version, c.Job, c.Code, c.Detail)
	return err
}

// Came reports whether a document under a key came out of a version of the holder's key.
func Came(ctx context.Context, q row.Queries, h Holder, key corpus.Key) (came bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM contents c JOIN documents d ON d.row = c.holder
WHERE c.tenant = ?1 AND c.base = ?2 AND c.key = ?3 AND c.document <> '' AND d.key = ?4)`, h.Tenant, h.Base, key, h.Key).Scan(&came)
	return came, err
}

// Left is a key that is not in a version any more, with the versions that came under it out of earlier ones.
type Left struct {
	Key  corpus.Key
	Came map[corpus.DocumentID]bool
}

// Gone returns the keys that came out of earlier versions of the holder's key and are not in this one. What
// else there is under such a key came another way.
func Gone(ctx context.Context, q row.Queries, h Holder) (out []Left, err error) {
	rows, err := q.QueryContext(ctx, `SELECT DISTINCT c.key, c.document FROM documents d JOIN contents c ON c.holder = d.row
WHERE d.tenant = ?1 AND d.base = ?2 AND d.key = ?3 AND d.row <> ?4 AND c.document <> ''
AND NOT EXISTS (SELECT 1 FROM contents n WHERE n.holder = ?4 AND n.key = c.key) ORDER BY c.key`, h.Tenant, h.Base, h.Key, h.Row)
	_, err = row.Collect(rows, err, func(s row.Scanner) (none struct{}, err error) {
		var key corpus.Key
		var id corpus.DocumentID
		if err = s.Scan(&key, &id); err != nil {
			return none, err
		}
		if len(out) == 0 || out[len(out)-1].Key != key {
			out = append(out, Left{key, map[corpus.DocumentID]bool{}})
		}
		out[len(out)-1].Came[id] = true
		return none, nil
	})
	return out, err
}

// Of returns the contents of a version, in order.
func Of(ctx context.Context, q row.Queries, tenant, document string) ([]queue.Content, error) {
	rows, err := q.QueryContext(ctx, `SELECT c.path, c.key, c.document, c.version, c.job, c.code, c.detail FROM contents c JOIN documents d ON d.row = c.holder
WHERE d.tenant = ? AND d.id = ? ORDER BY c.no`, tenant, document)
	return row.Collect(rows, err, func(s row.Scanner) (c queue.Content, err error) {
		err = s.Scan(&c.Path, &c.Key, &c.Document, &c.Version, &c.Job, &c.Code, &c.Detail)
		return c, err
	})
}

// Follow gives the other versions of a published version's key its policy: the archived ones, and drafts
// that were given none of their own. A policy is the document's and not the version's: who lost the right
// must not keep it in old citations, nor get it back when a draft from before is published. The same policy
// get the documents that came out of the file, and out of those, as far as they have one that it had: who
// lost the right to a message must not keep it to its files. Those had are former ones, and those of versions
// that do not follow yet. It is no edit of those rows, so that their lock versions stay. The documents inside
// that got it are returned, in order.
func Follow(ctx context.Context, q row.Queries, h Holder, policy row.Written, former ...row.Written) (inside []corpus.DocumentID, err error) {
	rows, err := q.QueryContext(ctx, `SELECT DISTINCT policy FROM documents WHERE tenant = ? AND base = ? AND key = ? AND status = 'archived'`, h.Tenant, h.Base, h.Key)
	had, err := row.Collect(rows, err, row.Text[string])
	for _, f := range had {
		former = append(former, row.Written{Text: f})
	}
	for _, f := range former {
		if err == nil && f.Text != policy.Text {
			var got []corpus.DocumentID
			got, err = follow(ctx, q, h, f, policy)
			inside = append(inside, got...)
		}
	}
	if err == nil {
		_, err = q.ExecContext(ctx, `UPDATE documents SET policy = ? WHERE tenant = ? AND base = ? AND key = ? AND (status = 'archived' OR status = 'draft' AND own_policy = 0)`,
			policy, h.Tenant, h.Base, h.Key)
	}
	slices.Sort(inside)
	return slices.Compact(inside), err
}

// Tell adds to what the ledger says of a change which documents inside others it reached.
func Tell(body map[string]any, inside []corpus.DocumentID) map[string]any {
	if len(inside) > 0 {
		body["documents"] = inside
	}
	return body
}

func follow(ctx context.Context, q row.Queries, h Holder, former, policy row.Written) ([]corpus.DocumentID, error) {
	rows, err := q.QueryContext(ctx, `WITH RECURSIVE inside (key) AS (
  SELECT c.key FROM documents d JOIN contents c ON c.holder = d.row WHERE d.tenant = ?1 AND d.base = ?2 AND d.key = ?3 AND c.document <> ''
  UNION SELECT c.key FROM inside i JOIN documents d ON d.tenant = ?1 AND d.base = ?2 AND d.key = i.key
    JOIN contents c ON c.holder = d.row WHERE c.document <> '')
UPDATE documents SET policy = ?5 WHERE tenant = ?1 AND base = ?2 AND key IN (SELECT key FROM inside) AND policy = ?4
AND status IN ('reserved', 'draft', 'published', 'archived') RETURNING id`, h.Tenant, h.Base, h.Key, former, policy)
	return row.Collect(rows, err, row.Text[corpus.DocumentID])
}

// Erase removes the names of what was in a version. Keys that have documents stay, as those of any document.
func Erase(ctx context.Context, q row.Queries, holder int64) error {
	for _, statement := range []string{
		`DELETE FROM contents WHERE holder = ? AND (document = '' OR NOT EXISTS (
  SELECT 1 FROM documents d WHERE d.tenant = contents.tenant AND d.base = contents.base AND d.key = contents.key))`,
		`UPDATE contents SET path = '', detail = '' WHERE holder = ?`,
	} {
		if _, err := q.ExecContext(ctx, statement, holder); err != nil {
			return err
		}
	}
	return nil
}
