package lexicon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/problem"
)

// The bounds of a list; analysis has those of words and synonyms.
const (
	MaxLines = 5_000
	MaxLine  = 1_500      // characters
	MaxSize  = 256 * 1024 // bytes of all lines
	// maxFaults is how many wrong lines are named.
	maxFaults = 20
)

// Count says how much a list holds.
type Count struct {
	Words    int // kept whole
	Synonyms int // lines with several names
}

// parsed is what lines say.
type parsed struct {
	lexicon *analysis.Lexicon
	count   Count
	words   []string // folded
}

// Check reads lines and returns how much they hold, and a hash of their
// words, "" of none. Lines that can't be
// used are problem.Invalid "invalid_lexicon"; its fields name each wrong line by its pointer in
// {"lines": […]}, and its detail the first one with its word.
func Check(lines []string) (Count, string, error) {
	p, err := parse(lines)
	if err != nil {
		return Count{}, "", err
	}
	if len(p.words) == 0 {
		return p.count, "", nil
	}
	slices.Sort(p.words)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(p.words), "\n")))
	return p.count, hex.EncodeToString(sum[:]), nil
}

// Compile makes a lexicon of lines; nil of lines that say nothing. It refuses what Check refuses.
func Compile(lines []string) (*analysis.Lexicon, error) {
	p, err := parse(lines)
	if err != nil || p.count == (Count{}) {
		return nil, err
	}
	return p.lexicon, nil
}

func parse(lines []string) (parsed, error) {
	var p parsed
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	if len(lines) > MaxLines || size > MaxSize {
		return p, problem.New(problem.Invalid, "invalid_lexicon", "A list can have %d lines of %d bytes in all; this one has %d of %d.", MaxLines, MaxSize, len(lines), size)
	}
	b := analysis.NewBuilder()
	var wrong *problem.Error
	for i, l := range lines {
		err := p.line(b, l)
		if err == nil {
			continue
		}
		if wrong == nil {
			wrong = problem.New(problem.Invalid, "invalid_lexicon", "Line %d: %s", i+1, err)
		}
		if len(wrong.Fields) < maxFaults {
			wrong.Fields = append(wrong.Fields, problem.Field{Pointer: fmt.Sprintf("/lines/%d", i), Detail: err.Error()})
		}
	}
	if wrong != nil {
		return p, wrong
	}
	p.lexicon = b.Lexicon()
	return p, nil
}

// line reads one line into the builder.
func (p *parsed) line(b *analysis.Builder, line string) error {
	switch {
	case !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && glyph.Steers(r) }):
		return wrong("The line holds characters that are no text.")
	case utf8.RuneCountInString(line) > MaxLine:
		return wrong("The line has more than %d characters.", MaxLine)
	case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		return nil
	}
	left, right, ruled := cut(line)
	from, err := names(left)
	if err != nil {
		return err
	}
	if !ruled && len(from) == 1 {
		if err := b.Word(from[0]); err != nil {
			return err
		}
		p.count.Words++
		p.words = append(p.words, analysis.Fold(from[0]))
		return nil
	}
	if !ruled {
		p.count.Synonyms++
		return b.Same(from)
	}
	if strings.Contains(right, arrow) {
		return wrong("The line has more than one arrow.")
	}
	to, err := names(right)
	if err != nil {
		return err
	}
	p.count.Synonyms++
	return b.OneWay(from, to)
}

func wrong(format string, args ...any) error {
	return problem.New(problem.Invalid, "invalid_lexicon", format, args...)
}

// cut parts a rule at its arrow, of either width.
func cut(line string) (left, right string, ruled bool) {
	return strings.Cut(strings.ReplaceAll(line, "＝＞", arrow), arrow)
}

// arrow stands between the two sides of a rule.
const arrow = "=>"

// separators stand between names; all of them read as a comma.
var separators = strings.NewReplacer("，", ",", "、", ",")

// names parts what stands between separators.
func names(s string) ([]string, error) {
	out := strings.Split(separators.Replace(s), ",")
	for i, n := range out {
		if out[i] = strings.TrimSpace(n); out[i] == "" {
			return nil, wrong("A name is missing beside a comma or an arrow.")
		}
	}
	return out, nil
}
