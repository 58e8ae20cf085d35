package report

import (
	"fmt"
	"strings"

	"github.com/kaoju/kaoju/internal/eval"
)

// words are the fixed words of a report in one language.
type words struct {
	Lang                                                                           string // tag of the page
	GroupTitle, total, PassedTitle, share, interval, when, name                    string
	cases, tries, rules, failed, regressions, unfinished, allGood, notGood         string
	rightVersion, forbidden                                                        string
	cited, supported, partly, notFound, contradicted, oldVersions                  string
	Title, SharesTitle, RankingTitle, VerdictTitle, TrendTitle, CasesTitle, Reason string
	Groups                                                                         map[eval.Group]string
	codes                                                                          map[string]string
}

// finding says what was found: in Chinese the kind of finding first, since its detail is in English.
func (w words) finding(f eval.Finding) string {
	if text := w.codes[f.Code]; text != "" {
		return text + " · " + clean(f.Detail)
	}
	return clean(f.Detail)
}

func wordsOf(language string) words {
	if language == "zh" {
		return chinese
	}
	return english
}

var english = words{
	Lang:       "en",
	GroupTitle: "Group", total: "Cases", PassedTitle: "Passed", share: "Share", interval: "95 % interval", when: "When (UTC)", name: "Name",
	cases: "cases: %d", tries: "passed %d of %d tries", rules: "answered by rules", failed: "Fell short", regressions: "Worse than %s",
	unfinished: "Stopped. Cases that were not run: %d.", allGood: "Everything is as it has to be.", notGood: "Not as it has to be. Cases that fell short: %d.",
	rightVersion: "right version", forbidden: "forbidden", cited: "cited", supported: "supported", partly: "partly", notFound: "not found",
	contradicted: "contradicted", oldVersions: "old versions",
	Title: "Evaluation", SharesTitle: "Share of cases that passed, with 95 % interval", RankingTitle: "Ranking", VerdictTitle: "Sentences of the answers",
	TrendTitle: "Over time", CasesTitle: "Cases", Reason: "Why it fell short",
	Groups: map[eval.Group]string{eval.Retrieval: "Retrieval", eval.Citation: "Citation", eval.Tools: "Tools", eval.Traceability: "Traceability"},
}

var chinese = words{
	Lang:       "zh",
	GroupTitle: "组别", total: "用例", PassedTitle: "通过", share: "比例", interval: "95 % 区间", when: "时间（UTC）", name: "名称",
	cases: "%d 个用例", tries: "%[2]d 次中通过 %[1]d 次", rules: "由规则作答", failed: "未达要求", regressions: "比 %s 差",
	unfinished: "已停止：%d 个用例没有运行。", allGood: "全部达到要求。", notGood: "未达要求：%d 个用例没有通过。",
	rightVersion: "版本正确", forbidden: "不该出现", cited: "有引用", supported: "有支持", partly: "部分支持", notFound: "未找到", contradicted: "矛盾",
	oldVersions: "旧版本", Title: "评测", SharesTitle: "通过的用例比例与 95 % 区间", RankingTitle: "排序", VerdictTitle: "回答的句子",
	TrendTitle: "历次结果", CasesTitle: "用例", Reason: "未通过的原因",
	Groups: map[eval.Group]string{eval.Retrieval: "检索", eval.Citation: "引用", eval.Tools: "工具", eval.Traceability: "可追溯"},
	codes: map[string]string{
		"broke": "无法评判", "timeout": "超时", "changes_documents": "会改动文档，未运行", "no_such_user": "没有此用户", "unknown_target": "库中没有此文档",
		"cannot_fail": "此用例不可能失败", "search_failed": "检索失败", "hits": "不该有结果", "not_found": "没有找到", "rank": "排位靠后", "recall": "找到的不全",
		"no_such_document": "没有此文档", "other_tenant": "属于其他租户", "not_in_force": "不是现行版本", "mislabelled": "版本标注有误", "wrong_version": "版本不对",
		"code_not_found": "没有找到编号", "forbidden_document": "出现不该出现的文档", "forbidden_text": "出现不该出现的文字", "cites": "不该有引用",
		"outcome": "结局不符", "state": "状态不符", "finish_reason": "结束原因不符", "lacks": "缺少应有的内容", "says": "出现不该有的内容", "no_citation": "没有引用",
		"not_cited": "没有引用应引的文档", "place_not_cited": "没有引用应引的位置", "old_version": "用了旧版本", "conclusion_not_cited": "结论没有引用",
		"not_checked": "没有核对", "contradicted": "与引文矛盾", "not_supported": "引文支持不足", "check_not_reproduced": "核对结果不能重现", "no_run": "没有此运行",
		"no_evidence": "没有此证据", "no_events": "没有事件", "event_gap": "事件不完整", "events_differ": "事件与运行不符", "excerpt_hash": "摘录的哈希不符",
		"no_original": "读不到原件", "checksum": "原件校验和不符", "place": "原件该处不是此文", "ledger_differs": "账本与运行不符", "ledger_broken": "账本断裂",
		"call_not_made": "没有发出调用", "code": "调用结果不符", "identity": "身份字段处理不符", "decided_by_other": "他人可以决定", "not_published": "没有发布",
		"not_waiting": "没有等待确认", "changed": "确认之前已有改动", "update_untested": "更新没有检验到", "source_closed": "旧来源打不开",
		"source_changed": "旧来源变了", "source_not_superseded": "旧来源没有提示新版本",
	},
}

// names lists groups.
func (w words) names(groups []eval.Group) string {
	out := make([]string, len(groups))
	for i, g := range groups {
		out[i] = w.Groups[g]
	}
	return strings.Join(out, ", ")
}

// Regressions is the heading of what is worse than an earlier result.
func (w words) Regressions(id string) string { return fmt.Sprintf(w.regressions, id) }

// Verdict says in one sentence whether everything is as it has to be.
func (w words) Verdict(r eval.Report) string {
	if r.Passed() {
		return w.allGood
	}
	return fmt.Sprintf(w.notGood, r.Failures())
}
