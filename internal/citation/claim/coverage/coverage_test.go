package coverage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func saying(text string) Text { return Read(text, text) }

func TestWordsThatAPlaceLacksAreNamed(t *testing.T) {
	for _, c := range []struct {
		why, said, place string
		lacks            []string
	}{
		{"every word is there", "the office is open", "the office is open", nil},
		{"a word is nowhere", "the office lends headsets", "the office lends laptops", []string{"headsets"}},
		{"forms of one word", "approval of requests", "requests are approved", nil},
		{"known equals", "staff purchase desks", "employees bought desks", nil},
		{"words of grammar", "it is then open per day", "open each day", nil},
		{"characters cut otherwise", "年假", "年休假", nil},
		{"characters that are missing stand together", "冷冻仓库", "冷藏仓库", []string{"冻"}},
		{"known equals in Chinese", "采购设备", "购买设备", nil},
		{"duty and leave", "员工须登记", "员工应当登记", nil},
		{"parts of a compound", "a double-deck bus", "a bus with a double deck", nil},
		{"how often", "every month", "each week", []string{"every month"}},
		{"how often, in other words", "quarterly", "every 3 months", nil},
		{"how often in Chinese", "每季度", "每3个月", nil},
		{"a year that is counted is no period", "第一年租金", "第一年租金", nil},
		{"a length of time is no period", "within a year", "after some years", nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			if diff := cmp.Diff(c.lacks, saying(c.said).Lacking(saying(c.place))); diff != "" {
				t.Errorf("%q in %q (-want +got):\n%s", c.said, c.place, diff)
			}
		})
	}
}

func TestALetterThatSaysWhichOneIsCompared(t *testing.T) {
	block := Read("a座", "A座")
	if got := block.Lacking(Read("b座", "B座")); !cmp.Equal(got, []string{"A"}) {
		t.Errorf("block A lacks %q in block B", got)
	}
	if got := block.Lacking(Read("a 座", "A 座")); got != nil {
		t.Errorf("block A lacks %q in block A", got)
	}
}

func TestATextLacksNothingOfItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("abcdeyz -,.每按年月季度半一二三3人员工作甲乙A座/"))).Draw(t, "text")
		if got := saying(text).Lacking(saying(text)); got != nil {
			t.Fatalf("%q lacks %q of itself", text, got)
		}
	})
}

func TestMorePlacesLackNoMore(t *testing.T) {
	words := rapid.SliceOf(rapid.SampledFrom([]string{"pump", "valve", "每月", "车间", "monthly", "油", "oil"}))
	rapid.Check(t, func(t *rapid.T) {
		join := func(name string) Text {
			out := ""
			for _, w := range words.Draw(t, name) {
				out += w + " "
			}
			return saying(out)
		}
		said, one, other := join("said"), join("one"), join("other")
		if more, fewer := said.Lacking(one, other), said.Lacking(one); len(more) > len(fewer) && len(fewer) == 0 {
			t.Fatalf("lacks %q with another place, nothing without", more)
		}
	})
}

func TestTheTopicIsWhatSentencesNameAgainAndAgain(t *testing.T) {
	var list []Text
	for _, s := range []string{"the pump is red", "the pump hums", "the pump and the employee rest", "an employee", "employees", "a valve"} {
		list = append(list, saying(s))
	}
	topic := Topic(list)
	if got := saying("the pump of the employee has a valve").Lacking(topic); !cmp.Equal(got, []string{"employee", "valve"}) {
		t.Errorf("lacks %q", got)
	}
}

func TestLinesAreHeadingsRowsAndSentencesThatLean(t *testing.T) {
	for line, depth := range map[string]int{"# One": 1, "### Three": 3, "Opening hours": 7, "It is open.": 0, "开放时间": 7, "价格：": 0, "| a | b |": 0, "Level 5": 0} {
		if got := Heading(line); got != depth {
			t.Errorf("%q is a heading of depth %d, want %d", line, got, depth)
		}
	}
	if !Row("| a |") || Row("a | b") {
		t.Error("a row begins with a bar")
	}
	for sentence, leans := range map[string]bool{"It is red.": true, "They may leave.": true, "该设备停用。": true, "本月停用。": false, "Italy is far.": false, "Pumps hum.": false} {
		if LeansOn(sentence) != leans {
			t.Errorf("%q leans: %t", sentence, !leans)
		}
	}
}

func TestAPartOfASentenceMayBeginWithAThingOfItsOwn(t *testing.T) {
	if !saying("小修由检修班进行").Begins(saying("大修由原厂进行")) {
		t.Error("small repairs are a thing of their own")
	}
	if saying("低于60%时罚款").Begins(saying("低于90%时警告")) {
		t.Error("a part that begins alike goes on with the same thing")
	}
}

func TestAFrameSaysNothingOfItsOwn(t *testing.T) {
	for framed, want := range map[string]string{
		"according to the handbook, visits are free": " visits are free",
		"the contract states that visits are free":   " visits are free",
		"根据管理办法的规定,参观免费":                             "参观免费",
		"合同规定:参观免费":                                  "参观免费",
		"visits according to plan are free":          "visits according to plan are free",
		"参观须按规定登记":                                   "参观须按规定登记",
	} {
		if got := Unframed(framed); got != want {
			t.Errorf("%q is %q without its frame, want %q", framed, got, want)
		}
	}
}

func TestATextThatSaysHowOftenRecurs(t *testing.T) {
	for text, recurs := range map[string]bool{"每月3元": true, "3 euros a day": true, "第一年租金3元": false, "月租金3元": true, "within a month": false, "monthly": true} {
		if Recurs(text) != recurs {
			t.Errorf("%q recurs: %t", text, !recurs)
		}
	}
}
