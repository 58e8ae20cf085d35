package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// The statuses with which a child ends that took too much.
const (
	StatusMemory = 86
	StatusTime   = 87
)

// Bounds are what a child may take. Leave ends the process with a status.
type Bounds struct {
	Memory int64         // bytes that it holds
	CPU    time.Duration // processor time for one file
	// Folders and Files are those that the process can still read, and run programs from.
	Folders, Files []string
	Leave          func(status int)
}

// Hand does in a child what files ask for.
type Hand interface {
	parse.Reader
	parse.Painter
}

// Serve answers requests from r on w, one after the other, until r ends. It is the whole of a child:
// the process is bounded from here on, and ends when the parent is gone, also in the middle of a file.
func Serve(ctx context.Context, r io.Reader, w io.Writer, hand Hand, b Bounds) error {
	if err := confine(b); err != nil {
		return err
	}
	// Garbage counts in what a file may take: the collector runs more often than usual, and
	// works harder before the bound is met; most of what is left is garbage then.
	debug.SetGCPercent(30)
	debug.SetMemoryLimit(b.Memory / 8 * 7)
	return serve(ctx, r, w, hand, b)
}

func serve(ctx context.Context, r io.Reader, w io.Writer, hand Hand, b Bounds) error {
	s := &server{hand: hand, w: w}
	stop := make(chan struct{})
	defer close(stop)
	go s.watch(b, stop)
	requests := make(chan job)
	go func() {
		err := s.receiveAll(r, requests, stop)
		if s.open.Load() != 0 && errors.Is(err, io.EOF) {
			b.Leave(0)
		}
		select {
		case requests <- job{err: err}:
		case <-stop:
		}
	}()
	for {
		j := <-requests
		switch {
		case errors.Is(j.err, io.EOF):
			return nil
		case j.err != nil:
			return j.err
		}
		if err := s.answer(ctx, j); err != nil {
			return err
		}
	}
}

type server struct {
	hand  Hand
	w     io.Writer
	open  atomic.Int32 // files that came and are not answered
	began atomic.Int64 // processor time of the process when the file at hand began, and 1; 0 between files
}

// job is a request with its file, or the end of the requests.
type job struct {
	request
	data []byte
	err  error
}

// receiveAll reads requests, so that the end of them is seen while a file is being worked on.
func (s *server) receiveAll(r io.Reader, out chan<- job, stop <-chan struct{}) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		var j job
		if err := receive(in, headBytes, &j.request); err != nil {
			return err
		}
		if j.Size < 0 {
			return fmt.Errorf("a file of %d bytes", j.Size)
		}
		j.data = make([]byte, j.Size)
		if _, err := io.ReadFull(in, j.data); err != nil {
			return noEOF(err)
		}
		s.open.Add(1)
		select {
		case out <- j:
		case <-stop:
			return nil
		}
	}
}

func (s *server) answer(ctx context.Context, j job) error {
	defer s.open.Add(-1)
	s.began.Store(int64(processorTime()) + 1)
	f := parse.File{Name: j.Name, MediaType: j.MediaType, Data: j.data}
	var a answer
	var err error
	switch j.Op {
	case opParse:
		var found parse.Result
		if found, err = s.hand.Parse(progress.With(ctx, s.progress), f); err == nil {
			if err := s.result(found); err != nil {
				return err
			}
			s.began.Store(0)
			return nil
		}
	case opProbe:
		a.Alone = alone()
	case opResolve:
		if j.Place == nil {
			return errors.New("a place is asked for, and none is named")
		}
		a.Text, err = s.hand.Resolve(ctx, f, j.Place.Locator)
	case opPicture:
		var drawn parse.Picture
		if drawn, err = s.hand.Picture(ctx, f, j.Page, j.Width); err == nil || drawn.Pages > 0 {
			a.Picture = &drawn
		}
	case opSketch:
		var drawn sketch.Sketch
		if drawn, err = s.hand.Sketch(ctx, f, j.Sheet); err == nil || len(drawn.Sheets) > 0 {
			a.Sketch = &drawn
		}
	case opUnpack:
		err = s.hand.Contents(progress.With(ctx, s.progress), f, func(c parse.Content) error {
			return send(s.w, answer{More: true, Contents: []parse.Content{c}})
		})
	default:
		err = problem.New(problem.Internal, "internal", "The operation is not known.")
	}
	a.Problem = faultOf(err)
	a.Held = held()
	err = send(s.w, a)
	s.began.Store(0)
	return err
}

// progress sends how far a file is read. If nobody hears it, nobody waits for the answer either, and sending that fails.
func (s *server) progress(done, total int) { _ = send(s.w, answer{Progress: &[2]int{done, total}}) }

// result sends what was read of a file, in parts.
func (s *server) result(found parse.Result) error {
	for part := range parts(found, partPieces) {
		part.Held = held()
		if err := sendPart(s.w, part); err != nil {
			return err
		}
	}
	return nil
}

// watch ends the process when it takes more than it may.
func (s *server) watch(b Bounds, stop <-chan struct{}) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		if held() > b.Memory {
			b.Leave(StatusMemory)
			return
		}
		if began := s.began.Load(); began != 0 && processorTime()-time.Duration(began) > b.CPU {
			b.Leave(StatusTime)
			return
		}
	}
}
