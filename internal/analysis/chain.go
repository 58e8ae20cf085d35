package analysis

import "unicode/utf8"

// piece is a run of letters and digits inside a chain, as glyph indexes.
type piece struct{ i, j int }

// chain takes letters and digits, and the marks that join them without a space, from i, and
// returns the end: one word, or a whole with its parts.
func (s *scanner) chain(i int) int {
	if j := s.lonely(i); j > i {
		s.english(s.bare(i, min(j, i+longest)), i, j, -1)
		return j
	}
	j := s.chainEnd(i)
	if w := s.joined(i, j); w > j {
		return w
	}
	s.whole(i, j, -1)
	return s.suffixEnd(i, j)
}

// lonely returns the end of the word of small English letters, the first of which may be a capital, that
// is all of the chain from i and of its name, as most chains are; i if there is more to it.
func (s *scanner) lonely(i int) int {
	j := i
	for j < len(s.glyphs) && s.glyphs[j].class == letter && s.glyphs[j].r < utf8.RuneSelf && (j == i || !s.glyphs[j].upper) {
		j++
	}
	if j == len(s.glyphs) {
		return j
	}
	after := other
	if j+1 < len(s.glyphs) {
		after = s.glyphs[j+1].class
	}
	switch g := s.glyphs[j]; {
	case g.class == space && after != digit:
		return j
	case (g.r == '.' || g.r == ',' || g.r == ';') && after != letter && after != digit:
		return j
	}
	return i
}

// chainEnd returns the end of the chain that begins at i.
func (s *scanner) chainEnd(i int) int {
	j := i + 1
	for j < len(s.glyphs) {
		switch c := s.glyphs[j].class; {
		case c == letter || c == digit:
			j++
		case j+1 < len(s.glyphs) && s.joins(j):
			j += 2
		default:
			return j
		}
	}
	return j
}

// joins reports whether the mark at j joins what is before and after it.
func (s *scanner) joins(j int) bool {
	before, after := s.glyphs[j-1].class, s.glyphs[j+1].class
	if after != letter && after != digit || before != letter && before != digit {
		return false
	}
	switch s.glyphs[j].r {
	case '-', '_', '.', '/', ':', '@', '\\', '+', '&', '#', '=':
		return true
	case '\'':
		return before == letter && after == letter
	case ',':
		return s.thousands(j)
	}
	return false
}

// thousands reports whether the comma at j stands between a group of at most three digits and
// one of exactly three.
func (s *scanner) thousands(j int) bool {
	n := 0
	for k := j - 1; k >= 0 && s.glyphs[k].class == digit; k-- {
		n++
	}
	m := 0
	for k := j + 1; k < len(s.glyphs) && s.glyphs[k].class == digit; k++ {
		m++
	}
	return n <= 3 && m == 3
}

// suffixEnd returns the end of the marks after a chain that belong to its name: the parentheses
// of a function, the pluses of C++, the hash of C#.
func (s *scanner) suffixEnd(i, j int) int {
	at := func(k int, r rune) bool { return k < len(s.glyphs) && s.glyphs[k].r == r }
	free := func(k int) bool {
		return k >= len(s.glyphs) || s.glyphs[k].class != letter && s.glyphs[k].class != digit
	}
	switch {
	case at(j, '(') && at(j+1, ')'):
		return j + 2
	case j-i <= 2 && at(j, '+') && at(j+1, '+') && free(j+2):
		return j + 2
	case j-i <= 2 && at(j, '#') && free(j+1) && s.glyphs[i].class == letter:
		return j + 1
	}
	return j
}

// whole appends the chain from i to j, as a part of the token "of", and all of its parts.
func (s *scanner) whole(i, j, of int) {
	end := s.suffixEnd(i, j)
	var room [4]piece
	pieces := s.pieces(room[:0], i, j)
	sharp := end > j && s.glyphs[j].r != '('
	if len(pieces) == 1 && !sharp {
		s.single(pieces[0], of, end > j)
		return
	}
	kind := s.kind(i, j)
	if sharp {
		kind = Identifier
	}
	if j-i <= longest {
		last := j
		if sharp {
			last = end
		}
		of = s.add(s.text(i, last), i, end, kind, of)
	}
	if kind == Identifier {
		if groups := s.groups(i, j); len(groups) > 1 {
			for _, g := range groups {
				s.whole(g.i, g.j, of)
			}
			return
		}
		s.tail(pieces, of)
	}
	for _, p := range pieces {
		s.single(p, of, false)
	}
}

