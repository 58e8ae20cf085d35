package parse_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// entry is a file of an archive that a test writes.
type entry struct {
	name, text string
	flags      uint16
	mode       os.FileMode
}

func archiveOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, NonUTF8: true, Flags: e.flags}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// insideOf returns what is in a file as "PATH: TEXT" or "PATH code", and how that ended.
func insideOf(f parse.File) (out []string, err error) {
	err = parse.Limits{}.Contents(context.Background(), f, func(c parse.Content) error {
		if c.Code != "" {
			out = append(out, c.Path+" "+c.Code)
		} else {
			out = append(out, c.Path+": "+string(c.Data))
		}
		return nil
	})
	return out, err
}

func TestTheFilesOfAnArchiveAreTakenOut(t *testing.T) {
	data := archiveOf(t, entry{name: "a/b.md", text: "one"}, entry{name: "a/"}, entry{name: "c.md", text: "two"}, entry{name: "C.md", text: "three"},
		entry{name: "d.bin", text: "x"}, entry{name: "e.ZIP", text: "PK"}, entry{name: "f.md"}, entry{name: ".git/g.md", text: "x"},
		entry{name: "__MACOSX/._c.md", text: "x"}, entry{name: "locked.md", text: "x", flags: 1})
	got, err := insideOf(parse.File{Name: "a.zip", Data: data})
	want := []string{"a/b.md: one", "c.md: two", "C.md: three", "d.bin unknown_type", "e.ZIP archive_nested", "f.md empty_document", "locked.md document_encrypted"}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, d)
	}
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.zip", Data: data})
	if err != nil || r.Format != parse.FormatZIP || !slices.Equal(r.Parsed.Notices, []string{parse.HoldsOthers}) || r.Parsed.Text != "" {
		t.Errorf("it is read as %+v, %v", r, err)
	}
}

func TestNamesOfEntriesAreReadInTheirEncoding(t *testing.T) {
	names := []string{"制度/差旅政策.md", "制度/报销流程和审批权限.md", "繁體/誠邀.md"} // 誠 has a backslash as its second byte
	var entries []entry
	for _, n := range names {
		raw, err := simplifiedchinese.GB18030.NewEncoder().String(n)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{name: raw, text: "x"})
	}
	entries = append(entries, entry{name: "plain.md", text: "x"}, entry{name: "已是UTF-8.md", text: "x"})
	got, err := insideOf(parse.File{Name: "a.zip", Data: archiveOf(t, entries...)})
	var want []string
	for _, n := range append(names, "plain.md", "已是UTF-8.md") {
		want = append(want, n+": x")
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, d)
	}
}

