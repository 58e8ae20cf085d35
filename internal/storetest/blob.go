package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

var blobTests = []test{
	{"ForsakenBytesAreGoneUnlessSomebodyElseHasThem", func(_ *testing.T, w *World) {
		gone, _ := w.put("gone")
		ctx, cancel := context.WithCancel(w.ctx)
		cancel() // the client that sent them has left
		w.ok(w.Blobs.Forsake(ctx, gone))
		_, err := w.Blobs.Open(w.ctx, gone)
		w.want(err, "not_found")
		twice, _ := w.put("twice")
		w.put("twice")
		w.ok(w.Blobs.Forsake(w.ctx, twice))
		is(w, "bytes of another upload", w.original(twice), "twice")
		w.ok(w.Blobs.Forsake(w.ctx, twice))
		_, err = w.Blobs.Open(w.ctx, twice)
		w.want(err, "not_found")
		d := w.add("carol", "k", "kept", published)
		w.put("kept")
		w.ok(w.Blobs.Forsake(w.ctx, d.Checksum))
		is(w, "bytes of a version", w.original(d.Checksum), "kept")
	}},
	{"BytesComeBackUnchangedUnderTheirChecksum", func(t *testing.T, w *World) {
		for _, text := range []string{"", "文字", strings.Repeat("x", 200_000), "\x00\xff\r\n"} {
			sum, size, err := w.Blobs.Put(w.ctx, iotest.OneByteReader(strings.NewReader(text)), 1<<20)
			w.ok(err)
			is(w, "checksum", sum, sumOf(text))
			is(w, "size", size, int64(len(text)))
			if got := w.original(sum); got != text {
				t.Fatalf("%d bytes came back as %d", len(text), len(got))
			}
		}
	}},
	{"StoringIsIdempotent", func(_ *testing.T, w *World) {
		a, _ := w.put("text")
		b, _ := w.put("text")
		is(w, "checksum", a, b)
		is(w, "bytes", w.original(a), "text")
	}},
	{"TooManyBytesAreRefusedAndNotKept", func(_ *testing.T, w *World) {
		_, _, err := w.Blobs.Put(w.ctx, strings.NewReader("12345"), 4)
		w.want(err, "too_large")
		is(w, "kind", problem.KindOf(err), problem.Invalid)
		_, err = w.Blobs.Open(w.ctx, sumOf("12345"))
		w.want(err, "not_found")
		_, _, err = w.Blobs.Put(w.ctx, strings.NewReader("1234"), 4)
		w.ok(err)
	}},
	{"ABrokenUploadIsNotKept", func(t *testing.T, w *World) {
		_, _, err := w.Blobs.Put(w.ctx, io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("reset"))), 100)
		w.want(err, "upload_interrupted")
		_, err = w.Blobs.Open(w.ctx, sumOf("half"))
		w.want(err, "not_found")
		own := problem.New(problem.Invalid, "too_large", "The body is too large.")
		if _, _, err := w.Blobs.Put(w.ctx, iotest.ErrReader(own), 100); !errors.Is(err, own) {
			t.Fatalf("the reader's own problem became %v", err)
		}
		ctx, cancel := context.WithCancel(w.ctx)
		cancel()
		if _, _, err := w.Blobs.Put(ctx, strings.NewReader("late"), 100); !errors.Is(err, context.Canceled) {
			t.Fatalf("a cancelled upload got %v", err)
		}
	}},
	{"OnlyAChecksumOpensAnything", func(_ *testing.T, w *World) {
		sum, _ := w.put("text")
		for _, s := range []corpus.Checksum{"", "../../kaoju.db", "..", sum[:10], corpus.Checksum(strings.ToUpper(string(sum))), sum + "0", sumOf("absent")} {
			_, err := w.Blobs.Open(w.ctx, s)
			w.want(err, "not_found")
		}
	}},
	{"AnUploadBetweenPutAndReserveKeepsItsBytes", func(_ *testing.T, w *World) {
		w.reserved("carol", "text", corpus.Upload{Key: "k"})
		job := w.claim()
		sum, size := w.put("text") // a second upload of the same bytes, not reserved yet
		w.ok(w.Publisher.Release(w.ctx, corpus.DocumentID(job.Subject), job.ID, job.Token, problem.New(problem.Invalid, "x", "x")))
		is(w, "bytes", w.original(sum), "text")
		_, err := w.Catalog.Reserve(w.ctx, w.scope("carol", access.Catalog), corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size})
		w.ok(err)
		w.work()
	}},
	{"ConcurrentUploadsAndReleasesOfTheSameBytesLoseNone", func(t *testing.T, w *World) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 10 {
					if err := w.putAndDrop("the same bytes"); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		_, err := w.Blobs.Open(w.ctx, sumOf("the same bytes"))
		w.want(err, "not_found")
	}},
}

// putAndDrop uploads, reads what it uploaded, and cancels the job.
func (w *World) putAndDrop(text string) error {
	sum, size, err := w.Blobs.Put(w.ctx, strings.NewReader(text), 100)
	if err != nil {
		return err
	}
	var res corpus.Reservation
	actor := access.Actor{Tenant: acme, User: "carol"}
	err = access.Within(w.ctx, w.Directory, actor, access.Request{View: access.Catalog}, func(s access.Scope) (err error) {
		res, err = w.Catalog.Reserve(w.ctx, s, corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size})
		return err
	})
	if err != nil {
		return err
	}
	r, err := w.Blobs.Open(w.ctx, sum)
	if err == nil {
		b, _ := io.ReadAll(r)
		r.Close() //nolint:errcheck // it was only read
		if !bytes.Equal(b, []byte(text)) {
			return errors.New("other bytes came back")
		}
	} else if j, jobErr := w.Jobs.Job(w.ctx, string(acme), "carol", res.Job); jobErr != nil || !j.State.Final() {
		return err // the job is open, and its bytes are gone
	}
	_, err = w.Jobs.Cancel(w.ctx, string(acme), "carol", res.Job)
	return err
}
