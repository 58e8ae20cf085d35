package index

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// The bounds of merging. Parts below small are merged at once, when a version comes; larger ones
// in a Merge, which runs apart. Many parts that come together are merged fan at a time, which
// keeps what is being merged in the processor's caches, until there are few.
const (
	small  = 1 << 19 // in units of Segment.size
	growth = 4       // a large part is at least so many times as large as those after it together
	fan    = 128
	few    = 8
)

func (p *part) small() bool { return p.segment.size() < small }

// compact adds the fresh parts, joined with the small ones where those are not twice as large, and
// drops dead versions where they are more than half of a small part.
func compact(parts, fresh []*part) []*part {
	var kept []*part
	for _, p := range parts {
		switch {
		case p.lost == p.segment.Chunks():
		case p.lost*2 > p.segment.Chunks() && p.small():
			kept = append(kept, merge([]*part{p}))
		default:
			kept = append(kept, p)
		}
	}
	size := 0
	for _, p := range fresh {
		size += p.segment.size()
	}
	from := len(kept)
	for len(fresh) > 0 && from > 0 && kept[from-1].small() && kept[from-1].segment.size() < 2*size {
		from--
		size += kept[from].segment.size()
	}
	out := append(kept[:from:from], bundle(append(slices.Clone(kept[from:]), fresh...))...)
	order(out)
	return out
}

// bundle merges neighbours until they are large, and the rest.
func bundle(parts []*part) []*part {
	var out []*part
	for len(parts) > 0 {
		n, size := 0, 0
		for n < len(parts) && size < small {
			size += parts[n].segment.size()
			n++
		}
		if n > 1 {
			out = append(out, merge(parts[:n]))
		} else {
			out = append(out, parts[0])
		}
		parts = parts[n:]
	}
	return out
}

// order puts the largest parts first.
func order(parts []*part) {
	slices.SortStableFunc(parts, func(a, b *part) int { return cmp.Compare(b.segment.size(), a.segment.size()) })
}

// gather merges many parts to few, on all processors.
func gather(parts []*part) []*part {
	for width := fan; len(parts) > few; {
		if len(parts) < fan*few {
			width = (len(parts) + few - 1) / few
		}
		groups := slices.Collect(slices.Chunk(parts, width))
		out := make([]*part, len(groups))
		var wg sync.WaitGroup
		slots := make(chan struct{}, runtime.GOMAXPROCS(0))
		for i, g := range groups {
			slots <- struct{}{}
			wg.Go(func() {
				out[i] = merge(g)
				<-slots
			})
		}
		wg.Wait()
		parts = out
	}
	return parts
}

// Merge is work that makes a set's large parts fewer, or rids one of dead versions. It is done
// apart from the set, which is searched and changed meanwhile, and then adopted by the set that is
// the latest by then.
type Merge struct {
	sources []*part
	out     *part
}

// Due returns the merge that the set would gain from most; nil if there is none. There must be no
// more than one under way for the sets that follow one another.
func (s *Set) Due() *Merge {
	large := s.parts
	for len(large) > 0 && large[len(large)-1].small() {
		large = large[:len(large)-1]
	}
	from, sum := len(large), 0
	for i := len(large) - 1; i >= 0; i-- {
		size := large[i].segment.size()
		if size < growth*sum {
			from = i
		}
		sum += size
	}
	if from < len(large) {
		return &Merge{sources: slices.Clone(large[from:])}
	}
	for _, p := range large {
		if p.lost*2 > p.segment.Chunks() {
			return &Merge{sources: []*part{p}}
		}
	}
	return nil
}

// Run does the work. It needs memory for the result beside that of its sources.
func (m *Merge) Run() { m.out = merge(m.sources) }

// Adopt returns the set with the result of a merge that was begun from it, or from a set that it
// follows. Versions that were removed or replaced meanwhile stay so.
func (s *Set) Adopt(m *Merge) *Set {
	out := *m.out
	at := 0
	parts := slices.Clone(s.parts)
	for _, src := range m.sources {
		now := slices.IndexFunc(parts, func(p *part) bool { return p.segment == src.segment })
		for i := range src.docs {
			if src.isDead(uint32(i)) {
				continue
			}
			if now < 0 || parts[now].isDead(uint32(i)) {
				out.kill(at)
			}
			at++
		}
		if now >= 0 {
			parts = slices.Delete(parts, now, now+1)
		}
	}
	if out.lost < out.segment.Chunks() {
		parts = append(parts, &out)
	}
	order(parts)
	return &Set{parts: parts}
}

// kill marks a version of a part that nobody else holds yet.
func (p *part) kill(at int) {
	if p.dead == nil {
		p.dead = make([]bool, len(p.docs))
	}
	p.dead[at] = true
	p.lost += int(p.docs[at].chunks)
}
