package lack_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/lack"
)

func TestWhatIsSaidIsReadBackInEitherLanguage(t *testing.T) {
	for _, code := range []lack.Code{lack.Absent, lack.Unmet, lack.Unanswered, lack.Statement} {
		for _, chinese := range []bool{false, true} {
			about := "火星基地 Mars: base"
			if code == lack.Statement {
				about = ""
			}
			said := code.Say(chinese)
			if said == "" || said == code.Say(!chinese) {
				t.Errorf("%s has no phrase of its own in each language: %q", code, said)
			}
			if got := lack.Read(said + about); got != (lack.Lack{Code: code, About: about}) {
				t.Errorf("%q is read as %+v", said+about, got)
			}
		}
	}
}

func TestOtherWordsStayTheirOwn(t *testing.T) {
	for _, line := range []string{"the travel policy of 2027", "缺少 2027 年的制度", lack.Absent.Say(false), lack.Statement.Say(true) + "，以及其他", ""} {
		if got := lack.Read(line); got != (lack.Lack{Code: lack.Other, About: line}) {
			t.Errorf("%q is read as %+v", line, got)
		}
	}
	if said := lack.Other.Say(true); said != "" {
		t.Errorf("what a model says has a phrase: %q", said)
	}
}
