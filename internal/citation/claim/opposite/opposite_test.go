package opposite

import (
	"slices"
	"testing"
)

func TestNoWordStandsOnBothSidesOfAPair(t *testing.T) {
	for word, list := range Sides() {
		for _, s := range list {
			if slices.Contains(list, s.Other()) {
				t.Errorf("%s is said to be its own opposite", word)
			}
		}
	}
	if len(Sides()) < 150 {
		t.Errorf("only %d words with opposites were read", len(Sides()))
	}
}

func TestWhatIsNotSoIsTheContrary(t *testing.T) {
	for word, other := range map[string]string{"valid": "invalid", "禁止": "允许"} {
		if !slices.Contains(ComplementOf()[word], other) || !slices.Contains(ComplementOf()[other], word) {
			t.Errorf("%s and %s complement each other: %q, %q", word, other, ComplementOf()[word], ComplementOf()[other])
		}
	}
}

func TestWordsThatSayWhomASentenceIsAboutSetItApart(t *testing.T) {
	for word, apart := range map[string]bool{"domest": true, "税前": true, "valid": false, "免费": false} {
		if SetsApart()[word] != apart {
			t.Errorf("%s sets apart: %t", word, !apart)
		}
	}
}
