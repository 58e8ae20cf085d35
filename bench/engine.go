package main

import (
	"runtime"
	"slices"
	"time"
)

// best is how many hits a query asks for.
const best = 20

// engine is one way to search. Search returns how many hits there are among the best, with the
// right's filter made for that query alone.
type engine interface {
	Search(query string, r right) (int, error)
}

// spread is how long the queries of one kind took.
type spread struct {
	median, p95 time.Duration
	queries     int
	hits        int
}

// kinds are what times are told for: all queries, the short ones, and questions.
var kinds = []string{"", " words", " questions"}

// measure runs the queries, takes the least of each one's times, and tells them by kind.
func measure(e engine, queries []query, r right, o options) (map[string]spread, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	took := map[string][]time.Duration{}
	hits := 0
	began := threadTime()
	for _, q := range queries {
		least := time.Duration(1<<63 - 1)
		for round := range o.rounds {
			start := threadTime()
			n, err := e.Search(q.text, r)
			if err != nil {
				return nil, err
			}
			least = min(least, threadTime()-start)
			if round == 0 {
				hits += n
			}
			if least > 20*time.Millisecond {
				break // what is slow is not slow by chance
			}
		}
		kind := " questions"
		if q.words {
			kind = " words"
		}
		took[kind] = append(took[kind], least)
		took[""] = append(took[""], least)
		if threadTime()-began > o.limit {
			break
		}
	}
	out := map[string]spread{}
	for kind, list := range took {
		slices.Sort(list)
		out[kind] = spread{list[len(list)/2], list[len(list)*95/100], len(list), hits}
	}
	return out, nil
}
