package rules

import (
	"regexp"
	"strings"
)

// The principle beside the forms, which closes where it is in doubt: a sentence in which a program that answers is named,
// or the making of an answer from this very text, together with an act of saying, hiding or obeying, is not quoted; nor
// one that gives its reader a role, or frees it of rules. Orders come in ever new wordings, but without somebody who is
// to carry them out and something to do they are none. True sentences about a company's own chatbot are left out too.
// What is left out is told (see remark.go), and the source can be opened.

// aspect is something that a sentence may hold, with words of which it holds one.
type aspect struct {
	hints []string
	form  *regexp.Regexp
}

func aspectOf(hints, form string) aspect {
	return aspect{strings.Fields(hints), regexp.MustCompile(form)}
}

// in returns the places of an aspect in a text, which lower is in lower case.
func (a aspect) in(text, lower string) [][]int {
	for _, hint := range a.hints {
		if hinted(lower, hint) {
			return a.form.FindAllStringIndex(text, -1)
		}
	}
	return nil
}

const (
	// answering names a program that writes answers and can be nobody else; "assistant", "system" and 助手 alone can.
	answering   = `(?i:\b(?:AIs?|LLMs?|(?:large )?language models?|chat ?bots?|bots?|ChatGPT|GPT|Claude|Gemini|Copilot|(?:automated|automatic|digital|virtual|conversational|generative|machine|retrieval|question[ -]answering|answering|summar\w+) (?:assistants?|agents?|models?|systems?|readers?|engines?|tools?|programs?))\b)`
	answeringZh = `语言模型|大模型|聊天机器人|对话(?:系统|机器人|模型)|问答(?:系统|机器人|助手|程序|模型)|智能体|智能(?:助手|客服|问答)|生成式|机器读者|人工智能`
	// device is a thing that reads no texts.
	device = `(?i:\bAI[ -](?:cameras?|sensors?|detectors?|scanners?|alarms?|robots?|vehicles?|devices?|chips?)\b)|AI\s*(?:摄像头|摄像机|相机|传感器|芯片|设备)`
	// toolOf is a program that somebody works with.
	toolOf = `(?i:\b(?:us(?:e|es|ed|ing)|into|with|via|through) (?:(?:the|an?|any|our|\w+) ){0,2})(?:` + answering + `)|(?:使用|利用|借助|通过|采用|用|向)\s*(?:` + answeringZh + `|` + answering + `)`
)

