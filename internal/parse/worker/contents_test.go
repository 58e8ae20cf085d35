package worker_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
	"github.com/kaoju/kaoju/internal/problem"
)

// packed is an archive of so many files, each a kilobyte that does not pack.
func packed(t *testing.T, n int) parse.File {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range n {
		w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%03d.txt", i), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte{byte(i), '\x00', 0xff}, 400)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return parse.File{Name: "a.zip", Data: b.Bytes()}
}

// contents returns all that is in a file.
func contents(t *testing.T, r parse.Reader, f parse.File) (out []parse.Content, err error) {
	t.Helper()
	err = r.Contents(t.Context(), f, func(c parse.Content) error { out = append(out, c); return nil })
	return out, err
}

func TestAChildTakesOutWhatThisProcessTakesOut(t *testing.T) {
	p, log := pool(t, worker.Options{})
	mail := parse.File{Name: "a.eml", Data: []byte("Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/csv; name=\"表.csv\"\nContent-Transfer-Encoding: base64\n\nAP8=\n--x\n\nbody\n--x--")}
	for _, f := range []parse.File{packed(t, 1), packed(t, 200), mail, file("no other files"), {Name: "b.zip", Data: []byte("PK\x05\x06")}} {
		want, wantErr := contents(t, parse.Limits{}, f)
		got, err := contents(t, p, f)
		if d := cmp.Diff(want, got); d != "" || problem.CodeOf(err) != problem.CodeOf(wantErr) {
			t.Errorf("%s: %v, want %v, -here +there\n%s", f.Name, err, wantErr, d)
		}
	}
	if log.String() != "" {
		t.Errorf("a child ended: %s", log)
	}
}

func TestMoreContentsThanAnAnswerMayHoldAreAnErrorOfTheFile(t *testing.T) {
	p, _ := pool(t, worker.Options{Output: 64 << 10})
	if got, err := contents(t, p, packed(t, 200)); problem.CodeOf(err) != "too_large" || got != nil {
		t.Errorf("%d files, %v", len(got), err)
	}
	if got, err := contents(t, p, packed(t, 2)); len(got) != 2 || err != nil {
		t.Errorf("the next archive: %d files, %v", len(got), err)
	}
}

func TestTakingOutEndsWithItsCaller(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	stop, n := errors.New("enough"), 0
	if err := p.Contents(t.Context(), packed(t, 5), func(parse.Content) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d files, %v", n, err)
	}
}
