package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/kaoju/kaoju/internal/eval"
)

type testSuites struct {
	XMLName  xml.Name    `xml:"testsuites"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     string      `xml:"time,attr"`
	Suites   []testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name      string     `xml:"name,attr"`
	Tests     int        `xml:"tests,attr"`
	Failures  int        `xml:"failures,attr"`
	Timestamp string     `xml:"timestamp,attr"`
	Cases     []testCase `xml:"testcase"`
}

type testCase struct {
	Class    string    `xml:"classname,attr"`
	Name     string    `xml:"name,attr"`
	Time     string    `xml:"time,attr"`
	Failures []failure `xml:"failure"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a report as build servers read it: a suite a group, and one more for what is worse
// than before or less than it has to be. A case that was not run is in no suite.
func JUnit(out io.Writer, r eval.Report) error {
	all := testSuites{Name: clean(or(r.Name, r.File)), Time: seconds(r.EndedAt.Sub(r.StartedAt).Milliseconds())}
	for _, g := range eval.Groups() {
		s := testSuite{Name: string(g), Timestamp: r.StartedAt.UTC().Format("2006-01-02T15:04:05")}
		for _, c := range r.Cases {
			if !slices.Contains(c.Groups, g) {
				continue
			}
			t := testCase{Class: "kaoju.eval." + string(g), Name: clean(c.ID), Time: seconds(c.Millis)}
			for _, f := range c.Findings {
				if f.Group == g {
					t.Failures = append(t.Failures, failure{clean(f.Detail), f.Code, clean(fmt.Sprintf("try %d, run %s", f.Try, or(f.Run, "-")))})
				}
			}
			s.add(t)
		}
		all.add(s)
	}
	whole := testSuite{Name: "whole", Timestamp: r.StartedAt.UTC().Format("2006-01-02T15:04:05")}
	for _, g := range r.Regressions {
		name := clean(fmt.Sprintf("%s %s", g.Group, or(g.Case, g.Figure)))
		whole.add(testCase{"kaoju.eval.baseline", name, seconds(0), []failure{{fmt.Sprintf("%.4f before, %.4f now", g.Before, g.Now), "regression", ""}}})
	}
	for _, s := range r.Short {
		whole.add(testCase{"kaoju.eval.minimum", clean(s), seconds(0), []failure{{clean(s), "minimum", ""}}})
	}
	all.add(whole)
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(out)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (s *testSuite) add(t testCase) {
	s.Tests++
	if len(t.Failures) > 0 {
		s.Failures++
	}
	s.Cases = append(s.Cases, t)
}

func (s *testSuites) add(t testSuite) {
	if t.Tests == 0 {
		return
	}
	s.Tests, s.Failures = s.Tests+t.Tests, s.Failures+t.Failures
	s.Suites = append(s.Suites, t)
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }
