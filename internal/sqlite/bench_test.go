package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// stocked opens a folder with a tenant and a knowledge base that publishes directly.
func stocked(b *testing.B) *DB {
	ctx := context.Background()
	db, err := Open(ctx, b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() }) //nolint:errcheck // the folder is thrown away
	if err := db.Admin().CreateTenant(ctx, "acme", ""); err != nil {
		b.Fatal(err)
	}
	if err := db.Admin().PutUser(ctx, "acme", "root", access.Identity{User: "u1"}); err != nil {
		b.Fatal(err)
	}
	actor := access.Actor{Tenant: "acme", User: "u1"}
	err = access.Within(ctx, db.Directory(), actor, access.Request{}, func(s access.Scope) error {
		_, err := db.Bases().Create(ctx, s, access.KnowledgeBase{ID: "kb", Publishing: access.Directly})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// ingest does all that an upload of 50 chunks costs the store: bytes, reservation, claim, publication.
func ingest(b *testing.B, db *DB, i int) corpus.Document {
	ctx := context.Background()
	line := strings.Repeat("差旅住宿标准 hotel ", 20)
	body := fmt.Sprint(i, strings.Repeat(line+"\n", 50))
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader(body), 1<<20)
	if err != nil {
		b.Fatal(err)
	}
	err = access.Within(ctx, db.Directory(), access.Actor{Tenant: "acme", User: "u1"}, access.Request{}, func(s access.Scope) error {
		_, err := db.Catalog().Reserve(ctx, s, corpus.Upload{KnowledgeBase: "kb", Key: corpus.Key(fmt.Sprint(i)), Checksum: sum, Size: size, Publish: true})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	job, _, err := db.Queue().Claim(ctx, time.Hour)
	if err != nil {
		b.Fatal(err)
	}
	v := corpus.Version{Document: corpus.DocumentID(job.Subject), Text: body, Segment: make([]byte, 20_000)}
	for n := range 50 {
		v.Chunks = append(v.Chunks, corpus.Chunk{No: n + 1, Text: line, Locator: corpus.TextLocator{Format: "txt", Line: n + 1}})
	}
	d, err := db.Publisher().Publish(ctx, v, job.ID, job.Token)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func BenchmarkIngestOneDocument(b *testing.B) {
	db, i := stocked(b), 0
	for b.Loop() {
		i++
		ingest(b, db, i)
	}
}

func BenchmarkResolveAndReadOneDocument(b *testing.B) {
	db, ctx := stocked(b), context.Background()
	var d corpus.Document
	for i := range 200 {
		d = ingest(b, db, i)
	}
	for b.Loop() {
		err := access.Within(ctx, db.Directory(), access.Actor{Tenant: "acme", User: "u1"}, access.Request{}, func(s access.Scope) error {
			_, err := db.Catalog().Document(ctx, s, d.ID)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkListFiftyOfAThousand(b *testing.B) {
	db, ctx := stocked(b), context.Background()
	for i := range 1000 {
		ingest(b, db, i)
	}
	for b.Loop() {
		err := access.Within(ctx, db.Directory(), access.Actor{Tenant: "acme", User: "u1"}, access.Request{}, func(s access.Scope) error {
			page, err := db.Catalog().Documents(ctx, s, corpus.Filter{Newest: true})
			if err == nil && len(page.Items) != 50 {
				b.Fatalf("%d items", len(page.Items))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
