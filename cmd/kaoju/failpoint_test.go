package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// dieAt names to a child process of these tests the point at which it kills itself.
const dieAt = "KAOJU_TEST_DIE_AT"

// deathbed is a data folder on which processes die.
type deathbed struct {
	t          *testing.T
	data, temp string
	docs       string
}

func newDeathbed(t *testing.T) *deathbed {
	t.Helper()
	b := &deathbed{t: t, data: filepath.Join(t.TempDir(), "data"), temp: t.TempDir(), docs: t.TempDir()}
	b.run("kb", "create", "k", "--publishing", "direct")
	return b
}

// run runs a command here, which must succeed.
func (b *deathbed) run(args ...string) string {
	b.t.Helper()
	status, out, errs := kaoju(b.t, append(args, "--data", b.data)...)
	if status != exitDone {
		b.t.Fatalf("kaoju %v: status %d\n%s%s", args, status, out, errs)
	}
	return out
}

func (b *deathbed) write(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.docs, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// add is the command line that takes a file in, with its vectors.
func add(path string) []string {
	return []string{"add", path, "--kb", "k", "--publish", "--wait", "vectors"}
}

// process is a command that kills itself at a point.
func (b *deathbed) process(at failpoint.Point, args ...string) *exec.Cmd {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(self, append(args, "--data", b.data)...)
	cmd.Env = append(os.Environ(), dieAt+"="+string(at), "TMPDIR="+b.temp)
	return cmd
}

// dies runs a command in a process that kills itself at a point.
func (b *deathbed) dies(at failpoint.Point, args ...string) {
	b.t.Helper()
	out, err := b.process(at, args...).CombinedOutput()
	b.killed(err, at, out)
}

func (b *deathbed) killed(err error, at failpoint.Point, out []byte) {
	b.t.Helper()
	end, ok := err.(*exec.ExitError)
	if !ok || end.Exited() && runtime.GOOS != "windows" {
		b.t.Fatalf("the process did not die at %q: %v\n%s", at, err, out)
	}
}

// reopen does what the next process does first, and changes nothing else.
func (b *deathbed) reopen() {
	b.t.Helper()
	db, err := sqlite.Open(b.t.Context(), b.data, sqlite.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.t.Fatal(err)
	}
}

// column returns the first column of a query, row by row.
func (b *deathbed) column(query string, args ...any) []string {
	b.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.data, "kaoju.db")+"?_pragma=busy_timeout(10000)") // a process that just ended may have left it to be recovered
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query, args...)
	if err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			b.t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return out
}

