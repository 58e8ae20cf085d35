package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/failpoint"
)

// message is a message with files attached, each "NAME: TEXT".
func message(_ *testing.T, edition int, files ...string) string {
	b := fmt.Sprintf("Subject: 泵站 %d\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n见附件。\n", edition)
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		b += "--x\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"" + name + "\"\n\n" + text + "\n"
	}
	return b + "--x--\n"
}

// packed is an archive of files, each "NAME: TEXT".
func packed(t *testing.T, _ int, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drain lets processes work until nothing is on its way any more.
func (b *deathbed) drain() {
	b.t.Helper()
	for n := range 50 {
		b.run(add(b.write(fmt.Sprintf("other%d.md", n), formed(9000+n)))...)
		if len(b.column(`SELECT document FROM reservations`)) == 0 {
			return
		}
	}
	b.t.Error("uploads are on their way without end")
}

// TestTheFilesInAFileAreAllInOrAllOutWhereverItsProcessDies sends a second version of a file with others in
// it: one of those is another by then, one is the same, one went and one came.
func TestTheFilesInAFileAreAllInOrAllOutWhereverItsProcessDies(t *testing.T) {
	points := append(failpoint.Unpacking(), failpoint.PartRead, failpoint.VersionWritten, failpoint.LedgerWritten, failpoint.VersionPromoted, failpoint.JobEnded, failpoint.VersionPublished)
	kept := []failpoint.Point{failpoint.ContentForsaken, failpoint.VersionPublished} // after all is committed
	for name, c := range map[string]struct {
		make   func(*testing.T, int, ...string) string
		prefix []string // of the key of each file in the two versions
	}{
		"mail.eml": {message, []string{"mail.eml/2/", "mail.eml/3/", "mail.eml/4/"}},
		"pack.zip": {packed, []string{"pack.zip/", "pack.zip/", "pack.zip/"}},
	} {
		for i, at := range points {
			t.Run(name+"/"+string(at), func(t *testing.T) {
				elsewhere(t, i)
				t.Parallel()
				b := newDeathbed(t)
				changes, stays, went, came := c.prefix[0]+"changes.md", c.prefix[1]+"stays.md", c.prefix[2]+"went.md", c.prefix[2]+"came.md"
				b.run(add(b.write(name, c.make(t, 1, "changes.md: "+formed(1100), "stays.md: "+formed(5500), "went.md: "+formed(1300))))...)
				b.drain()
				path := b.write(name, c.make(t, 2, "changes.md: "+formed(2200), "stays.md: "+formed(5500), "came.md: "+formed(2400)))
				b.dies(at, add(path)...)
				b.reopen()
				b.tidy()
				want := map[string][]string{name: {"1 published", "2 reserved"}, changes: {"1 published"}, stays: {"1 published"}, went: {"1 published"}, came: {}}
				if slices.Contains(kept, at) {
					want = map[string][]string{name: {"1 archived", "2 published"}, changes: {"1 published", "2 reserved"}, stays: {"1 published"}, went: {"1 archived"}, came: {"1 reserved"}}
				}
				b.has("after the death", want)
				b.run(add(path)...)
				b.drain()
				b.tidy()
				b.has("in the end", map[string][]string{name: {"1 archived", "2 published"}, changes: {"1 archived", "2 published"}, stays: {"1 published"}, went: {"1 archived"}, came: {"1 published"}})
				for query, found := range map[string]bool{"edition2200": true, "edition2400": true, "edition5500": true, "edition1100": false, "edition1300": false} {
					if b.finds(query, query+" runs") != found {
						t.Errorf("%s is found: %t", query, !found)
					}
				}
				if out := b.run("doctor"); strings.Contains(out, "FAIL") {
					t.Error(out)
				}
			})
		}
	}
}

// has compares the versions of keys with their states.
func (b *deathbed) has(when string, want map[string][]string) {
	b.t.Helper()
	got := map[string][]string{}
	for key := range want {
		got[key] = b.versions(key)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Errorf("versions %s, -want +got:\n%s", when, diff)
	}
}