var (
	programs = aspectOf("ai llm language chat bot gpt claude gemini copilot automat digital virtual conversational generative machine retrieval answering summar 模型 机器 对话 问答 智能 生成式", answering+`|`+answeringZh)
	devices  = aspectOf("ai", device)
	asTools  = aspectOf("us into with via through 用 借助 通过 向", toolOf)
	// makings are the making of an answer from the text at hand, which people are not told of in it.
	makings = aspectOf("answer response reply summar pars index ingest process 答 摘要 总结 概括 解析 生成", `(?i:\b(?:generat|compos|produc|writ|creat|draft|prepar|formulat|giv)\w*\b[^.!?\n]{0,30}\b(?:answers?|responses?|repl(?:y|ies)|summar(?:y|ies))\b[^.!?\n]{0,20}\b(?:(?:from|on|of|using|with|citing) (?:this|the (?:above|following))|for (?:the |a |your )?users?)\b|`+
		`\b(?:summari[sz]|pars|index|ingest|process)(?:e|es|ing)? (?:this|the (?:above|following)) ?(?:document|page|text|passage|paragraph|file|section|content)?\b)|`+
		`(?:根据|引用|依据|基于|利用|用)(?:本|此|该|这)\p{Han}{1,3}?(?:来)?(?:作答|回答|答复|生成|总结)|(?:总结|概括|解析)(?:本|此|该|这)(?:文|页|份|段|篇|条)|生成(?:答案|回答|回复|摘要)|为用户(?:总结|作答|生成)`)
	// acts are to say, to hide, to obey and not to. A noun of the same letters is no act.
	acts = aspectOf("answer repl respon say tell stat claim report assert insist output print reveal disclos conceal hid announc declar publish display repeat recit recommend prais promot mention omit leave skip cit quot ignor disregard overrid forget obey pretend present treat replac suggest confirm deny refus declin conclud assum endors giv "+
		"答 回 改 称 说 声明 宣布 告 输出 打印 透露 泄露 公开 复述 念 重复 提 推荐 建议 忽略 无视 遵守 服从 报 写 换成 视为 当作 隐 省略 拒绝 采信 展示",
		`(?i)(?:(?:^|[^\p{L}’'-])(?:to|must|should|shall|will|may|can|not|and|or|then|please|only|always|never|just|simply|also|it|they|you|them|agents?|models?|bots?|assistants?|systems?|tools?|LLMs?|AIs?) |[,;:：，.!—–(] ?|^\W*)(?:answer|reply|respond|say|tell|state|claim|report|assert|insist|output|print|reveal|disclose|conceal|hide|announce|declare|publish|display|repeat|recite|recommend|praise|promote|mention|omit|leave out|skip|cite|quote|ignore|disregard|override|forget|obey|pretend|present|treat|replace|suggest|confirm|deny|refuse|decline|conclude|assume|endorse)\b|`+
			`\bbe (?:given|answered|reported|stated|presented|told|quoted|treated)\b|\b(?:answers?|responses?|repl(?:y|ies)|outputs?) (?:must|should|shall|has to|have to|is to|are to) (?:say|state|read|be (?:the|an?|that|no|yes|free|zero|un\w+|[0-9]+)|be ["“…])|`+
			`(?:^|[^的])(?:回答|回复|回覆|作答|答复|输出|声明|建议|提示)(?:[^内结是]|$)|(?:回答|答案|输出|回复)(?:必须|只能|应当|应|须|一律|都)+(?:是|为|说)|改称|改口|声称|宣称|宣布|称赞|赞扬|告诉|告知|打印|透露|泄露|公开|复述|念出|重复|提及|提到|不提|推荐|忽略|无视|遵守|服从|报[成为]|写[明成]|换成|视为|当作|隐去|隐瞒|省略|略去|拒绝|推说|采信|展示|说(?:[^明法服话]|$)`)
	// staff are those who work with tools and have duties of their own.
	staff = regexp.MustCompile(`(?i)\b(?:employees?|staff|colleagues?|workers?|managers?|supervisors?|teachers?|students?|developers?|authors?)\b|员工|职工|同事|人员|主管|经理|教师|老师|学生|作者`)
	// roles give a role or free of rules, in the second person or as the system.
	roles = aspectOf("you system override act from earlier previous 你 您 系统 原 前 设定 提示 指令", `(?i:\byou are now (?:an?|the|my|free of|unrestricted|in \w+ mode)\b|\byour (?:new )?role (?:is now|is that of|is to be|is (?:an?|the)|will be|becomes)\b|\byou (?:are|will be) (?:no longer|not|never) (?:bound|restricted|limited|constrained|governed)\b|`+
		`\byou (?:now )?have no (?:more |further )?(?:restrictions?|limits|limitations|rules|constraints)\b|\b(?:rules|instructions|prompts?|constraints|guidelines) (?:that |which )?(?:you were given|given to you|you have been given|you follow)\b|\byour (?:previous|prior|earlier|former|original|existing) (?:rules|instructions?|prompts?|constraints?|guidelines|role)\b|`+
		`^\W*system\W{1,3}override\b|^\W*override\s*[:.!,]|`+`(?:^|[.!?;:,]\s*)act as (?:an?|the) [^.!?\n]{1,40} and (?:say|state|declare|answer|announce|tell|report|claim)\b|`+
		`\bfrom (?:now|here|this (?:moment|point))(?: on(?:wards?)?)?,? (?:you (?:answer|obey|serve|act|are (?:an?|the|my|no)|have no|(?:will |must |should |shall )?(?:only |always )?(?:say|claim|pretend|obey|answer that|answer to))|disregard|forget)\b)|`+
		`(?:你|您)(?:已|将|现在)?(?:不再|不必|无需|不用|不)(?:受|遵守|遵循|服从)[^。！？\n]{0,16}(?:规则|规定|限制|约束|指令|设定|提示)|(?:你|您)(?:现在|已经|已|将)?没有(?:任何|一切)?(?:的)?(?:限制|约束|规则)|(?:你|您)(?:的)?(?:现在|如今)?(?:的)?新?的?(?:角色|身份)(?:现在)?(?:是|为|变[为成]|改[为成])|`+
		`(?:你|您)(?:现在|将|要|来|从现在起)?(?:扮演|充当)|从(?:现在|此刻|此)(?:起|开始)[，,]?\s*(?:你|您)(?:只听|只能(?:说|回答)|没有|不再|就?是|将是|扮演|听|必须(?:说|听|回答)|不受)|(?:原先?|先前|之前|此前|以前|原有)的?(?:系统)?(?:设定|提示词?|指令|约束|角色)[^。！？\n]{0,6}(?:作废|失效|取消|无效|解除)`)
	// goesOn begins a sentence that has its subject from the one before it.
	goesOn = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:it|they|you|your|then|also|and|do not|don't|never|always|instead)\b|^[^\p{L}\p{N}]*(?:它|它们|你|您|并|同时|然后|也|还|不要|不得|请|另外|必须|务必)`)
)

// asksMachine reports whether a text names a program that answers, or the making of an answer from the text, and an act that
// is asked of it. Where people work with a program, the act is theirs.
func asksMachine(text, lower string) bool {
	named := programs.in(text, lower)
	if len(named) == 0 && len(makings.in(text, lower)) == 0 || len(acts.in(text, lower)) == 0 {
		return false
	}
	if len(named) == 0 || len(makings.in(text, lower)) > 0 {
		return true
	}
	return len(devices.in(text, lower)) < len(named) && !(staff.MatchString(text) && len(asTools.in(text, lower)) >= len(named))
}

// givesRole reports whether a text gives its reader a role or frees it of rules.
func givesRole(text, lower string) bool { return len(roles.in(text, lower)) > 0 }
