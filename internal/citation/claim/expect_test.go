package claim

import "testing"

// expected says which verdicts a reader would accept, who judged a pair before the check saw it.
type expected string

const (
	borneOut     expected = "supported"
	saysContrary expected = "contradicted"
	atMostPartly expected = "neither supported nor contradicted"
	notBorneOut  expected = "not supported"
	noContrary   expected = "not contradicted"
)

// expectation is a sentence with a text that it cites.
type expectation struct {
	want           expected
	sentence, text string
}

// holds judges each pair.
func holds(t *testing.T, list []expectation) {
	t.Helper()
	for _, e := range list {
		f := Judge(e.sentence, []*Source{NewSource(e.text)})
		ok := false
		switch v := f.Verdict; e.want {
		case borneOut:
			ok = v == Supported
		case saysContrary:
			ok = v == Contradicted && f.Quote != ""
		case atMostPartly:
			ok = v == Partly || v == NotSupported
		case notBorneOut:
			ok = v != Supported
		case noContrary:
			ok = v != Contradicted
		}
		if !ok {
			t.Errorf("%q against %q is %s by %s, %v; want %s", e.sentence, e.text, f.Verdict, f.Rule, f.Reasons, e.want)
		}
	}
}
