package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// slow is a reader whose work on a file ends when it is told to.
type slow struct {
	parse.Limits
	begun, end chan struct{}
}

func (s slow) Parse(ctx context.Context, f parse.File) (parse.Result, error) {
	close(s.begun)
	<-s.end
	return s.Limits.Parse(ctx, f)
}

func TestAChildEndsWithItsParentInTheMiddleOfAFile(t *testing.T) {
	in, parent := io.Pipe()
	left := make(chan int, 1)
	s := slow{begun: make(chan struct{}), end: make(chan struct{})}
	served := make(chan error, 1)
	go func() {
		served <- serveHere(t, in, io.Discard, s, Bounds{Memory: 1 << 40, CPU: time.Hour, Leave: func(status int) { left <- status }})
	}()
	if err := send(parent, request{Op: opParse, Name: "a.txt", Size: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := parent.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	<-s.begun
	parent.Close()
	if status := <-left; status != 0 {
		t.Errorf("status %d", status)
	}
	close(s.end)
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAChildEndsWithAParentThatWasGoneBeforeItsFileWasBegun(t *testing.T) {
	in := append(message(t, request{Op: opParse, Name: "a.txt", Size: 1}), 'a')
	left := make(chan int, 1)
	s := slow{begun: make(chan struct{}), end: make(chan struct{})}
	served := make(chan error, 1)
	go func() {
		served <- serveHere(t, bytes.NewReader(in), io.Discard, s, Bounds{Memory: 1 << 40, CPU: time.Hour, Leave: func(status int) { left <- status }})
	}()
	if status := <-left; status != 0 {
		t.Errorf("status %d", status)
	}
	close(s.end)
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAChildEndsQuietlyWhenNobodyAsks(t *testing.T) {
	if err := serveHere(t, strings.NewReader(""), io.Discard, parse.Limits{}, Bounds{Memory: 1 << 40, CPU: time.Hour, Leave: func(int) { t.Error("left") }}); err != nil {
		t.Error(err)
	}
}

// late hands over an answer of a child once its context has ended, and the child with it.
type late struct {
	c      *child
	cancel func()
}

func (l late) Read(b []byte) (int, error) {
	var head [len(mark) + 4]byte
	if _, err := io.ReadFull(l.c.out, head[:]); err != nil {
		return 0, err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[len(mark):]))
	if _, err := io.ReadFull(l.c.out, body); err != nil {
		return 0, err
	}
	l.cancel()
	<-l.c.done
	return copy(b, append(head[:], body...)), nil
}

func TestAChildThatEndedAsItAnsweredIsNotTakenForOneThatWaits(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := start([]string{program, "child"}, t.TempDir(), New(Options{}).options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.answer = bufio.NewReaderSize(late{c, cancel}, 64<<10)
	_, err = c.ask(ctx, request{Op: opParse, Name: "a.txt", Size: 1}, []byte("a"), 1<<20)
	c.end(err)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestAChildRefusesWhatIsNoRequest(t *testing.T) {
	long := binary.BigEndian.AppendUint32([]byte(mark), headBytes+1)
	for _, c := range []struct {
		name string
		in   []byte
		want error
	}{
		{"a length that breaks off", []byte(mark + "\x00"), io.ErrUnexpectedEOF},
		{"a message that breaks off", []byte(mark + "\x00\x00\x00\x09{"), io.ErrUnexpectedEOF},
		{"something else", []byte("Usage: child --memory"), errGarbled},
		{"a head that is too long", long, errTooLong},
		{"a file that breaks off", message(t, request{Op: opParse, Size: 5}), io.ErrUnexpectedEOF},
		{"a file of less than nothing", message(t, request{Op: opParse, Size: -1}), nil},
		{"no place", message(t, request{Op: opResolve}), nil},
	} {
		var out bytes.Buffer
		err := serveHere(t, bytes.NewReader(c.in), &out, parse.Limits{}, Bounds{Memory: 1 << 40, CPU: time.Hour, Leave: func(int) {}})
		if err == nil || c.want != nil && !errors.Is(err, c.want) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes out", c.name, err, out.Len())
		}
	}
}

// serveHere serves in the process of the test, whose memory must stay as it is.
func serveHere(t *testing.T, r io.Reader, w io.Writer, hand Hand, b Bounds) error {
	t.Helper()
	return serve(t.Context(), r, w, hand, b)
}

func message(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := send(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte(mark + "\x00\x00\x00\x02{}"))
	f.Add([]byte(mark + "\xff\xff\xff\xff{}"))
	var b bytes.Buffer
	_ = send(&b, answer{Text: "a", Held: 3})
	f.Add(b.Bytes())
	b.Reset()
	_ = send(&b, request{Op: opResolve, Name: "a.md", Place: &place{corpus.TextLocator{Format: "md", Line: 1}}})
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range []any{new(answer), new(request)} {
			r := bytes.NewReader(data)
			if err := receive(r, 1<<10, v); err != nil {
				continue
			}
			if n := len(data) - r.Len(); n > len(mark)+4+1<<10 || n < len(mark)+4 {
				t.Errorf("%d bytes were taken", n)
			}
			// What was understood can be said again and is the same.
			again := message(t, v)
			if err := receive(bytes.NewReader(again), 1<<20, v); err != nil {
				t.Errorf("%s: %v", again, err)
			}
		}
	})
}

// TestALongResultComesWholeInParts reads results with long blocks and with many.
func TestALongResultComesWholeInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 10
		var want parse.Result
		want.Format, want.Parsed.Text, want.Parsed.Title = "pdf", "文本", "T"
		for i, n := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 2, 3, 8, 9, 10, 11, 23}), 0, 6).Draw(t, "segments of each block") {
			b := corpus.Block{Kind: corpus.Paragraph, Span: corpus.Span{Start: i, End: i + 1}, HeadingPath: []string{"h"}, Head: -1}
			paged := rapid.Bool().Draw(t, "it stands on pages")
			for j := range n {
				s := corpus.Segment{Span: corpus.Span{Start: j, End: j + 1}, Locator: corpus.CSVLocator{Row: j + 1}}
				if paged {
					s.Locator = pagePlace().Draw(t, "place")
				}
				b.Segments = append(b.Segments, s)
			}
			want.Parsed.Blocks = append(want.Parsed.Blocks, b)
		}
		var stream bytes.Buffer
		sent := 0
		for part := range parts(want, most) {
			sent++
			count := 0
			for _, b := range part.Result.Blocks {
				count += 1 + len(b.Segments) + b.Places
			}
			if count > most {
				t.Fatalf("a part has %d blocks and segments", count)
			}
			if err := sendPart(&stream, part); err != nil {
				t.Fatal(err)
			}
		}
		size := int64(stream.Len() - 4 - len(mark))
		if _, err := receiveAnswer(bytes.NewReader(stream.Bytes()), size-1, nil); !errors.Is(err, errTooLong) {
			t.Fatalf("an answer of %d parts beyond the bound ends with %v", sent, err)
		}
		got, err := receiveAnswer(&stream, size, nil)
		if err != nil || got.More || stream.Len() > 0 {
			t.Fatalf("%v, more %v, %d bytes left", err, got.More, stream.Len())
		}
		if d := cmp.Diff(want, got.Result.unwire()); d != "" {
			t.Fatal(d)
		}
	})
}

