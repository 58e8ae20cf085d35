package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
	"github.com/kaoju/kaoju/internal/problem"
)

// cost is what reading took: processor time of the child, and of this process beside it, which takes its answer apart.
type cost struct {
	child, parent time.Duration
	peak          int64 // most bytes that the child held
}

func (c cost) total() time.Duration { return c.child + c.parent }

// formatCost is what the files of one format took.
type formatCost struct {
	name           string
	files, refused int
	bytes          int
	pages          int // 0 for a format without
	cost
}

// documentCost is what one document took, here and with pdftotext.
type documentCost struct {
	document
	here        cost
	text, boxes cost // pdftotext, and pdftotext -bbox-layout
}

// reader reads in one child.
type reader struct{ *reading.Reader }

func open() (reader, error) {
	self, err := os.Executable()
	if err != nil {
		return reader{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return reader{}, err
	}
	return reader{reading.Open(reading.Settings{
		Program: func() ([]string, error) { return []string{self}, nil }, Children: 1, Memory: worker.DefaultMemory, CPU: 10 * time.Minute,
		Cache: cache, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})}, nil
}

// read reads a file, and says what that took of a child that is there already.
func (r reader) read(f parse.File) (parse.Result, cost, error) {
	// Garbage of the file before is not this one's.
	runtime.GC()
	here, there := ownTime(), childTime()
	result, err := r.Parse(context.Background(), f)
	c := cost{child: childTime() - there, parent: ownTime() - here, peak: childPeak()}
	if c.child < 0 { // the child was replaced, and its successor began at nothing
		c.child = childTime()
	}
	return result, c, err
}

// formats are what is measured, with the folders of the shared material.
var formats = []string{"md", "txt", "html", "csv", "docx", "xlsx", "pptx", "pdf"}

func measureFormats(dir string, rounds int) (all []formatCost, err error) {
	for _, name := range formats {
		paths, err := filepath.Glob(filepath.Join(dir, name, "*."+name))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("there are no files in %s", filepath.Join(dir, name))
		}
		c, err := measureFormat(name, paths, rounds)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func measureFormat(name string, paths []string, rounds int) (formatCost, error) {
	r, err := open()
	if err != nil {
		return formatCost{}, err
	}
	// The first time warms the child, and tells which files are read at all.
	out := formatCost{name: name}
	var files []parse.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return out, err
		}
		f := parse.File{Name: filepath.Base(path), Data: data}
		result, _, err := r.read(f)
		switch {
		case problem.Is(err, problem.Invalid):
			out.refused++
		case err != nil:
			return out, err
		default:
			files = append(files, f)
			out.bytes, out.pages = out.bytes+len(data), out.pages+pagesOf(result)
		}
	}
	out.files = len(files)
	for range rounds {
		c, err := r.readAll(files)
		if err != nil {
			return out, err
		}
		out.cost = least(out.cost, c)
	}
	return out, r.Close()
}

// shortest is how long files are read again and again for one figure: the system counts time in hundredths of a second.
const shortest = time.Second

// readAll reads files again and again, and says what one time took.
func (r reader) readAll(files []parse.File) (all cost, err error) {
	times := 0
	for all.total() < shortest {
		here, there := ownTime(), childTime()
		for _, f := range files {
			if _, err := r.Parse(context.Background(), f); err != nil {
				return all, err
			}
		}
		this := cost{child: childTime() - there, parent: ownTime() - here, peak: childPeak()}
		if this.child < 0 {
			continue // the child was replaced in between: this time does not count
		}
		times++
		all.child, all.parent, all.peak = all.child+this.child, all.parent+this.parent, max(all.peak, this.peak)
	}
	return cost{child: all.child / time.Duration(times), parent: all.parent / time.Duration(times), peak: all.peak}, nil
}

func measureDocuments(list []document, rounds int) (all []documentCost, err error) {
	for _, d := range list {
		r, err := open()
		if err != nil {
			return nil, err
		}
		out := documentCost{document: d}
		if _, _, err := r.read(parse.File{Name: "warm.pdf", Data: book(1)}); err != nil {
			return nil, err
		}
		for range rounds {
			result, c, err := r.read(parse.File{Name: d.name + ".pdf", Data: d.data})
			if err != nil {
				return nil, err
			}
			if got := pagesOf(result); got > d.pages {
				return nil, fmt.Errorf("%s has a place on page %d of %d", d.name, got, d.pages)
			}
			text, err := pdftotext(d.path)
			boxes, err2 := pdftotext(d.path, "-bbox-layout")
			if err := errors.Join(err, err2); err != nil {
				return nil, err
			}
			out.here, out.text, out.boxes = least(out.here, c), least(out.text, text), least(out.boxes, boxes)
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}

func least(a, b cost) cost {
	if a.total() == 0 || b.total() < a.total() {
		b.peak = max(a.peak, b.peak)
		return b
	}
	a.peak = max(a.peak, b.peak)
	return a
}

// pdftotext reads a document, and says what that took: a process of its own each time.
func pdftotext(path string, flags ...string) (cost, error) {
	cmd := exec.Command("pdftotext", append(flags, path, "-")...)
	var told bytes.Buffer
	cmd.Stderr = &told
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("pdftotext %s: %w: %s", path, err, &told)
	}
	return cost{child: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

func popplerVersion() string {
	out, _ := exec.Command("pdftotext", "-v").CombinedOutput()
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

func ownTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// children lists the processes that this one has started and that live.
func children() []string {
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	var out []string
	for _, path := range tasks {
		raw, _ := os.ReadFile(path)
		out = append(out, strings.Fields(string(raw))...)
	}
	return out
}

// childTime returns the processor time of the children, in hundredths of a second as the system counts it.
func childTime() (d time.Duration) {
	for _, pid := range children() {
		raw, _ := os.ReadFile("/proc/" + pid + "/stat")
		_, after, _ := strings.Cut(string(raw), ") ")
		if fields := strings.Fields(after); len(fields) > 12 {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			d += time.Duration(user+system) * 10 * time.Millisecond
		}
	}
	return d
}

// childPeak returns the most memory that one of the children held.
func childPeak() (most int64) {
	for _, pid := range children() {
		raw, _ := os.ReadFile("/proc/" + pid + "/status")
		_, after, _ := strings.Cut(string(raw), "VmHWM:")
		var kilobytes int64
		if _, err := fmt.Sscanf(after, "%d kB", &kilobytes); err == nil {
			most = max(most, kilobytes<<10)
		}
	}
	return most
}

func load() (one float64) {
	raw, _ := os.ReadFile("/proc/loadavg")
	if _, err := fmt.Sscan(string(raw), &one); err != nil {
		return 0
	}
	return one
}
