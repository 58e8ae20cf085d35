package index

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// The bounds of merging. Parts below small are merged at once, when a version comes; larger ones,
// and a crowd of small ones, in a Merge, which runs apart. A crowd is merged fan at a time, which
// keeps what is being merged in the processor's caches, until there are few.
const (
	small  = 1 << 19 // in units of Segment.size
	much   = 4 * small
	growth = 4 // a large part is at least so many times as large as those after it together
	crowd  = 64
	fan    = 128
	few    = 8
)

func (p *part) small() bool { return p.segment.size() < small }

// compact adds the fresh parts, joined with the small ones where those are not twice as large, and
// drops dead versions where they are more than half of a small part. Very much that comes at once,
// as when a server starts, is left as it is.
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
	bulk := size >= much
	from := len(kept)
	for budget := small; !bulk && len(fresh) > 0 && from > 0 && budget > 0; {
		n := kept[from-1].segment.size()
		if !kept[from-1].small() || n >= 2*size {
			break
		}
		from--
		size, budget = size+n, budget-n
	}
	out := slices.Concat(kept, fresh)
	if !bulk {
		out = append(out[:from:from], bundle(out[from:])...)
	}
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

// Merge is work that makes a set's parts fewer, or rids one of dead versions. It is done apart from
// the set, which is searched and changed meanwhile, and then adopted by the set that is the latest
// by then.
type Merge struct {
	sources []*part
	out     []*part // has the living versions of the sources in their order
}

// Due returns the merge that the set would gain from most; nil if there is none. There must be no
// more than one under way for the sets that follow one another.
func (s *Set) Due() *Merge {
	n := len(s.parts)
	for n > 0 && s.parts[n-1].small() {
		n--
	}
	if len(s.parts)-n > crowd {
		return &Merge{sources: slices.Clone(s.parts[n:])}
	}
	large := s.parts[:n]
	from, sum := n, 0
	for i := n - 1; i >= 0; i-- {
		size := large[i].segment.size()
		if size < growth*sum {
			from = i
		}
		sum += size
	}
	if from < n {
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
func (m *Merge) Run() {
	if len(m.sources) > crowd {
		m.out = bundle(gather(m.sources))
		return
	}
	m.out = []*part{merge(m.sources)}
}

// Adopt returns the set with the result of a merge that was begun from it, or from a set that it
// follows. Versions that were removed or replaced meanwhile stay so, and where a source is not
// there any more, its versions lie elsewhere or were removed.
func (s *Set) Adopt(m *Merge) *Set {
	now := map[*member]*part{}
	for _, p := range s.parts {
		now[p.identity()] = p
	}
	out := make([]*part, len(m.out))
	for i, p := range m.out {
		q := *p
		out[i] = &q
	}
	into, at := 0, 0
	for _, src := range m.sources {
		present := now[src.identity()]
		delete(now, src.identity())
		for i := range src.docs {
			if src.isDead(uint32(i)) {
				continue
			}
			for at == len(out[into].docs) {
				into, at = into+1, 0
			}
			if present == nil || present.isDead(uint32(i)) {
				out[into].kill(at)
			}
			at++
		}
	}
	var parts []*part
	for _, p := range s.parts {
		if now[p.identity()] != nil {
			parts = append(parts, p)
		}
	}
	for _, p := range out {
		if p.lost < p.segment.Chunks() {
			parts = append(parts, p)
		}
	}
	order(parts)
	return &Set{parts: parts}
}

// identity names a part and its copies, which differ in what is dead alone.
func (p *part) identity() *member { return &p.docs[0] }

// kill marks a version of a part that nobody else holds yet.
func (p *part) kill(at int) {
	if p.dead == nil {
		p.dead = make([]bool, len(p.docs))
	}
	p.dead[at] = true
	p.lost += int(p.docs[at].chunks)
}