func TestPartsThatDoNotFitTogetherAreRefused(t *testing.T) {
	for name, parts := range map[string][]answer{
		"a further part without blocks":  {{More: true, Result: &result{}}, {Text: "a"}},
		"a first part of something else": {{More: true, Text: "a"}, {Result: &result{}}},
	} {
		var stream []byte
		for _, p := range parts {
			stream = append(stream, message(t, p)...)
		}
		if _, err := receiveAnswer(bytes.NewReader(stream), 1<<20, nil); !errors.Is(err, errGarbled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := receiveAnswer(bytes.NewReader(message(t, answer{More: true, Result: &result{}})), 1<<20, nil); !errors.Is(err, io.EOF) {
		t.Errorf("an answer that breaks off between parts: %v", err)
	}
}

func TestProgressThatMakesNoSenseIsRefused(t *testing.T) {
	whole := message(t, answer{Text: "a"})
	for name, c := range map[string]struct {
		said []answer
		want error
	}{
		"some of it":              {[]answer{{Progress: &[2]int{1, 2}}, {Progress: &[2]int{2, 2}}}, nil},
		"less than before":        {[]answer{{Progress: &[2]int{2, 2}}, {Progress: &[2]int{0, 3}}}, nil},
		"nothing at all":          {[]answer{{Progress: &[2]int{0, 0}}}, nil},
		"a negative number":       {[]answer{{Progress: &[2]int{-1, 2}}}, errGarbled},
		"more than there is":      {[]answer{{Progress: &[2]int{3, 2}}}, errGarbled},
		"more than any file has":  {[]answer{{Progress: &[2]int{3, maxParts + 1}}}, errGarbled},
		"in the middle of a part": {[]answer{{More: true, Result: &result{}}, {Progress: &[2]int{1, 2}}}, errGarbled},
	} {
		var stream []byte
		for _, a := range c.said {
			stream = append(stream, message(t, a)...)
		}
		heard := 0
		a, err := receiveAnswer(bytes.NewReader(append(stream, whole...)), 1<<20, func(_, _ int) { heard++ })
		if !errors.Is(err, c.want) || err == nil && (a.Text != "a" || heard != len(c.said)) {
			t.Errorf("%s: heard %d, %q, %v", name, heard, a.Text, err)
		}
	}
	endless := bytes.Repeat(message(t, answer{Progress: &[2]int{1, 2}}), 1000)
	if _, err := receiveAnswer(bytes.NewReader(endless), 5000, nil); !errors.Is(err, errTooLong) {
		t.Errorf("progress without end: %v", err)
	}
}
