package corpus

import (
	"strconv"
	"strings"
)

// commonElement returns the longest path of whole steps that two element paths share.
func commonElement(a, b string) string {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], "/")
}

// joinRange covers two ranges in A1 notation, the second of which does not begin above the first.
func joinRange(a, b string) string {
	first, last := cell(a, false), cell(b, true)
	if a == "" || b == "" || first == (position{}) || last == (position{}) {
		return a
	}
	other, end := cell(b, false), cell(a, true)
	first = position{min(first.col, other.col), min(first.row, other.row)}
	last = position{max(last.col, end.col), max(last.row, end.row)}
	if first == last {
		return first.String()
	}
	return first.String() + ":" + last.String()
}

type position struct{ col, row int }

// Cell returns the A1 notation of a cell; col and row start at 1.
func Cell(col, row int) string { return position{col, row}.String() }

func (p position) String() string {
	var letters []byte
	for c := p.col; c > 0; c = (c - 1) / 26 {
		letters = append([]byte{byte('A' + (c-1)%26)}, letters...)
	}
	return string(letters) + strconv.Itoa(p.row)
}

// cell reads the first or last corner of a range.
func cell(s string, last bool) position {
	if a, b, ok := strings.Cut(s, ":"); ok {
		if s = a; last {
			s = b
		}
	}
	var p position
	i := 0
	for ; i < len(s) && s[i] >= 'A' && s[i] <= 'Z' && i < 4; i++ {
		p.col = p.col*26 + int(s[i]-'A') + 1
	}
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9' && p.row < 1<<30; i++ {
		p.row = p.row*10 + int(s[i]-'0')
	}
	if i != len(s) || p.col == 0 || p.row == 0 {
		return position{}
	}
	return p
}
