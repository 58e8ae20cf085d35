package intake

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// holding is a version that was just settled, with what is in its file.
type holding struct {
	wish
	contents.Holder
	kb        access.KnowledgeBase
	at        contents.Place
	published bool
	// scope is that of the owner at this moment. It is of no meaning for the operator.
	scope access.Scope
}

// takeContents reserves what is in the file of a version, each file as if the owner uploaded it. What can't
// be taken is noted and left out.
func takeContents(ctx context.Context, t *database.Tx, w wish, kb access.KnowledgeBase, v corpus.Version, d corpus.Document) error {
	if !v.Holds || d.ID != w.ID {
		return nil // or its bytes were those of a version that has its contents
	}
	h := holding{
		wish: w, kb: kb, published: d.Status == access.StatusPublished,
		Holder: versions.HolderOf(w.Row),
	}
	h.Policy = d.Policy
	var err error
	if h.at, err = contents.PlaceOf(ctx, t, h.Holder); err != nil {
		return err
	}
	total, err := contents.Total(ctx, t, h.at.Root)
	if err != nil {
		return err
	}
	if !w.up.Operator {
		h.scope, err = access.Resolve(ctx, directory.Within(t), access.Actor{Tenant: w.Tenant, User: access.UserID(w.owner)}, access.Request{})
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
	}
	for i, c := range v.Contents {
		note, err := h.note(ctx, t, c, total+i)
		if err = errors.Join(err, contents.Put(ctx, t, h.Holder, h.at, i+1, note)); err != nil {
			return err
		}
		failpoint.Reach(ctx, failpoint.ContentReserved)
	}
	if !h.published {
		return nil
	}
	err = h.archiveGone(ctx, t)
	failpoint.Reach(ctx, failpoint.ContentsArchived)
	return err
}

// note takes one content, and says what became of it. before is how many came with the same upload.
func (h *holding) note(ctx context.Context, t *database.Tx, c corpus.Content, before int) (queue.Content, error) {
	note := queue.Content{Path: c.Path, Key: string(h.Key) + "/" + c.Path, Code: c.Code, Detail: c.Detail}
	var err error
	if h.at.Refuse(&note, before); note.Code == "" {
		err = h.take(ctx, t, c, &note)
	}
	return note, err
}

// may reports whether the owner may write to a document's versions.
func (h *holding) may(level access.Level, there []versions.Row) bool {
	if h.up.Operator {
		return true
	}
	if !h.scope.Valid() || h.scope.Level(h.kb.ID) < level {
		return false
	}
	for _, v := range there {
		if !versions.MayWrite(h.scope, v.Document, level) {
			return false
		}
	}
	return true
}

// take reserves one content. Whatever keeps it from its key is one answer: what has the key may be nothing
// that the owner can see.
func (h *holding) take(ctx context.Context, t *database.Tx, c corpus.Content, note *queue.Content) error {
	up := corpus.Upload{
		KnowledgeBase: h.Base, Key: corpus.Key(note.Key), FileName: c.FileName, MediaType: c.MediaType, Checksum: c.Checksum, Size: c.Size,
		OwnPolicy: h.up.OwnPolicy, Publish: h.published, Operator: h.up.Operator,
	}
	if !keyable(up) {
		note.Code, note.Detail = "invalid_doc_key", "The path of the file is too long for a document key, or has control characters."
		return nil
	}
	r := reservation{scope: h.scope, actor: access.UserID(h.owner), kb: h.kb, up: up}
	var err error
	if r.there, err = versions.Of(ctx, t, h.Tenant, h.Base, up.Key); err != nil {
		return err
	}
	// A document that is there keeps the policy that it has.
	if _, former := versions.Newest(r.there); !former || up.OwnPolicy {
		r.up.Policy = h.Policy
	}
	came, level := true, access.Editor
	if len(r.there) > 0 {
		if came, err = contents.Came(ctx, t, h.Holder, up.Key); err != nil {
			return err
		}
	}
	if h.published || up.OwnPolicy {
		level = access.Manager
	}
	if !came || !h.may(level, r.there) {
		note.Code, note.Detail = "doc_key_taken", "Another document has this key, or you may not write to it."
		return nil
	}
	res, err := r.settle(ctx, t)
	if p := (*problem.Error)(nil); errors.As(err, &p) && p.Kind == problem.Conflict {
		note.Code, note.Detail = p.Code, p.Detail
		return nil
	}
	note.Document, note.Version, note.Job = string(res.Document), res.Version, res.Job
	return err
}

// keyable reports whether the path of a content makes a document key, as an upload may have it.
func keyable(up corpus.Upload) bool {
	return validUpload(up) == nil && utf8.RuneCountInString(string(up.Key)) <= maxKeyRunes
}

// maxKeyRunes bounds a document key in code points, as for an upload.
const maxKeyRunes = 512

// archiveGone takes those versions out of force that came out of an earlier version and are not in this
// one, and calls off their uploads that are on the way. One that came another way stays.
func (h *holding) archiveGone(ctx context.Context, t *database.Tx) error {
	gone, err := contents.Gone(ctx, t, h.Holder)
	if err != nil {
		return err
	}
	for _, left := range gone {
		all, err := versions.Of(ctx, t, h.Tenant, h.Base, left.Key)
		if err != nil {
			return err
		}
		if !h.may(access.Manager, all) {
			continue
		}
		for _, v := range all {
			if err := h.withdraw(ctx, t, v, left); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *holding) withdraw(ctx context.Context, t *database.Tx, v versions.Row, left contents.Left) error {
	switch {
	case !left.Came[v.ID]:
	case v.Status == access.StatusPublished:
		if err := versions.Withdraw(ctx, t, &v, access.StatusArchived); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.DocumentArchived, v.Tenant, access.UserID(h.owner), versions.Body(v.Document))
	case v.Status == access.StatusReserved:
		w, err := reservationOf(ctx, t, v.Number)
		if err != nil {
			return err
		}
		j, err := scanJob(t.QueryRowContext(ctx, selectJob+`WHERE id = ?`, w.job))
		if err != nil {
			return err
		}
		return callOff(ctx, t, j)
	}
	return nil
}
