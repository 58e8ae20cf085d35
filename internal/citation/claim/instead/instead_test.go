package instead

import "testing"

func TestAnotherValueOfTheSameKindIsFound(t *testing.T) {
	for _, c := range []struct {
		claim, text, said, found string
	}{
		{"trips are approved by the line manager", "trips are approved by the managing director", "line manager", "managing director"},
		{"押金由甲方退还", "押金由乙方退还", "甲方", "乙方"},
		{"write to a@b.example", "write to c@b.example", "a@b.example", "c@b.example"},
		{"the vendor pays", "the supplier pays", "", ""},                                             // one party in two words
		{"甲方向乙方支付", "乙方向甲方支付", "", ""},                                                               // all stand in both
		{"a monthly report by the line manager", "a yearly report by the managing director", "", ""}, // two differ
		{"the landlord pays", "the landlord or the tenant pays", "", ""},
		{"押金由甲方退还", "押金由总经理退还", "", ""}, // of another kind
	} {
		ours, _ := Values(c.claim)
		theirs, _ := Values(c.text)
		said, found, ok := Other(ours, theirs)
		if ok != (c.said != "") || ok && (said.Written != c.said || found.Written != c.found) {
			t.Errorf("%q against %q: %t %+v %+v", c.claim, c.text, ok, said, found)
		}
	}
}

func TestASentenceTellsWhatItsSubjectIs(t *testing.T) {
	for text, want := range map[string]string{
		"seohyun is a south korean singer and actress .": "person person",
		"basildon is the largest town in essex .":        "place",
		"the film director left .":                       "",
		"it is a film company":                           "company",
	} {
		sorts, _ := WhatItIs(text)
		got := ""
		for i, s := range sorts {
			if i > 0 {
				got += " "
			}
			got += s.Is
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
