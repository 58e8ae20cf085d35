package stored

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// What Blocks writes around and between blocks. Neither can stand inside of one: a quote in a string
// is escaped, and no other array there holds objects that begin with a kind.
const (
	blocksOpen  = `{"v":1,"blocks":[{"kind":"`
	blocksNext  = `},{"kind":"`
	blocksClose = `}]}`
)

// BlocksWithin reads, of what Blocks wrote, the blocks that share a character with a span, and returns the number of
// the first; 0 without any. Those before it are not decoded, and those after it not even looked at.
func BlocksWithin(column string, span corpus.Span) (out []corpus.Block, first int, err error) {
	if span.Len() <= 0 {
		return nil, 0, nil
	}
	rest, ok := strings.CutPrefix(column, blocksOpen)
	if !ok {
		all, err := ReadBlocks(column)
		return within(all, span, err)
	}
	for n := 0; ; n++ {
		one, after, more := strings.Cut(rest, blocksNext)
		if !more {
			if one, ok = strings.CutSuffix(one, blocksClose); !ok {
				return nil, 0, problem.New(problem.Internal, "record", "A stored text can't be read.")
			}
		}
		from, to, ok := spanIn(one)
		switch {
		case !ok:
			return nil, 0, problem.New(problem.Internal, "record", "A stored text can't be read.")
		case from >= span.End:
			return out, first, nil
		case to > span.Start:
			b, err := blockIn(one)
			if err != nil {
				return nil, 0, err
			}
			if len(out) == 0 {
				first = n
			}
			out = append(out, b)
		}
		if !more {
			return out, first, nil
		}
		rest = after
	}
}

// spanIn reads the span of a block that is not decoded.
func spanIn(one string) (from, to int, ok bool) {
	_, one, ok = strings.Cut(one, `","span":[`)
	if !ok {
		return 0, 0, false
	}
	one, _, ok = strings.Cut(one, "]")
	start, end, both := strings.Cut(one, ",")
	from, err := strconv.Atoi(start)
	if err == nil {
		to, err = strconv.Atoi(end)
	}
	return from, to, ok && both && err == nil
}

func blockIn(one string) (corpus.Block, error) {
	var r blockRecord
	if err := json.Unmarshal([]byte(`{"kind":"`+one+"}"), &r); err != nil {
		return corpus.Block{}, problem.Wrap(err, problem.Internal, "record", "A stored text can't be read.")
	}
	return r.corpus()
}

// within takes the blocks over a span out of all of them.
func within(all []corpus.Block, span corpus.Span, err error) ([]corpus.Block, int, error) {
	if err != nil {
		return nil, 0, err
	}
	first := 0
	for first < len(all) && all[first].Span.End <= span.Start {
		first++
	}
	last := first
	for last < len(all) && all[last].Span.Start < span.End {
		last++
	}
	if first == last {
		return nil, 0, nil
	}
	return all[first:last], first, nil
}
