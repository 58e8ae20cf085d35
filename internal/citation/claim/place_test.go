package claim

import "testing"

func TestANameOfAnotherThingNeitherBearsOutNorContradicts(t *testing.T) {
	for _, p := range [][2]string{
		{"The Cedar Project is led by Bob Stone.", "The Maple Project is led by Alice Moore."},
		{"Domestic travel is approved by the controller.", "Travel is approved by the managing director."},
		{"采购合同由张三审批。", "销售合同由李四审批。"},
	} {
		if f := Judge(p[0], []*Source{NewSource(p[1])}); f.Verdict == Supported || f.Verdict == Contradicted {
			t.Errorf("%q against %q: %s by %s", p[0], p[1], f.Verdict, f.Rule)
		}
	}
}
