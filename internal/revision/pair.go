package revision

import "slices"

// pairing finds, for two texts, which sections continue which.
type pairing struct {
	a, b     document
	headed   bool
	toB, toA []int
}

func (p *pairing) join(i, j int) { p.toB[i], p.toA[j] = j, i }

func (p *pairing) run() {
	if p.headed {
		p.byPath()
	} else {
		p.byKey(p.wholes(p.a, p.toB), p.wholes(p.b, p.toA))
		p.byRowHead()
	}
	p.byContent()
	p.byPlace()
}

// wholes returns the texts of the sections that have no partner, with their indices.
func (p *pairing) wholes(d document, partner []int) keyed {
	var out keyed
	for i, s := range d.sections {
		if partner[i] < 0 {
			out.add(i, d.whole(s))
		}
	}
	return out
}

// keyed is a list of keys with the section that each belongs to.
type keyed struct {
	at   []int
	keys []string
}

func (k *keyed) add(i int, key string) {
	k.at, k.keys = append(k.at, i), append(k.keys, key)
}

// byKey joins what has the same key in the same order.
func (p *pairing) byKey(a, b keyed) {
	for _, q := range common(a.keys, b.keys) {
		p.join(a.at[q[0]], b.at[q[1]])
	}
}

// byPath joins sections of one heading path. Where a path stands several times, sections that say
// the same are joined first, the others in order.
func (p *pairing) byPath() {
	group := func(d document) (map[string][]int, []string) {
		out, order := map[string][]int{}, []string{}
		for i, s := range d.sections {
			k := pathKey(s.path)
			if out[k] == nil {
				order = append(order, k)
			}
			out[k] = append(out[k], i)
		}
		return out, order
	}
	ofA, order := group(p.a)
	ofB, _ := group(p.b)
	for _, k := range order {
		x, y := ofA[k], ofB[k]
		if len(x)*len(y) > 1 {
			pick := func(d document, list []int) (out keyed) {
				for _, i := range list {
					out.add(i, d.whole(d.sections[i]))
				}
				return out
			}
			p.byKey(pick(p.a, x), pick(p.b, y))
			x = slices.DeleteFunc(slices.Clone(x), func(i int) bool { return p.toB[i] >= 0 })
			y = slices.DeleteFunc(slices.Clone(y), func(j int) bool { return p.toA[j] >= 0 })
		}
		for n := range min(len(x), len(y)) {
			p.join(x[n], y[n])
		}
	}
}

// byRowHead joins rows of a table whose first cell names one row on each side.
func (p *pairing) byRowHead() {
	if !p.a.rows || !p.b.rows {
		return
	}
	pick := func(d document, partner []int) keyed {
		count := map[string]int{}
		heads := make([]string, len(d.sections))
		for i, s := range d.sections {
			if partner[i] < 0 {
				heads[i] = firstCell(d.text[d.span(s).Start:d.span(s).End])
				count[heads[i]]++
			}
		}
		var out keyed
		for i, h := range heads {
			if h != "" && count[h] == 1 {
				out.add(i, h)
			}
		}
		return out
	}
	p.byKey(pick(p.a, p.toB), pick(p.b, p.toA))
}

func firstCell(row []rune) string {
	if i := slices.Index(row, '|'); i > 0 {
		return dense(row[:i])
	}
	return ""
}

// byContent joins sections that are the same for the most part, wherever they stand. Each unit
// that stands once among what is left on either side speaks for its sections.
func (p *pairing) byContent() {
	count := map[string][2]int{}
	left := func(d document, partner []int, side int) {
		for i, s := range d.sections {
			if partner[i] >= 0 {
				continue
			}
			for _, u := range d.units[s.first:s.last] {
				c := count[u.key]
				c[side]++
				count[u.key] = c
			}
		}
	}
	left(p.a, p.toB, 0)
	left(p.b, p.toA, 1)
	home := map[string]int{}
	for j, s := range p.b.sections {
		for _, u := range p.b.units[s.first:s.last] {
			if p.toA[j] < 0 && count[u.key] == [2]int{1, 1} {
				home[u.key] = j
			}
		}
	}
	votes := map[[2]int]int{}
	for i, s := range p.a.sections {
		for _, u := range p.a.units[s.first:s.last] {
			if p.toB[i] < 0 && count[u.key] == [2]int{1, 1} {
				votes[[2]int{i, home[u.key]}] += u.weight
			}
		}
	}
	// More than half of the larger one can be shared with one section alone, so no pair rules
	// out another.
	for q, shared := range votes {
		if 2*shared > max(p.a.sections[q[0]].weight, p.b.sections[q[1]].weight) {
			p.join(q[0], q[1])
		}
	}
}

// byPlace joins sections that are alike between the same neighbours.
func (p *pairing) byPlace() {
	for i := 0; i < len(p.a.sections); i++ {
		if p.toB[i] >= 0 {
			continue
		}
		end := i
		for end < len(p.a.sections) && p.toB[end] < 0 {
			end++
		}
		from := 0
		if i > 0 {
			from = p.toB[i-1] + 1
		}
		to := from
		for to < len(p.b.sections) && p.toA[to] < 0 {
			to++
		}
		next := len(p.b.sections)
		if end < len(p.a.sections) {
			next = p.toB[end]
		}
		if to > from && to == next && (end-i)*(to-from) <= maxPairs {
			p.between(i, end, from, to)
		}
		i = end
	}
}

func (p *pairing) between(i, end, from, to int) {
	least := likePart
	if p.headed {
		least = likeSection
	}
	sketches := func(d *document, i, end int) (out []sketch) {
		for _, s := range d.sections[i:end] {
			at := d.span(s)
			out = append(out, sketchOf(d.text[at.Start:at.End]))
		}
		return out
	}
	allowed := func(x, y int) bool { return !p.headed || p.sameParent(i+x, from+y) }
	for _, q := range alike(sketches(&p.a, i, end), sketches(&p.b, from, to), least, allowed) {
		p.join(i+q[0], from+q[1])
	}
}

func (p *pairing) sameParent(i, j int) bool {
	x, y := p.a.sections[i].parent, p.b.sections[j].parent
	return x < 0 && y < 0 || x >= 0 && y >= 0 && p.toB[x] == y
}

// moved says of each section of a that has a partner whether that stands elsewhere: in another
// order, or under another heading. What only follows its heading did not move by itself.
func (p *pairing) moved() []bool {
	out := make([]bool, len(p.toB))
	var list, places []int // of those that stand under the same heading
	for i, j := range p.toB {
		switch {
		case j < 0:
		case p.headed && !p.sameParent(i, j):
			out[i] = true
		default:
			list, places = append(list, i), append(places, j)
		}
	}
	kept := map[int]bool{}
	for _, k := range rising(places) {
		kept[list[k]] = true
	}
	for _, i := range list {
		x, y := p.a.sections[i], p.b.sections[p.toB[i]]
		renamed := p.headed && heading(x.path) != heading(y.path)
		followed := x.parent >= 0 && !kept[x.parent]
		out[i] = renamed || !kept[i] && !followed
	}
	return out
}

// heading is the innermost heading of a path.
func heading(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return pathKey(path[len(path)-1:])
}
