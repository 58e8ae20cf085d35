package peer

import (
	"strings"
	"testing"
)

func TestNamesOfOneKindExcludeEachOther(t *testing.T) {
	for _, c := range []struct {
		one, two string
		want     bool
	}{
		{"Alice Moore", "Bob Stone", true},
		{"Alice Moore", "Alice B. Moore", false},
		{"Bob Stone", "Robert Stone", false},
		{"Alice Moore", "Chief Engineer", false},      // a post and who holds it
		{"Alice Moore", "Property Services", false},   // a person and a department
		{"Alice Moore", "Finance", false},             //
		{"Acme Holdings", "Alice Moore Group", false}, // no kind is known
		{"Finance", "Legal", true},
		{"the Finance Department", "Finance", false},
		{"IT", "Information Technology", false},
		{"IT", "Human Resources", true},
		{"HR", "Human Resources", false},
		{"Geneva", "Zurich", true},
		{"Frankfurt", "Germany", false}, // one inside the other
		{"Germany", "France", true},
		{"New York", "New York City", false},
		{"Building 7", "Geneva", false},
		{"CEO", "Chairman", true},
		{"CEO", "General Manager", false},
		{"张三", "李四", true},
		{"张三", "总经理", false},
		{"张总", "张三", false},
		{"王工", "王伟", false},
		{"法务部", "财务部", true},
		{"人事部", "人力资源部", false},
		{"信息部", "信息技术部", false},
		{"项目一部", "财务部", false}, // nobody knows what the first is part of
		{"上海", "苏州市", true},
		{"上海", "浦东", false},
		{"甲方", "乙方", true},
		{"公司", "员工", true},
		{"公司", "甲方", false},
	} {
		if got := Exclude(c.one, c.two); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.one, c.two, got, c.want)
		}
		if Exclude(c.two, c.one) != Exclude(c.one, c.two) {
			t.Errorf("%s and %s: one excludes the other and not the other way round", c.one, c.two)
		}
		if Exclude(c.one, c.one) {
			t.Errorf("%s excludes itself", c.one)
		}
	}
}

func TestEveryNameStandsInOneKind(t *testing.T) {
	seen := map[string]bool{}
	for name := range strings.FieldsFuncSeq(peers, func(r rune) bool { return r == '/' || r == ' ' || r == '\n' }) {
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
	if len(peerOf()) != len(seen) {
		t.Errorf("%d of %d names were read", len(peerOf()), len(seen))
	}
}
