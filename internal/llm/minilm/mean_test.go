package minilm

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/format"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "make the mean vector anew; takes minutes")

// meanSets are the collections whose texts the mean is made of, equally of each.
var meanSets = []string{"cisi", "clapnq-dev", "cranfield", "gitlab-handbook", "nomiracl-en", "scifact"}

// sample returns so many legible texts of a collection, evenly spread over it: passages, and as many
// of their first sentences, since questions and headings are short.
func sample(t *testing.T, set string, n int) []string {
	t.Helper()
	type document struct{ Title, Text string }
	all := records[document](t, "data", "eval", set, "corpus.jsonl")
	var out []string
	n = min(n, len(all))
	for i := range n {
		d := all[i*len(all)/n]
		text := strings.TrimSpace(d.Title + " " + d.Text)
		for len(text) > 800 || !utf8.ValidString(text) {
			text = text[:min(len(text)-1, 800)]
		}
		if !Legible(text) {
			continue
		}
		out = append(out, text)
		if sentence, _, ok := strings.Cut(text, ". "); ok {
			out = append(out, sentence)
		}
	}
	return out
}

// center returns the mean of the vectors of n texts of each collection.
func center(t *testing.T, n int) (mean []float64, texts int) {
	t.Helper()
	mean = make([]float64, Dimensions)
	for _, set := range meanSets {
		list := sample(t, set, n)
		vectors, err := model384(t).Embed(context.Background(), list)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			for i, x := range v {
				mean[i] += float64(x) / float64(len(vectors)*len(meanSets))
			}
		}
		texts += len(list)
	}
	return mean, texts
}

// TestMeanIsThatOfManyTexts makes the mean of a few of the texts and compares, or, with -update, of
// many and writes it.
func TestMeanIsThatOfManyTexts(t *testing.T) {
	if levels()[0].name == "scalar" {
		t.Skip("plain Go would take minutes; the mean is made where there is assembly")
	}
	if *update {
		mean, n := center(t, 500)
		writeMean(t, mean, n)
		return
	}
	mean, n := center(t, 20)
	few := make([]float32, Dimensions)
	for i, v := range mean {
		few[i] = float32(v)
	}
	c := cosine(few, Mean())
	t.Logf("the cosine of the mean of %d texts is %.3f", n, c)
	if c < 0.88 {
		t.Errorf("the mean of %d texts has a cosine of %.3f to the constant", n, c)
	}
}

func writeMean(t *testing.T, mean []float64, texts int) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "package minilm\n\n// mean is the mean of %d vectors; see Mean.\nvar mean = [Dimensions]float32{", texts)
	for i, v := range mean {
		if i%8 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%g, ", math.Round(v*1e6)/1e6)
	}
	b.WriteString("\n}\n")
	source, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("mean_table.go", source, 0o644); err != nil {
		t.Fatal(err)
	}
}
