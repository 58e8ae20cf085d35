package role

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWordsNumbersAndLettersAreTokens(t *testing.T) {
	for text, want := range map[string]string{
		"The seller pays the buyer 1,500,000 euros.": "seller pay buyer 1500000 euro",
		"Model A opens at 9:30.":                     "model labela open 9p30",
		"A seller pays.":                             "seller pay",
		"A 型水箱容量 90 升":                               "labela 型 水 箱 容 量 90 升",
		"法务部的合同":                                     "法 务 部 合 同",
		"All trains run from Bonn to Kiel.":          "train run from bonn to kiel",
		"":                                           "",
	} {
		var got []string
		for _, tok := range tokens(prepare(text)) {
			got = append(got, tok.text)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestASentenceIsTakenApartWhereAnotherThingIsSaid(t *testing.T) {
	for text, want := range map[string][]string{
		"Sales writes offers and Support answers calls.": {"sales writes offers", "support answers calls"},
		"The porter and the guard open gates.":           {"porter guard open gates"}, // a single word says nothing
		"Travel is included; lunch is not.":              {"travel included", "lunch"},
		"合同由甲部撰写，由乙部归档。":                                 {"合同由甲部撰写", "由乙部归档"},
	} {
		var got []string
		for _, p := range parts(prepare(text)) {
			got = append(got, show(p.list))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestASwapNamesWhatIsSaidAndWhatIsFound(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		want            Swap
	}{
		{"Ben reports to Anna.", "Anna reports to Ben.", Swap{"ben reports anna", "anna reports ben"}},
		{"Berlin has 35 desks.", "Berlin has 20 desks and Paris has 35 desks.", Swap{"berlin", "paris"}},
		{"Type B holds 6 litres.", "Type A holds 6 litres and Type B holds 9 litres.", Swap{"6", "9"}},
		{"南京仓库有 80 个货架。", "南京仓库有 60 个货架，无锡仓库有 80 个货架。", Swap{"南京", "无锡"}},
		{"广州分店营业到 22 点。", "除广州分店外，各店营业到 22 点。", Swap{"广州分店", "广州分店"}},
	} {
		got, ok := Swapped(c.claim, c.sentence)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%q of %q (-want +got):\n%s", c.claim, c.sentence, diff)
		}
	}
}

func TestAPassiveTellsTheSameInTheOtherOrder(t *testing.T) {
	for passive, active := range map[string]string{
		"Bravo was bought by Alpha.":          "Alpha bought Bravo.",
		"Cheques are only signed by Anna.":    "Anna only signed cheques.",
		"Lunch is included in the price.":     "The price included lunch.",
		"丁公司被丙公司起诉。":                          "丙公司起诉丁公司。",
		"合同由财务部审核。":                           "财务部审核合同。",
		"The gate is unlocked by the porter.": "The porter unlocked the gate.",
	} {
		if s, ok := Swapped(passive, active); ok {
			t.Errorf("%q of %q is swapped: %v", passive, active, s)
		}
		if s, ok := Swapped(active, passive); ok {
			t.Errorf("%q of %q is swapped: %v", active, passive, s)
		}
	}
	if _, ok := Swapped("Alpha was bought by Bravo in May.", "Alpha bought Bravo in May."); !ok {
		t.Error("who is bought is no longer told from who buys")
	}
}

func TestADenialReachesWhatIsCutOutOfIt(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		want            bool
	}{
		{"The guard may unlock the gate.", "Neither the porter nor the guard may unlock the gate.", true},
		{"The guard may not unlock the gate.", "Neither the porter nor the guard may unlock the gate.", false},
		{"The limit is 650 yuan.", "There is no doubt that the limit is 650 yuan.", false},
		{"会员不享受折扣。", "会员享受折扣。", true},
		{"会员不享受折扣。", "会员无法享受折扣。", false},
		{"费用不超过 500 元。", "费用不得超过 500 元。", false},
		{"Interns receive a phone.", "All employees except interns receive a phone.", true},
		{"Interns receive no phone.", "All employees except interns receive a phone.", false},
		{"除周末外展厅开放。", "展厅周末开放。", true},
		{"除周末外展厅开放。", "展厅周末不开放。", false},
		{"除周末外展厅开放。", "除周一外展厅开放。", true},
		{"除周末外展厅开放。", "展厅除周末外开放。", false},
		{"除了周末，周一也开放。", "展厅周一开放。", false}, // what is named beside is no exception
	} {
		if got := Denied(c.claim, c.sentence); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.claim, c.sentence, got, c.want)
		}
	}
}

func TestAClauseHoldsAClaimWithWhatAnotherSaysForIt(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		want            bool
	}{
		{"套餐不包含接送。", "套餐包含早餐，不包含接送。", true},
		{"套餐包含接送。", "套餐包含早餐，不包含接送。", false},
		{"价格不含税。", "价格含税，不含运费。", false},
		{"The policy excludes theft.", "The policy covers fire but excludes theft.", true},
		{"The policy excludes fire.", "The policy covers fire but excludes theft.", false},
		{"The policy covers fire, and it excludes theft too.", "The policy covers fire but excludes theft.", false}, // it says two things
	} {
		if got := Held(c.claim, c.sentence); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.claim, c.sentence, got, c.want)
		}
	}
}

func TestAQuestionGivesNoPartToAnything(t *testing.T) {
	if s, ok := Swapped("Who reports to Anna? Ben reports to Anna.", "Anna reports to Ben."); ok {
		t.Errorf("%v is swapped", s)
	}
}

// TestNoTextSwapsItsOwnParts draws sentences: none swaps anything of itself, and the one with its two names exchanged does.
func TestNoTextSwapsItsOwnParts(t *testing.T) {
	names := []string{"Anna", "Berta", "Conrad", "Dieter"}
	verbs := []string{"informs", "pays", "audits", "reports to"}
	rapid.Check(t, func(t *rapid.T) {
		pair := rapid.Permutation(names).Draw(t, "names")
		verb := rapid.SampledFrom(verbs).Draw(t, "verb")
		end := rapid.SampledFrom([]string{".", " in March.", " within 30 days."}).Draw(t, "end")
		said, turned := pair[0]+" "+verb+" "+pair[1]+end, pair[1]+" "+verb+" "+pair[0]+end
		if s, ok := Swapped(said, said); ok {
			t.Fatalf("%q swaps %v of itself", said, s)
		}
		if _, ok := Swapped(turned, said); !ok {
			t.Fatalf("%q is not told from %q", turned, said)
		}
	})
}

// TestEachOfTwoKeepsItsNumber draws two places with a number each: a place with the other's number is told of, its own is not.
func TestEachOfTwoKeepsItsNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.Permutation([]string{"Lyon", "Nice", "Metz", "Brest"}).Draw(t, "places")
		n := rapid.IntRange(10, 40).Draw(t, "first")
		m := rapid.IntRange(41, 90).Draw(t, "second")
		has := func(place string, n int) string {
			return place + " has " + strings.Repeat("1", n%3+1) + string(rune('0'+n%10)) + " rooms"
		}
		if has("", n) == has("", m) {
			t.Skip("the numbers are the same")
		}
		text := has(places[0], n) + " and " + has(places[1], m) + "."
		if s, ok := Swapped(has(places[0], n)+".", text); ok {
			t.Fatalf("the number of its own is told of in %q: %v", text, s)
		}
		if _, ok := Swapped(has(places[0], m)+".", text); !ok {
			t.Fatalf("the number of the other is not told of in %q", text)
		}
	})
}
