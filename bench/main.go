package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"time"
)

func main() {
	log.SetFlags(log.Ltime)
	data := flag.String("data", "../../shared/data/eval", "folder of the public collections")
	chunks := flag.Int("chunks", 100_000, "size of the world")
	queries := flag.Int("queries", 200, "queries for each filter")
	engines := flag.String("engines", "kaoju,hybrid,bleve,fts5", "what to measure")
	rounds := flag.Int("rounds", 3, "how often a query is measured; the least time counts")
	limit := flag.Duration("limit", time.Minute, "most processor time for the queries of one filter; a slow engine is asked fewer, and the page says how many")
	results := flag.String("results", "", "file of results to add this run to")
	report := flag.String("report", "", "folder to write search.md and search.svg into, from the file of results")
	start := flag.String("start", "", "data folder to measure starts over, and nothing else; it is filled with the world if it is not there")
	profile := flag.String("profile", "", "file to write a profile of the processor's time to")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	if *report != "" {
		if err := publish(*results, *report); err != nil {
			log.Fatal(err)
		}
		return
	}
	err := run(*data, options{
		chunks: *chunks, queries: *queries, rounds: *rounds, engines: *engines, limit: *limit, results: *results, start: *start,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// result is what one run measured.
type result struct {
	Chunks  int                `json:"chunks"`
	Queries int                `json:"queries"`
	Engines map[string]*engRow `json:"engines"`
	Shares  map[string]float64 `json:"shares"`

	Hybrid map[string]*hybridRow `json:"hybrid,omitempty"` // by which chunks have vectors; nil if that was not measured

	Start *startRow `json:"start,omitempty"` // over a data folder; nil if that was not measured

	Processors int     `json:"processors,omitempty"`
	Load       float64 `json:"load,omitempty"` // of the machine over a minute, the highest at the end of an engine
}

// engRow is what was measured of one engine; times are in milliseconds but where they say so.
type engRow struct {
	Search       map[string][2]float64 `json:"search"` // filter, and kind of query → median, p95
	Hits         map[string]int        `json:"hits"`
	Asked        map[string]int        `json:"asked,omitempty"` // filter → queries; a run that took too long asked fewer
	IndexSeconds float64               `json:"index_cpu_seconds"`
	Bytes        uint64                `json:"bytes"`
	Publish      [2]float64            `json:"publish"` // median and slowest
	Load         float64               `json:"first_search_seconds,omitempty"`
	LoadCPU      float64               `json:"first_search_cpu_seconds,omitempty"`
	Stored       int                   `json:"stored_bytes,omitempty"`
	Note         string                `json:"note,omitempty"` // what a reader has to know of these numbers; written by hand, and gone with them
}

// startRow is what was measured over a data folder: starts, and versions that were published into it.
type startRow struct {
	Seconds    []float64  `json:"seconds"` // wall time from opening the folder to the first answer
	CPU        []float64  `json:"cpu_seconds"`
	Publish    [2]float64 `json:"publish"` // milliseconds of wall time from text to hit: median, slowest
	PublishCPU [2]float64 `json:"publish_cpu"`
	Load       float64    `json:"load"`
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// forget removes what the file says of engines that are about to be measured at a size, so that a
// run that is cut short leaves a gap instead of times of another program beside its own.
func forget(path string, chunks int, engines []string) error {
	all, err := read(path)
	if err != nil {
		return err
	}
	for _, old := range all {
		if old.Chunks == chunks {
			for _, name := range engines {
				delete(old.Engines, name)
				if name == "hybrid" {
					old.Hybrid = nil
				}
				if name == "kaoju" {
					old.Start = nil
				}
			}
		}
	}
	return write(path, all)
}

// save adds what was measured to the file, in place of what it says of the same engines at that size.
func save(path string, r *result) error {
	all, err := read(path)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(old *result) bool { return old.Chunks == r.Chunks })
	if at < 0 {
		all = append(all, r)
	} else if r.Start != nil {
		all[at].Start = r.Start
	} else {
		if r.Hybrid != nil {
			all[at].Hybrid = r.Hybrid
		}
		if len(r.Engines) > 0 {
			all[at].Queries, all[at].Shares, all[at].Processors, all[at].Load = r.Queries, r.Shares, r.Processors, r.Load
			maps.Copy(all[at].Engines, r.Engines)
		}
	}
	slices.SortFunc(all, func(a, b *result) int { return a.Chunks - b.Chunks })
	return write(path, all)
}

func write(path string, all []*result) error {
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func read(path string) ([]*result, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*result
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}
