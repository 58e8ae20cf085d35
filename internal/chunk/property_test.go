package chunk_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

// words draws text of a length: sentences, lines and clusters, in both scripts.
func words(t *rapid.T, limit int) string {
	piece := rapid.SampledFrom([]string{"一句话。", "word ", "End. ", "长，", "x", "𠮷", "e\u0301", "\n", "long-identifier_1", "？」", " "})
	text := strings.TrimSpace(strings.Join(rapid.SliceOfN(piece, 1, limit).Draw(t, "words"), ""))
	for strings.Contains(text, "\n\n") {
		text = strings.ReplaceAll(text, "\n\n", "\n")
	}
	if text == "" {
		return "x"
	}
	return text
}

func drawDocument(t *rapid.T) *document {
	d := newDocument()
	for range rapid.IntRange(1, 12).Draw(t, "blocks") {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			d.h(rapid.IntRange(1, 4).Draw(t, "level"), "# "+rapid.StringOfN(rapid.RuneFrom([]rune("ab题")), 1, 8, -1).Draw(t, "name"))
		case 1, 2:
			d.p(words(t, 60))
		case 3:
			d.block(corpus.ListItem, 1, "- "+words(t, 8))
		case 4:
			rows := []string{}
			for range rapid.IntRange(1, 8).Draw(t, "rows") {
				rows = append(rows, "| "+strings.ReplaceAll(words(t, 12), "\n", " ")+" | b |")
			}
			d.table("| 编号 | h |", rows...)
		case 5:
			d.block(corpus.Code, 0, "```x\n"+strings.ReplaceAll(words(t, 40), "```", "")+"\n```")
		}
		d.gap(rapid.SampledFrom([]string{"", "\n", "\n\n", " \n\t\n"}).Draw(t, "gap"))
	}
	return d
}

func TestChunksTileTheTextWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		o := chunk.Options{MaxChars: rapid.IntRange(60, 400).Draw(t, "max")}
		check(t, d.Parsed, chunk.Split(d.Parsed, o), o)
	})
}

// blocksIn returns the indexes of the blocks that lie in a chunk, whole or in part.
func blocksIn(p corpus.Parsed, c corpus.Chunk) []int {
	var out []int
	for i, b := range p.Blocks {
		if b.Span.Overlap(c.Span) > 0 {
			out = append(out, i)
		}
	}
	return out
}

func TestNoHeadingIsLeftAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		chunks := chunk.Split(d.Parsed, chunk.Options{MaxChars: rapid.IntRange(100, 400).Draw(t, "max")})
		for i, c := range chunks {
			in := blocksIn(d.Parsed, c)
			last := d.Blocks[in[len(in)-1]]
			if i < len(chunks)-1 && (last.Kind == corpus.Heading && headed(d.Parsed, in) < 80 || last.Kind == corpus.TableHead) {
				t.Fatalf("chunk %d of %d ends with a %s: %q", c.No, len(chunks), last.Kind, c.Text)
			}
		}
	})
}

// headed returns the length of the headings at the end of a chunk: a chain of headings that fills a
// chunk by itself has to be cut from what follows.
func headed(p corpus.Parsed, in []int) int {
	i := len(in) - 1
	for i > 0 && p.Blocks[in[i-1]].Kind == corpus.Heading {
		i--
	}
	return p.Blocks[in[len(in)-1]].Span.End - p.Blocks[in[i]].Span.Start
}

func TestRowsAlwaysHaveTheirHeader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		for _, c := range chunk.Split(d.Parsed, chunk.Options{MaxChars: rapid.IntRange(60, 400).Draw(t, "max")}) {
			heads := map[int]bool{}
			for _, i := range blocksIn(d.Parsed, c) {
				switch b := d.Blocks[i]; b.Kind {
				case corpus.TableHead:
					heads[i] = true
				case corpus.TableRow:
					if !heads[b.Head] && !strings.HasPrefix(c.Context, "| 编号 | h |\n|---|---|\n") {
						t.Fatalf("chunk %d has a row without its header: %q", c.No, c.Full())
					}
				}
			}
		}
	})
}

func TestBlocksThatFitAreNotTorn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		limit := rapid.IntRange(100, 400).Draw(t, "max")
		chunks := chunk.Split(d.Parsed, chunk.Options{MaxChars: limit})
		for i, b := range d.Blocks {
			if b.Span.Len() > limit-60 { // room for the headings and header before it
				continue
			}
			n := 0
			for _, c := range chunks {
				if b.Span.Overlap(c.Span) > 0 {
					n++
				}
			}
			if n != 1 && headedBefore(d.Parsed, i)+b.Span.Len() <= limit {
				t.Fatalf("block %d of %d characters lies in %d chunks: %q", i, b.Span.Len(), n, d.Text)
			}
		}
	})
}

// headedBefore returns the length of the headings and table head directly before a block.
func headedBefore(p corpus.Parsed, i int) int {
	j := i
	for j > 0 && (p.Blocks[j-1].Kind == corpus.Heading || p.Blocks[j-1].Kind == corpus.TableHead) {
		j--
	}
	return p.Blocks[i].Span.Start - p.Blocks[j].Span.Start
}

func TestSplitIsTheSameEveryTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		a, b := texts(chunk.Split(d.Parsed, chunk.Options{})), texts(chunk.Split(d.Parsed, chunk.Options{}))
		if strings.Join(a, "\x00") != strings.Join(b, "\x00") {
			t.Fatal("two splits differ")
		}
	})
}