// pieces cuts the chain from i to j at its marks, and adds what it gets to the list.
func (s *scanner) pieces(out []piece, i, j int) []piece {
	start := i
	for k := i; k <= j; k++ {
		if k == j || s.glyphs[k].class == other && s.glyphs[k].r != '\'' && s.glyphs[k].r != ',' {
			out = append(out, piece{start, k})
			start = k + 1
		}
	}
	return out
}

// groups cuts an identifier at the marks that stand between names: the steps of a path, host and
// port, user and host.
func (s *scanner) groups(i, j int) []piece {
	var out []piece
	start := i
	for k := i; k <= j; k++ {
		if k < j {
			switch s.glyphs[k].r {
			case '/', ':', '@', '\\', '&', '#', '=':
			default:
				continue
			}
		}
		out = append(out, piece{start, k})
		start = k + 1
	}
	return out
}

// kind tells words joined by hyphens from identifiers.
func (s *scanner) kind(i, j int) Kind {
	for _, g := range s.glyphs[i:j] {
		if g.class == digit || g.class == other && g.r != '-' && g.r != '\'' {
			return Identifier
		}
	}
	return Compound
}

// tail appends what follows the letters at the beginning of a version or a number with parts:
// 2.3.1 of v2.3.1, 19001-2016 of T19001-2016.
func (s *scanner) tail(pieces []piece, of int) {
	first, last := pieces[0], pieces[len(pieces)-1]
	k := first.i
	for k < first.j && s.glyphs[k].class == letter {
		k++
	}
	if k > first.i && k < first.j && k-first.i <= 3 && last.j-k <= longest {
		of = s.add(s.text(k, last.j), k, last.j, Identifier, of)
		s.word(k, first.j, of)
	}
}

// single appends a piece, and its parts if it is written as several words: camelCase, or letters
// and a number. With call set the piece is a function's name, with its parentheses after it.
func (s *scanner) single(p piece, of int, call bool) {
	cuts := s.cuts(p)
	if len(cuts) == 0 || s.amount(p) || p.j-p.i > longest {
		s.word(p.i, p.j, of)
		if call && len(s.out) > 0 {
			s.out[len(s.out)-1].Span = s.span(p.i, p.j+2)
		}
		return
	}
	end := p.j
	if call {
		end += 2
	}
	of = s.add(s.text(p.i, p.j), p.i, end, Identifier, of)
	start := p.i
	for _, k := range append(cuts, p.j) {
		s.word(start, k, of)
		start = k
	}
}

// amount reports whether a piece is a number with commas between its thousands.
func (s *scanner) amount(p piece) bool {
	for _, g := range s.glyphs[p.i:p.j] {
		if g.class != digit && g.r != ',' {
			return false
		}
	}
	return true
}

// cuts returns where a piece is made of several words.
func (s *scanner) cuts(p piece) []int {
	var out []int
	start := p.i
	for k := p.i + 1; k < p.j; k++ {
		a, b := s.glyphs[k-1], s.glyphs[k]
		if !(a.class == letter && b.class == letter && !a.upper && b.upper || a.class != b.class) {
			continue
		}
		n := k + 1
		for n < p.j && s.glyphs[n].class == b.class && (b.class == digit || !s.glyphs[n].upper) {
			n++
		}
		left, right := k-start, n-k
		camel := a.class == b.class
		numbered := a.class == letter && b.class == digit && right >= 3
		if left >= 2 && right >= 2 || numbered && !camel {
			out = append(out, k)
			start = k
		}
	}
	return out
}

// joined takes a short name in capitals, a space and a number as one identifier ("GB/T
// 19001-2016", "ISO 9001"), and returns the end; i if there is none here. In a query the name
// may be in small letters: the identifier is then one term more, not the whole of the others.
func (s *scanner) joined(i, j int) int {
	if j+1 >= len(s.glyphs) || j-i > 8 || s.glyphs[j].class != space || s.glyphs[j+1].class != digit {
		return i
	}
	capital := true
	for _, g := range s.glyphs[i:j] {
		switch {
		case g.class == letter:
			capital = capital && g.upper
		case g.r != '/' && g.r != '-':
			return i
		}
	}
	if !capital && !s.query || !capital && isStopWord(s.bare(i, j)) {
		return i
	}
	end := s.chainEnd(j + 1)
	if end-i > longest {
		return i
	}
	name := s.text(i, j)
	of := s.add(name+s.text(j+1, end), i, end, Identifier, -1)
	if first := s.pieces(nil, j+1, end)[0]; first.j < end {
		s.add(name+s.text(first.i, first.j), i, first.j, Identifier, of)
	}
	if !capital {
		of = -1
	}
	s.whole(i, j, of)
	s.whole(j+1, end, of)
	return end
}
