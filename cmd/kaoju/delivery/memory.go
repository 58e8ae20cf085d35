package delivery

import (
	"context"
	"maps"
	"time"

	"github.com/kaoju/kaoju/internal/ingest/source"
)

// memory is what one process need not find out twice while it follows folders, and what it did already: a
// process that begins anew takes in again what a person archived, and proposes again what nobody decided.
type memory struct {
	sums     map[place]summed
	dealings map[place]string     // files as they were when they were dealt with
	asked    map[string]time.Time // when documents were proposed to be archived
	told     map[string]string    // what was said last of a file that stays as it is
}

type summed struct {
	stamp, sum string
}

// sum returns the checksum of a file, which is read again if it may have changed.
func (m *memory) sum(ctx context.Context, f source.Original) (string, error) {
	if known, ok := m.sums[placeOf(f)]; ok && known.stamp == f.Stamp {
		return known.sum, nil
	}
	sum, err := f.Sum(ctx)
	if err != nil {
		return "", err
	}
	if m.sums == nil {
		m.sums = map[place]summed{}
	}
	m.sums[placeOf(f)] = summed{f.Stamp, sum}
	return sum, nil
}

// deal remembers that a file was dealt with as it is: it was taken in, or can't be. It is not taken again
// before it changes, or goes and comes back; so what a person archives meanwhile stays archived.
func (m *memory) deal(f source.Original) {
	if m.dealings == nil {
		m.dealings = map[place]string{}
	}
	m.dealings[placeOf(f)] = f.Stamp
}

func (m *memory) dealt(f source.Original) bool {
	seen, ok := m.dealings[placeOf(f)]
	return ok && seen == f.Stamp
}

// forget forgets the files of a folder that are not there any more.
func (m *memory) forget(l source.Listing) {
	here := map[place]bool{}
	for _, f := range l.Files {
		here[placeOf(f)] = true
	}
	gone := func(p place) bool { return p.root == l.Root && !here[p] && !l.Left(p.in) }
	maps.DeleteFunc(m.dealings, func(p place, _ string) bool { return gone(p) })
	maps.DeleteFunc(m.sums, func(p place, _ summed) bool { return gone(p) })
}

// place is where a file is: the folder that was named, and the place there.
type place struct{ root, in string }

func placeOf(f source.Original) place { return place{f.Root, f.Place} }

func (m *memory) propose(document string, now time.Time) {
	if m.asked == nil {
		m.asked = map[string]time.Time{}
	}
	m.asked[document] = now
}

// again is how long after a proposal that nobody approved the next one is made.
const again = 24 * time.Hour

func (m *memory) proposed(document string, now time.Time) bool {
	at, ok := m.asked[document]
	return ok && now.Sub(at) < again
}

// news reports whether an event says something that was not said of the file before. What changes the
// knowledge base always does.
func (m *memory) news(e Event) bool {
	if m.told == nil {
		m.told = map[string]string{}
	}
	switch e.Kind {
	case Unchanged:
		return false
	case Failed, LeftOut, Kept:
		line := e.String()
		if m.told[e.File] == line {
			return false
		}
		m.told[e.File] = line
		return true
	}
	delete(m.told, e.File)
	return true
}
