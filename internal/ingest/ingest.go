// Package ingest takes originals in and turns them into published versions: upload, parse,
// chunk, index, publish, as durable jobs under leases.
//
// An upload reserves its identity and returns at once; a worker does the rest. Nothing of a
// version can be found before the one transaction that publishes it, and a file that fails
// leaves only its job, with a reason that names the file and the cause.
package ingest

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/problem"
)

// Intake takes uploads in for an actor.
type Intake struct {
	Directory access.Directory
	Catalog   corpus.Catalog
	Blobs     corpus.Blobs
	// MaxBytes bounds one original; 0 means 256 MiB.
	MaxBytes int64
}

// Upload stores the bytes and reserves the version that they will become (corpus.Catalog.Reserve
// has the rules). The actor's right to write is checked before a byte is read, and again with the
// reservation.
func (in *Intake) Upload(ctx context.Context, actor access.Actor, up corpus.Upload, body io.Reader) (corpus.Reservation, error) {
	if err := complete(&up, actor); err != nil {
		return corpus.Reservation{}, err
	}
	request := access.Request{View: access.Catalog, Bases: []access.KnowledgeBaseID{up.KnowledgeBase}}
	scope, err := access.Resolve(ctx, in.Directory, actor, request)
	if err != nil {
		return corpus.Reservation{}, err
	}
	level := access.Editor
	if up.Publish || !up.Policy.Equal(access.Policy{}) {
		level = access.Manager
	}
	if scope.Level(up.KnowledgeBase) < level {
		return corpus.Reservation{}, problem.Missing()
	}
	limit := in.MaxBytes
	if limit <= 0 {
		limit = 256 << 20
	}
	if up.Checksum, up.Size, err = in.Blobs.Put(ctx, body, limit); err != nil {
		return corpus.Reservation{}, named(err, up.FileName)
	}
	failpoint.Reach(ctx, failpoint.BlobKept)
	var reservation corpus.Reservation
	settled := false // the reservation has the bytes, or gave them up
	err = access.Within(ctx, in.Directory, actor, request, func(scope access.Scope) error {
		reservation, err = in.Catalog.Reserve(ctx, scope, up)
		settled = problem.CodeOf(err) != access.Stale().Code
		return err
	})
	if !settled {
		err = errors.Join(err, in.Blobs.Forsake(context.WithoutCancel(ctx), up.Checksum))
	}
	failpoint.Reach(ctx, failpoint.ReservationMade)
	return reservation, err
}

// complete fills in what the client left out and refuses names that could not be kept.
func complete(up *corpus.Upload, actor access.Actor) error {
	up.Operator = actor.Operator
	up.FileName = BaseName(up.FileName)
	if up.Key == "" {
		up.Key = corpus.Key(up.FileName)
	}
	var fields []problem.Field
	if !validKey(string(up.Key)) {
		fields = append(fields, problem.Field{Pointer: "/doc_key", Detail: "must be 1 to 512 characters without control characters"})
	}
	if up.ID != "" && !access.ValidID(string(up.ID)) {
		fields = append(fields, problem.Field{Pointer: "/id", Detail: "must be 1 to 64 letters, digits, dots, dashes or underscores"})
	}
	if utf8.RuneCountInString(up.Title) > 300 || !printable(up.Title) {
		fields = append(fields, problem.Field{Pointer: "/title", Detail: "must be at most 300 characters without control characters"})
	}
	if len(up.SourceURI) > 2048 || !printable(up.SourceURI) {
		fields = append(fields, problem.Field{Pointer: "/source_uri", Detail: "must be at most 2048 bytes without control characters"})
	}
	if utf8.RuneCountInString(up.Source) > 512 || !printable(up.Source) {
		fields = append(fields, problem.Field{Pointer: "/source", Detail: "must be at most 512 characters without control characters"})
	}
	if (up.Source == "") != (up.Path == "") || utf8.RuneCountInString(up.Path) > 2048 || !printable(up.Path) {
		fields = append(fields, problem.Field{Pointer: "/source_path", Detail: "must be the place of the file in its source: at most 2048 characters without control characters, and none without a source"})
	}
	if fields == nil {
		return nil
	}
	e := problem.New(problem.Invalid, "invalid_upload", "The upload of %q cannot be taken: %s %s.", up.FileName,
		strings.TrimPrefix(fields[0].Pointer, "/"), fields[0].Detail)
	e.Fields = fields
	return e
}

// BaseName returns the last element of a client's file name, whatever separators it uses, without
// control characters; "unnamed" if nothing is left.
func BaseName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if glyph.Steers(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	if name = strings.TrimSpace(name); name == "" || name == "." || name == ".." || name == "/" {
		return "unnamed"
	}
	for utf8.RuneCountInString(name) > 255 {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	return name
}

func validKey(key string) bool {
	return key != "" && utf8.RuneCountInString(key) <= 512 && printable(key)
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// named puts the file's name in front of what went wrong with it.
func named(err error, file string) error {
	if problem.Is(err, problem.Invalid) {
		return problem.Wrap(err, problem.Invalid, problem.CodeOf(err), "%s: %s", file, detail(err))
	}
	return err
}