// orphans are rows that belong to nothing, or that nobody will take care of.
var orphans = map[string]string{
	"broken references":             `SELECT "table" FROM pragma_foreign_key_check`,
	"jobs that somebody still has":  `SELECT id FROM jobs WHERE state = 'running'`,
	"vectors that somebody is at":   `SELECT id FROM embeddings WHERE due_at > unixepoch() * 1000000`,
	"uploads that nobody waits for": `SELECT checksum FROM blobs WHERE pending <> 0`,
	"bytes of nothing":              `SELECT checksum FROM blobs WHERE checksum NOT IN (SELECT checksum FROM documents)`,
	"open jobs of nothing":          `SELECT id FROM jobs WHERE state = 'queued' AND id NOT IN (SELECT job FROM reservations)`,
	"reservations without a job":    `SELECT d.id FROM documents d WHERE status = 'reserved' AND row NOT IN (SELECT document FROM reservations)`,
	"reserved versions with text":   `SELECT d.id FROM documents d JOIN texts x ON x.document = d.row WHERE d.status = 'reserved'`,
	"reserved versions with chunks": `SELECT c.id FROM documents d JOIN chunks c ON c.document = d.row WHERE d.status = 'reserved'`,
	"reserved versions, searchable": `SELECT d.id FROM documents d JOIN segments s ON s.document = d.row WHERE d.status = 'reserved'`,
	"reserved versions, embedded":   `SELECT d.id FROM documents d JOIN vectors s ON s.document = d.row WHERE d.status = 'reserved'`,
	"reserved versions, recorded":   `SELECT d.id FROM documents d JOIN entries e ON e.body ->> 'document' = d.id WHERE d.status = 'reserved'`,
	"versions that lack something": `SELECT d.id FROM documents d WHERE d.status <> 'reserved' AND (
  NOT EXISTS (SELECT 1 FROM texts x WHERE x.document = d.row) OR d.chunk_count > 0 AND NOT EXISTS (SELECT 1 FROM segments s WHERE s.document = d.row)
  OR (SELECT count(*) FROM chunks c WHERE c.document = d.row) <> d.chunk_count OR d.chunk_count = 0 AND d.media_type <> 'application/zip'
  OR (SELECT count(*) FROM entries e WHERE e.kind = 'document.added' AND e.body ->> 'document' = d.id) <> 1
  OR (SELECT count(*) FROM entries e WHERE e.kind = 'document.published' AND e.body ->> 'document' = d.id) <> 1)`,
	"files inside others, of no version":           `SELECT path FROM contents WHERE holder NOT IN (SELECT row FROM documents WHERE status <> 'reserved')`,
	"files inside others that are nowhere":         `SELECT path FROM contents WHERE document <> '' AND document NOT IN (SELECT id FROM documents)`,
	"files inside others, of which one is missing": `SELECT holder FROM contents GROUP BY holder HAVING count(*) <> max(no)`,
	"versions with neither vectors nor a job for them": `SELECT d.id FROM documents d WHERE d.status <> 'reserved' AND d.chunk_count > 0
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.document = d.row) AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.document = d.row)`,
}

// tidy checks that a folder holds whole versions and work to do, and nothing else.
func (b *deathbed) tidy() {
	b.t.Helper()
	for what, query := range orphans {
		if got := b.column(query); len(got) > 0 {
			b.t.Errorf("%s: %v", what, got)
		}
	}
	want := []string{}
	for _, sum := range b.column(`SELECT DISTINCT checksum FROM documents`) {
		want = append(want, sum[:2]+"/"+sum[2:])
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, b.files(filepath.Join(b.data, "blobs"))); diff != "" {
		b.t.Errorf("originals, -those of versions +those on the disk:\n%s", diff)
	}
	for _, dir := range []string{filepath.Join(b.data, "spool"), filepath.Join(b.data, "cache"), b.temp} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			b.t.Errorf("left in %s: %v (%v)", dir, entries, err)
		}
	}
}

