package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// clerk is who uploads the world of a folder.
var clerk = access.Actor{Tenant: "t0", User: "clerk"}

// start measures the first search of a server over a real data folder: reading the database counts,
// and so does opening it. The folder is filled with the world if it is not there, and kept.
func start(w *world, dir string) (*startRow, error) {
	ctx := context.Background()
	if err := stock(ctx, w, dir); err != nil {
		return nil, err
	}
	row := &startRow{}
	for range 3 {
		if err := once(ctx, w, dir, row); err != nil {
			return nil, err
		}
		row.Load = max(row.Load, machineLoad())
	}
	return row, nil
}

// once starts a server over the folder, asks it, and lets it keep what it merged and publish a few
// versions. What a first server over a fresh folder needs is not counted: nothing was kept for it.
func once(ctx context.Context, w *world, dir string, row *startRow) error {
	wall, cpu := time.Now(), processTime()
	db, err := sqlite.Open(ctx, dir, sqlite.Options{Serve: true})
	if err != nil {
		return err
	}
	defer db.Close()
	opened := time.Since(wall)
	// As the command does when it opens a folder.
	if _, err := retrieval.Renew(ctx, db.Segments(), nil); err != nil {
		return err
	}
	renewed := time.Since(wall) - opened
	list, err := db.Merged().Numbers(ctx, clerk.Tenant)
	if err != nil {
		return err
	}
	local := retrieval.NewLocal(db.Segments())
	local.Merged = db.Merged()
	asked := time.Now()
	if _, err := local.Keyword(ctx, unscoped.Scope(clerk.Tenant), "policy 制度", best); err != nil {
		return err
	}
	all, spent := time.Since(wall), processTime()-cpu
	log.Printf("start: open %.2f s, outdated segments %.2f s, first search %.2f s; together %.2f s of wall time, %.2f s of processor",
		opened.Seconds(), renewed.Seconds(), time.Since(asked).Seconds(), all.Seconds(), spent.Seconds())
	if len(list) > 0 {
		row.Seconds, row.CPU = append(row.Seconds, all.Seconds()), append(row.CPU, spent.Seconds())
	}
	size, err := keep(ctx, local, db)
	if err != nil {
		return err
	}
	log.Printf("kept: %d MB", size>>20)
	return appear(ctx, w, db, local, row)
}

// appear measures how long it takes from the moment that a version with its segment is handed to the
// store until a search has found it: documents of fifty chunks, each with a word of its own.
func appear(ctx context.Context, w *world, db *sqlite.DB, local *retrieval.Local, row *startRow) error {
	var walls, cpus, searches []time.Duration
	for i := range 20 {
		d := w.document(w.versions + i)
		// Letters alone, since the parts of a word with digits are words too.
		word := strings.Map(func(r rune) rune { return 'b' + r - '0' }, fmt.Sprint(time.Now().UnixNano()))
		d.resource.DocKey = word
		d.chunks[len(d.chunks)/2].Text += " " + word
		for c := range d.chunks {
			d.chunks[c].ID = corpus.ChunkID(fmt.Sprintf("%s.%d", word, c))
		}
		wall, cpu := time.Now(), processTime()
		if err := shelve(ctx, db, d); err != nil {
			return err
		}
		stored := time.Since(wall)
		found, err := local.Keyword(ctx, unscoped.Scope(clerk.Tenant), word, best)
		if err != nil {
			return err
		}
		if len(found.Matches) != 1 {
			return fmt.Errorf("the new version was found %d times", len(found.Matches))
		}
		walls, cpus, searches = append(walls, time.Since(wall)), append(cpus, processTime()-cpu), append(searches, time.Since(wall)-stored)
	}
	for _, list := range [][]time.Duration{walls, cpus, searches} {
		slices.Sort(list)
	}
	middle, last := len(walls)/2, len(walls)-1
	row.Publish, row.PublishCPU = [2]float64{ms(walls[middle]), ms(walls[last])}, [2]float64{ms(cpus[middle]), ms(cpus[last])}
	log.Printf("published and found: median %.1f ms, slowest %.1f ms of wall time; median %.1f ms, slowest %.1f ms of processor; of it the search median %.1f ms, slowest %.1f ms",
		row.Publish[0], row.Publish[1], row.PublishCPU[0], row.PublishCPU[1], ms(searches[middle]), ms(searches[last]))
	return nil
}

// stock publishes the world into a folder, unless there is one already.
func stock(ctx context.Context, w *world, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	db, err := sqlite.Open(ctx, dir, sqlite.Options{Ephemeral: true})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Admin().CreateTenant(ctx, clerk.Tenant, ""); err != nil {
		return err
	}
	if err := db.Admin().PutUser(ctx, clerk.Tenant, "clerk", access.Identity{User: clerk.User}); err != nil {
		return err
	}
	err = access.Within(ctx, db.Directory(), clerk, access.Request{}, func(s access.Scope) error {
		_, err := db.Bases().Create(ctx, s, access.KnowledgeBase{ID: kb, Publishing: access.Directly})
		return err
	})
	for i := 0; err == nil && i < w.versions; i++ {
		err = shelve(ctx, db, w.document(i))
		if i%1000 == 999 {
			log.Printf("%d versions stored", i+1)
		}
	}
	return err
}

// shelve does what an upload of a version does to the store.
func shelve(ctx context.Context, db *sqlite.DB, d document) error {
	segment, err := index.Build(d.title, d.chunks)
	if err != nil {
		return err
	}
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader(d.resource.DocKey), 1<<20)
	if err != nil {
		return err
	}
	policy := d.resource.Policy
	policy.Allow = append(policy.Allow, access.User(clerk.User)) // nobody may shut oneself out
	err = access.Within(ctx, db.Directory(), clerk, access.Request{}, func(s access.Scope) error {
		_, err := db.Catalog().Reserve(ctx, s, corpus.Upload{
			KnowledgeBase: kb, Key: corpus.Key(d.resource.DocKey), Title: d.title, Checksum: sum, Size: size, Policy: policy, Publish: true,
		})
		return err
	})
	if err != nil {
		return err
	}
	job, ok, err := db.Queue().Claim(ctx, time.Hour)
	if err != nil || !ok {
		return fmt.Errorf("no job of version %s: %w", d.id, err)
	}
	v := corpus.Version{Document: corpus.DocumentID(job.Subject), Chunks: d.chunks, Segment: segment}
	for i := range v.Chunks {
		v.Chunks[i].Locator = corpus.TextLocator{Format: "txt", Line: i + 1}
		v.Text += v.Chunks[i].Text + "\n"
	}
	_, err = db.Publisher().Publish(ctx, v, job.ID, job.Token)
	return err
}

// keep lets a server merge and keep what it has loaded, and returns the bytes of that.
func keep(ctx context.Context, local *retrieval.Local, db *sqlite.DB) (size int, err error) {
	local.Settle()
	ctx, stop := context.WithCancel(ctx)
	var keeping sync.WaitGroup
	keeping.Go(func() { local.Keep(ctx, nil) })
	defer keeping.Wait()
	defer stop()
	for last := -1; size != last || size == 0; time.Sleep(3 * time.Second) {
		last, size = size, 0
		list, _, err := db.Merged().Merged(ctx, clerk.Tenant)
		if err != nil {
			return 0, err
		}
		for _, k := range list {
			size += len(k.Bytes)
		}
	}
	return size, nil
}
