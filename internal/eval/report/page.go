package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/eval"
)

//go:embed page.css
var style string

//go:embed page.tmpl
var markup string

// page is what the template shows.
type page struct {
	W                  words
	R                  eval.Report
	Policy             string
	Style              template.CSS
	Engine             string
	When               string
	Shares             []bar
	Ranking, Citations []figure
	Verdicts           []slice
	Trend              *trend
	Cases              []row
}

type row struct {
	eval.CaseResult
	Groups   string
	Findings []string
}

// Page writes a report as one page of HTML with charts in SVG. It holds no script and loads
// nothing: its own policy admits its one style and refuses everything else. Earlier results, if
// there are any, are drawn as a line.
func Page(out io.Writer, r eval.Report, earlier []eval.Result) error {
	w := wordsOf(r.Language)
	sum := sha256.Sum256([]byte(style))
	p := page{
		W: w, R: r, Engine: engine(w, r.Result), When: r.StartedAt.UTC().Format(time.DateTime) + " UTC",
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), //nolint:gosec // it is a file of this package
		Shares: bars(w, r.Groups), Ranking: ranking(w, r.Retrieval, r.K), Citations: citations(w, r.Citation), Verdicts: verdicts(w, r.Citation),
		Trend: trendOf(w, append(slices.Clone(earlier), r.Result)),
	}
	for _, c := range r.Cases {
		line := row{CaseResult: c}
		line.Groups = w.names(c.Groups)
		for _, f := range failures(eval.Result{Cases: []eval.CaseResult{c}}) {
			line.Findings = append(line.Findings, w.names(f.Groups)+": "+w.finding(f.Finding))
		}
		p.Cases = append(p.Cases, line)
	}
	t, err := template.New("page").Parse(markup)
	if err != nil {
		return err
	}
	return t.Execute(out, p)
}

// Tall is the height of the chart of shares.
func (p page) Tall() int { return max(1, len(p.Shares)) * barStep }

// Legend is where the name of a line of the trend stands.
func (page) Legend(i int) int { return 24 + 20*i }