func (b *deathbed) files(dir string) []string {
	b.t.Helper()
	out := []string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// versions returns the versions of a key with their states, oldest first.
func (b *deathbed) versions(key string) []string {
	b.t.Helper()
	return b.column(`SELECT version || ' ' || status FROM documents WHERE key = ? ORDER BY version`, key)
}

func (b *deathbed) finds(query, text string) bool {
	b.t.Helper()
	return strings.Contains(b.run("search", query, "--json"), text)
}

// formed writes a file whose words can be found again.
func formed(n int) string {
	return fmt.Sprintf("# 泵站规程\n\n转速为 %d 转。The pump of edition%d runs at %d rpm.\n", n, n, n)
}

// elsewhere skips three points of four under the race detector, which makes each start of a process several times as long and is
// shown the same code at the others. The run without it dies at every point.
func elsewhere(t *testing.T, point int) {
	t.Helper()
	if raced && point%4 != 0 {
		t.Skip("a process dies at this point in the run without the race detector")
	}
}

func TestAFileIsWhollyInOrWhollyOutWhereverItsProcessDies(t *testing.T) {
	published := slices.Index(failpoint.Taking(), failpoint.VersionPublished)
	reserved := slices.Index(failpoint.Taking(), failpoint.ReservationMade)
	for i, at := range failpoint.Taking() {
		t.Run(string(at), func(t *testing.T) {
			elsewhere(t, i)
			t.Parallel()
			b := newDeathbed(t)
			b.run(add(b.write("pump.md", formed(1100)))...)
			path := b.write("pump.md", formed(2200))
			b.dies(at, add(path)...)
			b.reopen()
			b.tidy()
			want := []string{"1 published"}
			if in := i >= published; in {
				want = []string{"1 archived", "2 published"}
			} else if i >= reserved {
				want = append(want, "2 reserved")
			}
			if diff := cmp.Diff(want, b.versions("pump.md")); diff != "" {
				t.Errorf("versions after the death, -want +got:\n%s", diff)
			}
			if old, new := b.finds("edition1100", "edition1100 runs"), b.finds("edition2200", "edition2200 runs"); old == new || new != (i >= published) {
				t.Errorf("the former version is found: %t, the new one: %t", old, new)
			}
			ids := b.column(`SELECT id FROM documents WHERE version = 2`)

			b.run(add(path)...)
			b.tidy()
			if diff := cmp.Diff([]string{"1 archived", "2 published"}, b.versions("pump.md")); diff != "" {
				t.Errorf("versions after the same bytes again, -want +got:\n%s", diff)
			}
			if now := b.column(`SELECT id FROM documents WHERE version = 2`); len(ids) > 0 && now[0] != ids[0] {
				t.Errorf("the same bytes are now the version %s, and were %s", now, ids)
			}
			if open := b.column(`SELECT id FROM embeddings`); len(open) > 0 || !b.finds("edition2200", "edition2200 runs") {
				t.Errorf("the version is not found, or has no vectors: %v", open)
			}
			b.run(add(b.write("next.md", formed(3300)))...)
			if !b.finds("edition3300", "edition3300 runs") {
				t.Error("the next file is not found")
			}
			if out := b.run("doctor"); strings.Contains(out, "FAIL") {
				t.Error(out)
			}
		})
	}
}

func TestAFileWhoseProcessDiesInTheMiddleOfItsReadingIsWhollyOut(t *testing.T) {
	slide := func(text string) string {
		return `<p:sp><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	b := newDeathbed(t)
	path := b.write("show.pptx", string(ooxmltest.PPTX(t, []string{slide("The pump of edition2200 runs."), slide("转速为 2200 转。")}, nil)))
	b.dies(failpoint.PartRead, add(path)...)
	b.reopen()
	b.tidy()
	if diff := cmp.Diff([]string{"1 reserved"}, b.versions("show.pptx")); diff != "" {
		t.Errorf("versions after the death, -want +got:\n%s", diff)
	}
	id := b.column(`SELECT id FROM documents`)
	b.run(add(path)...)
	b.tidy()
	if diff := cmp.Diff(id, b.column(`SELECT id FROM documents WHERE status = 'published'`)); diff != "" {
		t.Errorf("the document, -reserved +published:\n%s", diff)
	}
	if !b.finds("转速", "转速为") {
		t.Error("the second slide is not found")
	}
}

func TestARefusedFileLeavesNothingWhereverItsProcessDies(t *testing.T) {
	for i, at := range failpoint.Refusing() {
		t.Run(string(at), func(t *testing.T) {
			elsewhere(t, i)
			t.Parallel()
			b := newDeathbed(t)
			path := b.write("pump.md", "")
			b.dies(at, add(path)...)
			b.reopen()
			b.tidy()
			want := []string{}
			if i < slices.Index(failpoint.Refusing(), failpoint.RefusalKept) {
				want = []string{"1 reserved"}
			}
			if diff := cmp.Diff(want, b.versions("pump.md")); diff != "" {
				t.Errorf("versions after the death, -want +got:\n%s", diff)
			}
			status, out, errs := kaoju(t, append(add(path), "--data", b.data)...)
			if status != exitFailed || !strings.Contains(errs, "empty_document") {
				t.Errorf("the same bytes again: status %d\n%s%s", status, out, errs)
			}
			b.run(add(b.write("pump.md", formed(2200)))...)
			b.tidy()
			if diff := cmp.Diff([]string{"1 published"}, b.versions("pump.md")); diff != "" {
				t.Errorf("versions in the end, -want +got:\n%s", diff)
			}
			if !b.finds("edition2200", "edition2200 runs") {
				t.Error("the file that can be read is not found")
			}
		})
	}
}
