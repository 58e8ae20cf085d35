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
	hits        int
}

// measure runs the queries and takes the least of each one's times.
func measure(e engine, queries []string, r right, o options) (spread, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var took []time.Duration
	out := spread{}
	began := threadTime()
	for _, q := range queries {
		least := time.Duration(1<<63 - 1)
		for round := range o.rounds {
			start := threadTime()
			n, err := e.Search(q, r)
			if err != nil {
				return out, err
			}
			least = min(least, threadTime()-start)
			if round == 0 {
				out.hits += n
			}
			if least > 20*time.Millisecond {
				break // what is slow is not slow by chance
			}
		}
		took = append(took, least)
		if threadTime()-began > o.limit {
			break
		}
	}
	slices.Sort(took)
	out.median, out.p95 = took[len(took)/2], took[len(took)*95/100]
	return out, nil
}
