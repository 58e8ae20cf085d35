package rules

import (
	"regexp"
	"slices"
	"strings"
)

// A document may hold words that are meant for whatever reads it by machine: to drop its rules, to answer
// with given words, to call a tool, to approve a proposal, to send its reader somewhere. They tell nothing
// of what a question asks, so no answer quotes them. What is meant for people stays, orders too: "claims
// must be made within …", "ask your manager", "do not click links in such mail". The two are told apart by
// what is spoken of, which people have no hand in, and by the place of the verb: at the beginning of a
// clause. This is about what an answer is worth. Limits, rights and citations do not lean on it.

// orders begins a clause that orders somebody to do something.
const orders = `(?:^|[，,。.；;：:!！?？(（\[【<>\n"'“”‘’*_~-]\s*)(?:请|請|务必|必须|立即|现在|然后|只需|直接|重要|一律|统一|` +
	`you (?:must|should|need to|are to) |please |now |then |first |instead |always |just |kindly |immediately |and )*\s*`

// toolName is how the tools of this product and of its like are named.
const toolName = `\b(?:search_[a-z_]+|read_document[a-z_]*|(?:create|delete|update|publish|apply)_[a-z_]*(?:publish|proposal|document|decision)[a-z_]*|mcp_[a-z_]+|run_sql)`

// machineForm is a form of such words, with words of which it holds one, and what shows that a text in the form is
// meant for people nevertheless; nil is nothing.
type machineForm struct {
	hints  []string
	form   *regexp.Regexp
	spared *regexp.Regexp
}

// formed makes a form. The hints spare texts that hold none of them the form itself, which is slow.
func formed(hints, form string) machineForm {
	return machineForm{hints: strings.Fields(hints), form: regexp.MustCompile(form)}
}

// sparing leaves out of a form the texts that match.
func (m machineForm) sparing(spared *regexp.Regexp) machineForm {
	m.spared = spared
	return m
}

// meets reports whether a text, which lower is in lower case, has the form.
func (m machineForm) meets(text, lower string) bool {
	return slices.ContainsFunc(m.hints, func(hint string) bool { return hinted(lower, hint) }) &&
		m.form.MatchString(text) && (m.spared == nil || !m.spared.MatchString(text))
}

var machineForms = []machineForm{
	// A turn of a conversation, or a mark of the form that prompts have.
	formed("system developer admin reader language", `^[^\p{L}\p{N}]*SYSTEM\b[^:：\n]{0,20}[:：]|(?i)^[^\p{L}\p{N}]*(?:system|developer|admin) (?:message|prompt|override|instructions?|note to (?:the )?(?:ai|assistant|model))\s*[:：]|(?i)\b(?:reader|language) model\s*:`),
	formed("assistant ai 助手 机器人", `(?i)^[^\p{L}\p{N}]*(?:assistant|ai)\b[^:\n]{0,20}:\s*(?:the |i |sure|ok|according|ignore|print|answer|reply|output|you )|^[^\p{L}\p{N}]*(?:助手|机器人|AI)\s*[:：]\s*(?:根据|好的|是的|我|忽略|请)`),
	formed("系统 助手 模型 ai", `[【\[(（<]\s*(?:系统|助手|模型|AI)\s*(?:消息|提示词?|指令|维护提示|通知)\s*[】\])）>]|^[^\p{L}\p{N}]*系统(?:消息|指令|提示词?)\s*[:：]`),
	formed("<| sys inst ### insufficient </ <system <context <question <memory <progress <assistant", `(?i)<\|[a-z_]+\|>|<</?SYS>>|\[/?INST\]|</?(?:system|context|question|memory|progress|assistant)>|###\s*instructions?\s*:|INSUFFICIENT_EVIDENCE`),

	// Rules and instructions of the reader are to be dropped, or what else it read.
	formed("忽略 无视 無視 忘 抛开 推翻 遵守 理会 不要管 不要再管", orders+`(?:忽略|无视|無視|忘记|忘掉|忘了|抛开|推翻|不要(?:再)?(?:遵守|理会|管)|停止遵守)(?:掉|了)?(?:你|您)?(?:的)?(?:以上|之前|先前|前面|此前|上述|其他|其它|所有|全部|任何|原有|系统)的?(?:所有|全部|一切|任何)?的?(?:指令|指示|规则|規則|系统提示|提示词|设定|资料|约束)`),
	formed("ignore disregard forget override bypass", `(?i)`+orders+`(?:ignore|disregard|forget|override|bypass)\b(?: (?:all|any|every|of|the|your|these|those|previous|prior|earlier|above|preceding|other|system|safety|my|and))* (?:instructions?|rules|prompts?|guidelines|constraints|sources)\b`),
	formed("系统提示 提示词 指令 instructions prompt", `(?:先前|之前|以上|原有|此前)的?(?:系统提示|提示词|指令)(?:已|都|均|全部)*(?:作废|失效|取消|无效)|(?i)\b(?:previous|prior|earlier|above) (?:instructions|prompts?)\b[^.\n]{0,12}\b(?:void|obsolete|no longer|revoked|superseded)\b`),

	// What an answer is to say or to look like.
	formed("回答 答案 输出 结论 結論", orders+`(?:在|于|於)?(?:本次|你的|您的|最终|每次)?(?:回答|答案|输出|结论|結論)的?(?:末尾|最后|最後|结尾|开头|開頭|里|裡|中)`),
	formed("回答 回复 回覆 作答 输出 复述 重复", orders+`(?:后续|以后|此后|今后|每次|原样|逐字|只|仅|凭常识|先)+(?:回答|回复|回覆|作答|输出|复述|重复)`),
	formed("回答 回复 回覆 作答 输出 复述", orders+`(?:统一|一律)?(?:回答|回复|回覆|作答|输出|复述)\s*[:：“"「『…]`).sparing(outside),
	formed("回答 作答 输出 复述", orders+`用\s*(?:英文|中文|法文|English|French)\s*(?:回答|作答)|`+orders+`(?:依次|逐条|完整)?(?:输出|复述)(?:你|系统|上述|以上)`),
	formed("answer reply respond", `(?i)`+orders+`(?:answer|reply|respond)\b(?:[^.!?\n]{0,16}\bonly\b(?: with)?| (?:exactly|verbatim)\b| with (?:only|just|nothing)\b|[^.!?\n]{0,6}\s*[:：]\s*["'“‘…]| as an? (?:acrostic|poem|pirate|json)\b)`),
	formed("instruction prompt rules schema say state output quote summari", `(?i)`+orders+`(?:say|state|output|print|repeat|reveal|show)\b[^.!?\n]{0,16}(?:\byour (?:\w+ )?(?:instructions?|prompt|rules)\b|\bsystem prompt\b|\btool schema)|`+orders+`(?:say|state|output)\s*[:：]\s*["'“‘…]|`+
		orders+`quote this (?:sentence|text|paragraph)\b|`+orders+`summari[sz]e this document\b[^.\n]{0,20}\band stop\b`),
	formed("answer response reply output finishing already prompt", `(?i)\b(?:in|at the end of|to|into) (?:your|the) (?:final )?(?:answer|response|reply|output)\s*[.,:!]|\bbefore answering\s*[.,!]|\bbefore finishing the user|\bthe user has already (?:said|approved|confirmed)|\bsystem prompt\b`),
	formed("看到的 读到的 收到的 上一轮 系统提示", `你(?:看到|读到)的(?:每一份|其他|其它|所有)?(?:资料|文档|标题|上下文)|你收到的(?:系统|提示|工具)|上一轮用户|系统提示和工具`),

	// Tools, and the acts of this product.
	formed("search_ read_document publish proposal document decision mcp_ run_sql 工具 tool tenant_id user_id knowledge_admin call", toolName+`|(?:隐藏|历史版本)工具|(?i)\bevery tool\b|\bcall search\b|\btool (?:call|schema|argument)s?\b|\b(?:tenant_id|user_id|knowledge_admin|tool_not_allowed)\b`),
	formed("调用 搜索 检索 视为批准 逕行 径行", orders+`调用[^。\n]{0,8}工具|`+orders+`(?:再)?(?:搜索|检索)[^。\n]{0,6}次|(?:设为|打开)[^。\n]{0,4}(?:即|就)?视为批准|(?:逕行|径行)(?:发布|發布)`),

	// Somewhere to go by a click.
	formed("点击 點擊 点开 单击 click", orders+`(?:点击|點擊|点开|单击)[^。\n]{0,16}(?:https?:|www\.|此处|这里|链接|連結)|(?i)`+orders+`click\b[^.\n]{0,16}(?:https?:|www\.|\bhere\b|\blinks?\b)`),
}

