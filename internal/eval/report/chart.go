package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/eval"
)

// The measures of the charts, in units of their own view boxes.
const (
	barLeft, barWidth, barStep = 130, 400, 34
	trendWidth, trendHeight    = 560, 160
	trendLeft, trendTop        = 40, 10
)

// bar is a share with its interval, drawn.
type bar struct {
	Name, Text                   string
	Y, Mid, Width, Low, High     int
	Labels, Left, LabelX, Height int
}

func bars(w words, groups []eval.GroupResult) []bar {
	var out []bar
	for i, g := range groups {
		y := i * barStep
		out = append(out, bar{
			Name: w.Groups[g.Group], Text: fmt.Sprintf("%d/%d · %s", g.Passed, g.Cases, percent(g.Share)),
			Y: y + 6, Mid: y + 16, Width: scale(g.Share, barWidth), Left: barLeft, LabelX: barLeft + barWidth + 10,
			Low: barLeft + scale(g.Low, barWidth), High: barLeft + scale(g.High, barWidth), Labels: y + 21, Height: 20,
		})
	}
	return out
}

func scale(share float64, to int) int { return int(min(1, max(0, share))*float64(to) + 0.5) }

// slice is a part of one stacked bar.
type slice struct {
	Name, Text, Class string
	X, Width          int
}

// verdicts draws the sentences of the answers by what the check found.
func verdicts(w words, c *eval.CitationShare) []slice {
	if c == nil || c.Conclusions == 0 {
		return nil
	}
	x := 0
	var out []slice
	for _, part := range []struct {
		name, class string
		share       float64
	}{{w.supported, "good", c.Supported}, {w.partly, "fair", c.Partly}, {w.notFound, "poor", c.NotFound}, {w.contradicted, "bad", c.Contradicted}} {
		width := scale(part.share, trendWidth)
		out = append(out, slice{part.name, part.name + " " + percent(part.share), part.class, x, width})
		x += width
	}
	return out
}

// trend is the shares of the groups over several results.
type trend struct {
	Lines []line
	From  string
	To    string
}

type line struct {
	Name, Class, Points string
	Dots                [][2]int
}

// trendOf draws results in order of time; nil if there are not two of them.
func trendOf(w words, results []eval.Result) *trend {
	if len(results) < 2 {
		return nil
	}
	slices.SortStableFunc(results, func(a, b eval.Result) int { return a.StartedAt.Compare(b.StartedAt) })
	out := &trend{From: results[0].StartedAt.UTC().Format("2006-01-02"), To: results[len(results)-1].StartedAt.UTC().Format("2006-01-02")}
	for _, g := range eval.Groups() {
		l := line{Name: w.Groups[g], Class: string(g)}
		var points []string
		for i, r := range results {
			at := slices.IndexFunc(r.Groups, func(x eval.GroupResult) bool { return x.Group == g })
			if at < 0 {
				continue
			}
			x := trendLeft + i*(trendWidth-trendLeft-10)/(len(results)-1)
			y := trendTop + trendHeight - scale(r.Groups[at].Share, trendHeight)
			points = append(points, fmt.Sprintf("%d,%d", x, y))
			l.Dots = append(l.Dots, [2]int{x, y})
		}
		if l.Points = strings.Join(points, " "); l.Points != "" {
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}
