package contrast

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

var (
	// hanHeads end the names of departments, parties, places and papers; what stands before one says which.
	hanHeads = regexp.MustCompile(`公司|合同|协议|中心|车间|供应商|客户|项目|系统|产品|方案|计划|仓库|食堂|银行|大学|学院|学校|医院|协会|委员会|集团|团队|制度|办法|手册|部门|部|处|科|组|厂|店|岛|局|院|所|室|司|队|班|省|市|县|区|镇|村|路|楼|馆|站|库|方|版|级|费|税|险|假|员|期|证`)
	// enHeads are the same in English.
	enHeads = sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for _, t := range analysis.Query("department dept team division unit group committee board office branch contract agreement lease policy plan vendor supplier customer client " +
			"contractor company firm bank plant factory site store shop warehouse building room floor gate hall wing project programme program product service system server " +
			"phase stage section article chapter tier version region city town village island airport station school " +
			"university college hospital hotel tax fee allowance leave insurance licence license permit certificate badge card staff manager director officer " +
			"lawyer shift clause annex appendix") {
			out[t.Term] = true
		}
		return out
	})
)

// headRunes is how many characters behind what distinguishes it a head ends at the latest.
const headRunes = 3

// commonHead returns the head that both texts go on with, with what stands before it.
func commonHead(a, b string) string {
	for _, text := range [...]*string{&a, &b} {
		if r := []rune(*text); len(r) > headRunes {
			*text = string(r[:headRunes])
		}
	}
	here, there := hanHeads.FindStringIndex(a), hanHeads.FindStringIndex(b)
	if here == nil || there == nil || a[here[0]:here[1]] != b[there[0]:there[1]] || !allHan(a[:here[1]]) || !allHan(b[:there[1]]) {
		return ""
	}
	return a[:here[1]]
}

func allHan(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
}
