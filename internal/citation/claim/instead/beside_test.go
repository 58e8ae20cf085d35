package instead

import "testing"

func TestWhatOneMayDoLeavesRoomForAnother(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        bool
	}{
		{"the lender may assign the loan", "the borrower may assign the loan", true},
		{"the lender may not assign the loan", "the borrower must not assign the loan", true},
		{"the lender repays the loan", "the borrower repays the loan", false},
		{"the lender may assign the loan", "only the borrower may assign the loan", false},
		{"the lender signs the form", "the borrower also signs the form", true},
		{"the insurer and the broker sign the form", "the insured signs the form", true},
		{"the lender pays interest in may", "the borrower pays interest in may", false},
		{"the lender pays", "the borrower pays, and the broker may watch", false}, // of another clause
		{"卖方可转让债权", "买方可转让债权", true},
		{"卖方认可清单", "买方认可清单", false},
		{"押金交卖方即可", "押金交买方", false},     // it is enough
		{"经卖方同意可转租", "经买方同意可转租", false}, // whose leave it needs
		{"rooms may be let with the consent of the lender", "rooms may be let with the consent of the borrower", false},
		{"卖方承担运费", "买方也承担运费", true},
		{"卖方承担运费", "买方承担运费", false},
		{"卖方有权验货", "仅买方有权验货", false},
		{"一季度可报销", "上半年可报销", false},
	} {
		ours, _ := Values(c.claim)
		theirs, _ := Values(c.text)
		if said, found, _ := Other(ours, theirs); Beside(said, found, c.claim, c.text) != c.want {
			t.Errorf("%q against %q: want %t", c.claim, c.text, c.want)
		}
	}
	if Beside(Value{Kind: "way", Is: "1", Written: "email"}, Value{Kind: "way", Is: "2", Written: "telephone"}, "you may write by email", "you may call by telephone") {
		t.Error("what is said of no party leaves room for another")
	}
}
