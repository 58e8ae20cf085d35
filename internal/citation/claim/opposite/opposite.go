// Package opposite knows words that say the contrary of each other, in either language.
//
// It says nothing of what two texts mean by them: whether an opposite is said of the same thing is compared elsewhere.
package opposite

import (
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Pairs are pairs of families of words, in either language, of which one says the opposite of
// the other about the same thing. A line is a pair; the families are written beside a bar. Those of a line with ~
// mostly say whom a sentence is about, so that with the other one it is about somebody else.
const Pairs = `
increase increased rise rises rose grow grew gain higher greater more elevated enhance enhanced enhances promote promotes activate activates activation stimulate stimulates induce induces upregulate upregulated upregulation improve improves improved facilitate raise raised expand expanded strengthen longer larger accelerate | decrease decreased fall fell decline declined lower less fewer reduce reduced reduces reduction inhibit inhibits inhibition suppress suppresses suppressed block blocks impair impaired impairs downregulate downregulated downregulation worsen worsens diminish attenuate attenuates lose lost loss shrink weaken shorter smaller prevent prevents slow
high | low
largest biggest tallest | smallest
longest | shortest
fastest | slowest
better | worse
activate activates activated | deactivate deactivates deactivated inactivate inactivates inactivated
exacerbate exacerbates exacerbated aggravate aggravates | ameliorate ameliorates alleviate alleviates alleviated mitigate mitigates
stable stability | unstable instability
dependent | independent
related | unrelated
same identical | different distinct
real | fictional imaginary
above | below
safe | unsafe dangerous
legal lawful | illegal unlawful
valid | invalid
inclusive | exclusive
enabled enable enables | disabled disable disables
active | inactive
fixed constant | variable
complete | incomplete
eligible entitled | ineligible
accurate | inaccurate
visible | invisible hidden
sufficient enough | insufficient
online | offline
free | chargeable
temporary | permanent
~ domestic | international overseas
~ full-time fulltime | part-time parttime
refundable | non-refundable nonrefundable
early earlier before prior | late later after following
first | last
begin began start started open opened launch launched | end ended finish finished close closed cease ceased discontinue discontinued
win won winner defeat defeated victory | lose lost loser
~ male man men boy king actor | female woman women girl queen actress
alive | dead deceased
north northern | south southern
east eastern | west western
positive positively | negative negatively
present presence | absent absence lack lacks lacking
success successful succeed succeeded | failure failed fail unsuccessful
accept accepted agree agreed approve approved allow allowed permit permitted | reject rejected refuse refused decline declined deny denied forbid forbidden prohibit prohibited ban banned disapprove
always every all | never none
best good | worst bad
major majority most | minor minority
old oldest elder | young youngest younger
rich | poor
right correct true | wrong incorrect false
left leave departed exit | join joined enter entered
buy bought purchase acquired | sell sold
hot warm | cold cool
necessary required mandatory compulsory must | unnecessary optional voluntary
common widespread | rare uncommon
sensitive sensitivity susceptible | resistant resistance insensitive
single sole only alone | several multiple various numerous many
fiction fictional novel | documentary nonfiction
public | private
~ internal | external
inside indoors indoor | outside outdoors outdoor
minimum least | maximum
include included includes including | exclude excluded excludes excluding
benign | malignant
acute | chronic
增加 上升 提高 升高 增长 上调 增强 扩大 上涨 促进 提升 加强 延长 | 减少 下降 降低 减弱 下调 缩小 下跌 抑制 削弱 缩短
最高 最多 最大 至多 上限 最长 | 最低 最少 最小 至少 下限 最短
高于 超过 大于 多于 以上 | 低于 不足 小于 少于 以下
事先 事前 | 事后
之前 以前 早于 提前 | 之后 以后 晚于 推迟
开始 开启 启用 生效 成立 | 结束 停止 关闭 停用 失效 解散 终止
允许 准许 同意 批准 可以 | 禁止 不得 拒绝 驳回 严禁 不准
必须 应当 须要 强制 | 自愿 无需 不必 无须
成功 | 失败
胜利 获胜 击败 战胜 | 失利 战败 败给 落败
全部 所有 一律 | 部分 个别
~ 男性 男子 | 女性 女子
公开 | 保密
支持 赞成 | 反对
进口 | 出口
收入 | 支出
买入 购买 | 卖出 出售
内部 | 外部
正确 | 错误
长期 | 短期
有效 | 无效
有权 | 无权
免费 | 收费
~ 境内 国内 | 境外 国外
~ 税前 | 税后
~ 全职 | 兼职
~ 线上 | 线下
盈利 | 亏损
升值 | 贬值
永久 | 临时
稳定 | 波动
相同 一致 | 不同 相反
`

// Side is one family of a pair of opposites.
type Side struct{ Pair, Which int }

// Other is the family that says the opposite.
func (s Side) Other() Side { return Side{s.Pair, 1 - s.Which} }

// Sides maps the term of each word to where it stands. A word may stand in several pairs.
var Sides = sync.OnceValue(func() map[string][]Side {
	out := map[string][]Side{}
	n := 0
	for line := range strings.Lines(Pairs) {
		left, right, ok := strings.Cut(strings.TrimPrefix(line, "~"), "|")
		if !ok {
			continue
		}
		for which, family := range []string{left, right} {
			for word := range strings.FieldsSeq(family) {
				for _, t := range analysis.Query(word) {
					if t.Of < 0 {
						out[t.Term] = append(out[t.Term], Side{n, which})
					}
				}
			}
		}
		n++
	}
	return out
})

// SetsApart tells of a word that has an opposite whether the two mostly say whom a sentence is about.
var SetsApart = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(Pairs) {
		if families, ok := strings.CutPrefix(line, "~"); ok {
			for _, t := range analysis.Query(strings.ReplaceAll(families, "|", " ")) {
				out[t.Term] = true
			}
		}
	}
	return out
})

// exhaustive are pairs of families of which one is so where the other is not: what is not included is excluded.
const exhaustive = `
include included includes | exclude excluded excludes
allow allowed permit permitted | forbid forbidden prohibit prohibited ban banned
necessary required mandatory compulsory obligatory | unnecessary optional voluntary
valid | invalid
available | unavailable
active | inactive
enabled | disabled
refundable | non-refundable nonrefundable
legal lawful | illegal unlawful
locked | unlocked
允许 准许 可以 | 禁止 不得 严禁 不准
必须 | 自愿 无需 不必 无须
有效 | 无效
`

// ComplementOf maps a word to those that say the same where they are denied, or where it is.
var ComplementOf = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(exhaustive) {
		left, right, _ := strings.Cut(line, "|")
		families := [2][]string{}
		for i, family := range [...]string{left, right} {
			for _, t := range analysis.Query(family) {
				if t.Of < 0 {
					families[i] = append(families[i], t.Term)
				}
			}
		}
		for i, family := range families {
			for _, word := range family {
				out[word] = append(out[word], families[1-i]...)
			}
		}
	}
	return out
})
