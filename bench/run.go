package main

import (
	"log"
	"os"
	"runtime"
	"strings"
	"time"
)

// options are what a run is asked for.
type options struct {
	chunks  int
	queries int
	rounds  int
	engines string
	limit   time.Duration // for the queries of one filter
	results string        // the file that they are added to; empty for none
	start   string        // the data folder to measure starts over, instead of all else
}

func run(data string, o options) error {
	chinese, err := load(data, true, "drcd", "cmrc2018", "stard-lite", "nomiracl-zh")
	if err != nil {
		return err
	}
	english, err := load(data, false, "scifact", "cranfield", "cisi", "nomiracl-en", "gitlab-handbook")
	if err != nil {
		return err
	}
	w := &world{languages: [2]language{chinese, english}, versions: max(1, o.chunks/chunksEach)}
	if o.start != "" {
		row, err := start(w, o.start)
		if err != nil || o.results == "" {
			return err
		}
		return save(o.results, &result{Chunks: w.versions * chunksEach, Engines: map[string]*engRow{}, Start: row})
	}
	b := &bench{w: w, rights: w.rights(), queries: w.queries(o.queries), options: o, out: &result{
		Chunks: w.versions * chunksEach, Queries: o.queries, Engines: map[string]*engRow{}, Shares: map[string]float64{},
	}}
	for _, r := range b.rights {
		b.out.Shares[r.name] = r.share
	}
	names := strings.Split(o.engines, ",")
	if o.results != "" {
		if err := forget(o.results, b.out.Chunks, names); err != nil {
			return err
		}
	}
	for _, name := range names {
		measure := b.other
		switch name {
		case "kaoju":
			measure = b.own
		case "hybrid":
			measure = func(string) error { return b.both() }
		}
		if err := measure(name); err != nil {
			return err
		}
		b.out.Processors, b.out.Load = runtime.NumCPU(), max(b.out.Load, machineLoad())
		runtime.GC()
		if o.results != "" {
			if err := save(o.results, b.out); err != nil {
				return err
			}
		}
	}
	return nil
}

// bench is one run under way.
type bench struct {
	w       *world
	rights  []right
	queries []query
	options options
	out     *result

	// index is this product's, which search by both legs uses too, and resident what it takes.
	index    *keyword
	resident uint64

	// What the other engines index.
	list     []document
	bodies   [][]string
	analysis time.Duration
}

// search measures an engine under every right.
func (b *bench) search(name string, e engine) (*engRow, error) {
	row := &engRow{Search: map[string][2]float64{}, Hits: map[string]int{}, Asked: map[string]int{}}
	b.out.Engines[name] = row
	for _, r := range b.rights {
		s, err := measure(e, b.queries, r, b.options)
		if err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			row.Search[r.name+kind] = [2]float64{ms(s[kind].median), ms(s[kind].p95)}
			log.Printf("%s, %s visible%s: median %.3f ms, p95 %.3f ms", name, r.name, kind, ms(s[kind].median), ms(s[kind].p95))
		}
		row.Hits[r.name] = s[""].hits
		row.Asked[r.name] = s[""].queries
	}
	return row, nil
}

// own measures this product's index.
func (b *bench) own(name string) error {
	k, store, fig, err := build(b.w)
	if err != nil {
		return err
	}
	log.Printf("kaoju: indexed in %.1f s of processor, %d MB resident, %d MB stored", fig.index.Seconds(), fig.bytes>>20, store.bytes>>20)
	if err := k.admit(b.rights); err != nil {
		return err
	}
	if strings.Contains(b.options.engines, "hybrid") {
		b.index, b.resident = k, fig.bytes
	}
	row, err := b.search(name, k)
	if err != nil {
		return err
	}
	if err := publishOne(b.w, k, &fig); err != nil {
		return err
	}
	if err := firstSearch(store, &fig); err != nil {
		return err
	}
	row.IndexSeconds, row.Bytes = fig.index.Seconds(), fig.bytes
	row.Publish = [2]float64{ms(fig.publish[len(fig.publish)/2]), ms(fig.publish[len(fig.publish)-1])}
	row.Load, row.LoadCPU, row.Stored = fig.load.Seconds(), fig.loadCPU.Seconds(), store.bytes
	log.Printf("kaoju: publishing %.2f ms at the median, %.2f ms at most; first search after %.2f s (%.2f s of processor)", row.Publish[0], row.Publish[1], row.Load, row.LoadCPU)
	return nil
}

// rival is an engine that is filled in batches.
type rival interface {
	engine
	add(list []document, bodies [][]string) error
	Close() error
}

// other fills one of the other engines and measures it.
func (b *bench) other(name string) error {
	dir, err := os.MkdirTemp("", "kaoju-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var e rival
	finish := func() error { return nil }
	if name == "bleve" {
		e, err = newBleve(dir)
	} else {
		var f *ftsEngine
		f, err = newFTS(dir, b.rights)
		e, finish = f, func() error { return f.finish() }
	}
	if err != nil {
		return err
	}
	defer e.Close()
	took, err := b.fill(name, e, finish)
	if err != nil {
		return err
	}
	log.Printf("%s: indexed in %.1f s of processor, %d MB on disk", name, took.Seconds(), folder(dir)>>20)
	row, err := b.search(name, e)
	if err != nil {
		return err
	}
	row.IndexSeconds, row.Bytes = took.Seconds(), folder(dir)
	return nil
}

// prepare makes and analyses the texts for the other engines, which share them.
func (b *bench) prepare() {
	if b.list != nil {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for i := range b.w.versions {
		progress("analysis for the others", i, b.w.versions)
		d := b.w.document(i)
		start := threadTime()
		texts := make([]string, len(d.chunks))
		for c, chunk := range d.chunks {
			texts[c] = analysed(d.title, chunk)
		}
		b.analysis += threadTime() - start
		for c := range d.chunks {
			d.chunks[c].Text = ""
		}
		b.list, b.bodies = append(b.list, d), append(b.bodies, texts)
	}
	log.Printf("analysed in %.1f s of processor", b.analysis.Seconds())
}

// fill indexes the world. Making the texts does not count; analysing them does, as it does for this
// product's index.
func (b *bench) fill(name string, e rival, finish func() error) (time.Duration, error) {
	b.prepare()
	start := processTime()
	const batch = 20
	for i := 0; i < len(b.list); i += batch {
		progress(name, i, len(b.list))
		end := min(i+batch, len(b.list))
		if err := e.add(b.list[i:end], b.bodies[i:end]); err != nil {
			return 0, err
		}
	}
	err := finish()
	return b.analysis + processTime() - start, err
}

// progress tells how far a slow part of a run is, at each tenth.
func progress(what string, done, all int) {
	if step := max(all/10, 1000); done > 0 && done%step == 0 {
		log.Printf("%s: %d of %d versions", what, done, all)
	}
}
