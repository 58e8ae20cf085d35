package desk

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Document is one version with the actor's own level on its knowledge base.
type Document struct {
	corpus.Document
	Level access.Level
}

// Documents lists versions in a knowledge base: drafts and archived ones for editors, published
// ones for readers. With a user to look as, it is as Bases says.
func (d *Desk) Documents(ctx context.Context, actor access.Actor, f corpus.Filter, as access.UserID) (corpus.Page[Document], error) {
	var out corpus.Page[Document]
	err := d.looking(ctx, actor, access.Request{View: access.Catalog, ViewAs: as}, "documents", func(scope access.Scope) error {
		if scope.Level(f.KnowledgeBase) < access.Reader {
			return problem.Missing()
		}
		page, err := d.deps.Catalog.Documents(ctx, scope, f)
		out = corpus.Page[Document]{Next: page.Next}
		for _, doc := range page.Items {
			out.Items = append(out.Items, Document{doc, scope.Level(doc.KnowledgeBase)})
		}
		return err
	})
	if err != nil {
		return corpus.Page[Document]{}, err
	}
	return out, nil
}

// Document returns the metadata of one version.
func (d *Desk) Document(ctx context.Context, actor access.Actor, id corpus.DocumentID) (Document, error) {
	var out Document
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		out = Document{doc, scope.Level(doc.KnowledgeBase)}
		return err
	})
	return out, err
}

// Versions lists all versions of a document's key that the actor may list, newest first.
func (d *Desk) Versions(ctx context.Context, actor access.Actor, id corpus.DocumentID) ([]Document, error) {
	var out []Document
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		out = nil
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		if err != nil {
			return err
		}
		f := corpus.Filter{KnowledgeBase: doc.KnowledgeBase, Key: doc.Key, Limit: 200}
		for {
			page, err := d.deps.Catalog.Documents(ctx, scope, f)
			if err != nil {
				return err
			}
			for _, v := range page.Items {
				out = append(out, Document{v, scope.Level(v.KnowledgeBase)})
			}
			if f.After = page.Next; f.After == "" {
				break
			}
		}
		slices.SortFunc(out, func(a, b Document) int { return cmp.Compare(b.Version, a.Version) })
		return nil
	})
	return out, err
}

// EditDocument changes a version's metadata. It needs editor; the policy needs manager.
func (d *Desk) EditDocument(ctx context.Context, actor access.Actor, id corpus.DocumentID, c corpus.Change) (Document, error) {
	if err := checkChange(c); err != nil {
		return Document{}, err
	}
	var out Document
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		if err != nil {
			return err
		}
		least := access.Editor
		if c.Policy != nil {
			least = access.Manager
		}
		switch {
		case scope.Level(doc.KnowledgeBase) < least:
			return problem.Missing()
		case c.LockVersion != 0 && c.LockVersion != doc.LockVersion:
			return lockConflict()
		}
		doc, err = d.deps.Catalog.Edit(ctx, scope, id, c)
		out = Document{doc, scope.Level(doc.KnowledgeBase)}
		return err
	})
	return out, err
}

func checkChange(c corpus.Change) error {
	var fields []problem.Field
	if c.Title != nil {
		if detail := badTitle(strings.TrimSpace(*c.Title)); detail != "" {
			fields = append(fields, problem.Field{Pointer: "/title", Detail: detail})
		}
	}
	if c.Labels != nil {
		if len(*c.Labels) > 50 {
			fields = append(fields, problem.Field{Pointer: "/labels", Detail: "must not be more than 50"})
		}
		for _, l := range *c.Labels {
			if detail := badName(l); detail != "" {
				fields = append(fields, problem.Field{Pointer: "/labels", Detail: detail})
				break
			}
		}
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}

// DeleteDocument hides a version at once and for good. It needs manager.
func (d *Desk) DeleteDocument(ctx context.Context, actor access.Actor, id corpus.DocumentID, lock int) error {
	return d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if err := d.managedVersion(ctx, scope, id, lock); err != nil {
			return err
		}
		return d.deps.Catalog.Delete(ctx, scope, id)
	})
}

// Passed is the last chunk of a page of chunks; the zero Passed is before the first.
type Passed struct {
	No int            `json:"no"`
	ID corpus.ChunkID `json:"id"`
}

// Chunks returns a version's chunks in order, those after a page, and the last one if there are more. Where the version
// was cut anew since that page it is problem.Conflict "chunks_renewed": its pages would be of two cuts. Reading an
// archived version is recorded.
func (d *Desk) Chunks(ctx context.Context, actor access.Actor, id corpus.DocumentID, after Passed, limit int) (out []corpus.Chunk, next Passed, err error) {
	err = d.content(ctx, actor, id, "chunks", func(scope access.Scope, _ corpus.Document) error {
		before := min(1, max(0, after.No)) // the last chunk of the page before is read again
		list, err := d.deps.Texts.Chunks(ctx, scope, id, after.No-before, limit+1+before)
		if err != nil {
			return err
		}
		if before > 0 {
			if len(list) == 0 || list[0].ID != after.ID {
				return problem.New(problem.Conflict, "chunks_renewed", "The chunks of this version were cut anew meanwhile; list them from the beginning.")
			}
			list = list[1:]
		}
		next = Passed{}
		if len(list) > limit {
			list = list[:limit]
			next = Passed{list[limit-1].No, list[limit-1].ID}
		}
		out = list
		return nil
	})
	return out, next, err
}

// Original opens the original bytes of a version. The caller closes them. Reading an archived
// version is recorded.
func (d *Desk) Original(ctx context.Context, actor access.Actor, id corpus.DocumentID) (corpus.Document, io.ReadCloser, error) {
	var doc corpus.Document
	var body io.ReadCloser
	err := d.content(ctx, actor, id, "original", func(_ access.Scope, found corpus.Document) error {
		var err error
		doc = found
		body, err = d.deps.Blobs.Open(ctx, found.Checksum)
		return err
	})
	return doc, body, err
}

// content reads something of a version that the actor may read the content of. The read of an
// archived version is in the ledger before any of it is given out.
func (d *Desk) content(ctx context.Context, actor access.Actor, id corpus.DocumentID, part string, read func(access.Scope, corpus.Document) error) error {
	audited := false
	return d.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		if err != nil {
			return err
		}
		if doc.Status == access.StatusArchived && !audited {
			if err := d.auditHistory(ctx, actor, doc, part); err != nil {
				return err
			}
			audited = true
		}
		return read(scope, doc)
	})
}
