package coverage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsThatCarryWhatIsSaidAreTold(t *testing.T) {
	for text, carries := range map[string]bool{"contains": true, "usually": true, "called": true, "retains": false, "phones": false, "receives": false, "covers": false, "establishes": false, "headset": false, "permanent": false, "worst": false} {
		for _, w := range saying(text).All() {
			if w.Carries() != carries {
				t.Errorf("%s carries: %t", text, !carries)
			}
		}
	}
}

func TestAQuestionNeedNotHoldWhatItAsksFor(t *testing.T) {
	for said, lacks := range map[string][]string{
		"in what year did the fair open? 1999": {"fair", "open"},
		"in what year did the fair open":       {"year", "fair", "open"},
		"展览什么时候开幕?5月":                          {"展览", "开幕", "月"},
		"what increases with the heat? noise":  {"increases", "heat", "noise"}, // a verb is said
	} {
		if got := saying(said).Lacking(); !cmp.Equal(got, lacks) {
			t.Errorf("%q: %q, want %q", said, got, lacks)
		}
	}
}

func TestAddressesStandForThemselves(t *testing.T) {
	said := Read("write to a@b.example", "Write to a@b.example")
	if got := said.Unmatched(Read("write to c@b.example", "Write to c@b.example")); !cmp.Equal(got, []string{"a@b.example"}) {
		t.Errorf("lacks %q", got)
	}
	if got := said.Unmatched(Read("or write to a@b.example", "Or write to A@b.example.")); got != nil {
		t.Errorf("lacks %q", got)
	}
}

func TestAPartHasTheLettersOfItsWhole(t *testing.T) {
	whole := Read("block b has lamps, block c has none", "Block B has lamps, block C has none")
	if got := Read("block b", "Block B").Lacking(whole.Part("block b has lamps")); got != nil {
		t.Errorf("lacks %q", got)
	}
}
