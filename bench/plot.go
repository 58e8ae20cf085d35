package main

import (
	"fmt"
	"math"
	"strings"
)

// The plot's frame, and what it shows on logarithmic axes.
const (
	width, height         = 720, 420
	left, edge, top, base = 70, 590, 30, 370
	lowest, highest       = 0.01, 1000.0 // milliseconds
)

var colours = map[string]string{"kaoju": "#1a7f37", "bleve": "#b35900", "fts5": "#6639ba"}

// plot draws the median of each engine by size, one line for 10 % visible and one for 60 %.
func plot(all []*result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	for e := lowest; e <= highest; e *= 10 {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%g ms</text>`+"\n",
			left, edge, y(e), y(e), left-6, y(e)+4, e)
	}
	for _, r := range all {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x(all, r.Chunks), base+20, thousands(r.Chunks))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">chunks</text>`+"\n", (left+edge)/2, base+40)
	fmt.Fprintf(&b, `<text x="%d" y="18">median time of a query; solid 10 %% visible, dashed 60 %%</text>`+"\n", left)
	for _, name := range []string{"kaoju", "bleve", "fts5"} {
		for _, f := range []string{"10 %", "60 %"} {
			line(&b, all, name, f)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func line(b *strings.Builder, all []*result, name, filter string) {
	var points []string
	last := 0.0
	for _, r := range all {
		if e := r.Engines[name]; e != nil && e.Search[filter][0] > 0 {
			last = y(e.Search[filter][0])
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(all, r.Chunks), last))
		}
	}
	if points == nil {
		return
	}
	dash := ""
	if filter == "60 %" {
		dash = ` stroke-dasharray="6 4"`
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n", strings.Join(points, " "), colours[name], dash)
	fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s">%s, %s</text>`+"\n", edge+8, last+4, colours[name], name, filter)
}

// x and y place a size and a time on the logarithmic axes.
func x(all []*result, chunks int) float64 {
	first, last := math.Log(float64(all[0].Chunks)), math.Log(float64(all[len(all)-1].Chunks))
	if first == last {
		return (left + edge) / 2
	}
	return left + 20 + (math.Log(float64(chunks))-first)/(last-first)*(edge-left-40)
}

func y(ms float64) float64 {
	share := math.Log(min(max(ms, lowest), highest)/lowest) / math.Log(highest/lowest)
	return base - share*(base-top)
}