// hinted reports whether a text holds a hint. A short one of Latin letters must begin a word: many words hold "ai" or "ask".
func hinted(lower, hint string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], hint)
		if i < 0 {
			return false
		}
		if i += from; i == 0 || len(hint) > shortHint || !lowerLatin(hint[0]) || !lowerLatin(lower[i-1]) {
			return true
		}
		from = i + 1
	}
}

// shortHint is how long a hint is that must begin a word.
const shortHint = 4

func lowerLatin(b byte) bool { return b >= 'a' && b <= 'z' }

// approval matches the order to approve, where a sentence begins with it.
var approval = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:请|請|立即|现在|务必|直接)*(?:批准|通过|同意|核准)(?:并发布|发布)?(?:该|此|这个|这份|本|所有|全部|待审|待批|待处理|挂起)*的?(?:提案|提议|草稿)|` +
	`(?:please |now |immediately )*(?:approve|accept|confirm|publish) (?:this |the |all |any |pending |open |attached )+(?:\w+ )?(?:proposals?|drafts?|publication)\b)`)

// topics follow words that speak of approving and order nothing: "批准提案后", "批准提案的人".
const topics = "后前时的须应者人需由是要会可"

// commands reports whether a text orders whatever reads it by machine to do something. What stands in
// quotation marks is spoken of, and orders nothing, unless nothing speaks of it.
func commands(text string) bool {
	plain := unquoted(text)
	lower := strings.ToLower(plain)
	for _, forms := range [][]machineForm{machineForms, addressForms, answerForms} {
		if slices.ContainsFunc(forms, func(m machineForm) bool { return m.meets(plain, lower) }) {
			return true
		}
	}
	if asksMachine(plain, lower) || givesRole(plain, lower) {
		return true
	}
	loc := approval.FindStringIndex(plain)
	return loc != nil && !strings.ContainsAny(firstOf(plain[loc[1]:]), topics)
}

// answerLabel matches what marks the answer to a question that stands before it.
var answerLabel = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:回答|答复|答案|回复|answer|reply|response)\s*[:：]\s*`)

// unquoted returns what a text says itself: quotations are put aside, and the label of an answer.
func unquoted(text string) string {
	plain := literal.ReplaceAllString(answerLabel.ReplaceAllString(text, ""), "…")
	if !strings.ContainsFunc(plain, spoken) {
		return text
	}
	return plain
}

// firstOf returns the first character of a text.
func firstOf(text string) string {
	for _, r := range text {
		return string(r)
	}
	return ""
}