func TestAnArchiveThatMisleadsIsRefusedAsAWhole(t *testing.T) {
	good := entry{name: "good.md", text: "x"}
	for name, c := range map[string]struct {
		code    string
		entries []entry
	}{
		"up":               {"archive_bad_name", []entry{good, {name: "a/../../b.md", text: "x"}}},
		"absolute":         {"archive_bad_name", []entry{good, {name: "/etc/b.md", text: "x"}}},
		"a drive":          {"archive_bad_name", []entry{good, {name: "C:b.md", text: "x"}}},
		"a backslash":      {"archive_bad_name", []entry{good, {name: `a\b.md`, text: "x"}}},
		"a NUL":            {"archive_bad_name", []entry{good, {name: "a\x00.md", text: "x"}}},
		"a link":           {"archive_special_entry", []entry{good, {name: "b.md", text: "/etc/passwd", mode: os.ModeSymlink | 0o777}}},
		"one name twice":   {"archive_duplicate_name", []entry{good, good}},
		"nothing":          {"empty_document", nil},
		"folders alone":    {"empty_document", []entry{{name: "a/"}}},
		"archives alone":   {"archive_nested", []entry{{name: "a.zip", text: "PK"}}},
		"locked entries":   {"document_encrypted", []entry{{name: "a.md", text: "x", flags: 1}}},
		"nothing readable": {"unknown_type", []entry{{name: "a.exe", text: "x"}, {name: "b.zip", text: "x"}}},
	} {
		f := parse.File{Name: "a.zip", Data: archiveOf(t, c.entries...)}
		_, err := parse.Parse(context.Background(), f)
		if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) || strings.Count(err.Error(), "The file") != 1 || !strings.Contains(err.Error(), "a.zip") {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	for _, data := range []string{"PK\x03\x04 cut off", "hello", "%PDF-1.7"} {
		if _, err := insideOf(parse.File{Name: "a.zip", Data: []byte(data)}); !problem.Is(err, problem.Invalid) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestAnArchiveDoesNotBecomeMoreThanIsAllowed(t *testing.T) {
	zeros := strings.Repeat("\x00", 20<<20)
	many := make([]entry, 2001)
	for i := range many {
		many[i] = entry{name: fmt.Sprint(i, ".md"), text: "x"}
	}
	if _, err := insideOf(parse.File{Name: "a.zip", Data: archiveOf(t, entry{name: "a.md", text: zeros})}); problem.CodeOf(err) != "archive_expansion_limit" {
		t.Errorf("a bomb: %v", err)
	}
	if _, err := insideOf(parse.File{Name: "a.zip", Data: archiveOf(t, many...)}); problem.CodeOf(err) != "archive_entry_limit" {
		t.Errorf("many entries: %v", err)
	}
	if got, err := insideOf(parse.File{Name: "a.zip", Data: archiveOf(t, many[:2000]...)}); err != nil || len(got) != 2000 {
		t.Errorf("as many as are allowed: %d, %v", len(got), err)
	}
}

func TestADamagedEntryIsItsOwnFailure(t *testing.T) {
	data := archiveOf(t, entry{name: "a.md", text: strings.Repeat("damaged text ", 20)}, entry{name: "b.md", text: "whole"})
	at := bytes.Index(data, []byte("a.md")) + len("a.md") + 3
	data[at] ^= 0xff
	got, err := insideOf(parse.File{Name: "a.zip", Data: data})
	if want := []string{"a.md archive_malformed", "b.md: whole"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestHostileArchivesEndAsTheyShould(t *testing.T) {
	dir, files := hostileUploads(t)
	seen := 0
	for _, u := range files {
		if filepath.Ext(u.File) != ".zip" {
			continue
		}
		seen++
		data, err := os.ReadFile(filepath.Join(dir, u.File))
		if err != nil {
			t.Fatal(err)
		}
		f := parse.File{Name: u.File, Data: data}
		_, err = parse.Parse(context.Background(), f)
		if u.Expect != "reject" || problem.CodeOf(err) != u.Code || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s ends with %v, want %s", u.File, err, u.Code)
		}
	}
	if seen < 5 {
		t.Errorf("only %d hostile archives were there", seen)
	}
}

func TestTheFilesOfAMessageAreTakenOutIfTheyCanBeRead(t *testing.T) {
	data := []byte("Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nbody\n--x\nContent-Type: application/pdf\nContent-Disposition: attachment\n\n%PDF\n" +
		"--x\nContent-Type: image/gif; name=a.gif\n\n?\n--x\nContent-Type: text/plain; name=a.txt\n\nread in place\n--x\nContent-Type: text/plain; name=b.csv\n\na,b\n--x--")
	got, err := insideOf(parse.File{Name: "a.eml", Data: data})
	if want := []string{"2/part-2: %PDF", "5/b.csv: a,b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	nested := []byte("Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: multipart/mixed; boundary=y\n\n--y\n\nbody\n" +
		"--y\nContent-Type: application/pdf\n\n%PDF\n--y--\n--x--")
	if got, err := insideOf(parse.File{Name: "a.eml", Data: nested}); err != nil || !slices.Equal(got, []string{"1.2/part-1-2: %PDF"}) {
		t.Errorf("a file without a name in a nested part: %q, %v", got, err)
	}
	for _, name := range []string{"a.md", "a.docx", "a.unknown"} {
		if got, err := insideOf(parse.File{Name: name, Data: data}); got != nil || err != nil || parse.Holds(parse.File{Name: name}) {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
}

func TestTakingOutStopsWhereItIsTold(t *testing.T) {
	stop := errors.New("enough")
	f := parse.File{Name: "a.zip", Data: archiveOf(t, entry{name: "a.md", text: "x"}, entry{name: "b.md", text: "x"})}
	n := 0
	err := parse.Limits{}.Contents(context.Background(), f, func(parse.Content) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d files, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := (parse.Limits{}).Contents(ctx, f, func(parse.Content) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	if err := (parse.Limits{Bytes: 10}).Contents(context.Background(), f, func(parse.Content) error { return nil }); problem.CodeOf(err) != "too_large" {
		t.Errorf("an archive that is too large: %v", err)
	}
}

func FuzzArchive(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create("a/b.md"); err != nil || z.Flush() != nil {
		f.Fatal(err)
	} else if _, err := w.Write([]byte("text")); err != nil || z.Close() != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzed(t, "a.zip", data)
		err := parse.Limits{}.Contents(context.Background(), parse.File{Name: "a.zip", Data: data}, func(c parse.Content) error {
			if strings.Contains(c.Path, "..") && slices.Contains(strings.Split(c.Path, "/"), "..") || strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Name, "/\\\x00") {
				t.Fatalf("path %q, name %q", c.Path, c.Name)
			}
			return nil
		})
		if err != nil && !problem.Is(err, problem.Invalid) {
			t.Fatal(err)
		}
	})
}
