package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Two more kinds of words for machines. Whoever is spoken to is a program that reads: an AI, a language model, an
// assistant. Or what is ordered is a way of answering: which words a question is to be answered with. People get such
// orders too, at the phone and at the counter; there somebody from outside is named who asks, and the sentence stays.
// An order that is dressed as a rule for the staff of a counter is told like any other rule, with the place it stands at.

const (
	// program names a program that reads, where it is spoken to. "assistants" and "models" alone are people and products too.
	program = `(?:(?:large )?language models?|(?:AI|chat|digital|virtual)[ -]?(?:assistants?|models?|agents?|bots?|systems?|readers?)|AIs?|LLMs?|chatbots?|bots?|assistant|models?|ChatGPT|GPT|Claude|Gemini|Copilot)\b`
	// programZh is the same in Chinese.
	programZh = `(?:AI|人工智能|智能|聊天|问答|大?语言模型|大模型|模型|机器人|助手|LLM|GPT|ChatGPT)\s*(?:助手|模型|机器人|系统|程序)?(?:们)?`
	// duty binds whoever is named before it to do something.
	duty   = `(?:must|should|shall|has to|have to|needs? to|ought to|will|is to|are to|may only|can only)(?: (?:always|only|never|not|therefore|then|also|just|simply))*`
	dutyZh = `(?:必须|务必|只能|应当|应该|应|须|需要|需|要|请|得|都|一律|均|统一|就)+`
	// saying is to answer something.
	saying   = `(?:answer|reply|respond|say|state|claim|report|assert|insist|output|confirm)`
	sayingZh = `(?:回答|回复|回覆|答复|作答|说明|说|声称|告诉|告知|答)`
	// told is what is to be said: literal words, a figure or a clause.
	told   = `(?:\s*[:：,]?\s*["'“‘…]|,? (?:with|by|as) ["'“‘…]|(?: with)? (?:about )?[0-9]| that\b)`
	toldZh = `(?:的?(?:是|为)?\s*[:：，,]?\s*["“‘「『…]|[^。！？!?\n]{0,20}(?:[0-9]|[一二三四五六七八九十两]+(?:天|日|元|次)|是|为|可以|可借|无需|不需|不用|不必|没有|不限|永久|免费))`
)

var (
	// outside names who is answered at the phone, at the counter and in public.
	outside = regexp.MustCompile(`(?i)\b(?:phone|telephone|callers?|calls?|customers?|clients?|guests?|visitors?|patients?|press|media|journalists?|candidates?|applicants?|interview\w*|parents?|students?|auditors?|inspectors?|police)\b|` +
		`客户|顾客|客人|来电|电话|接听|访客|来访|应聘|求职|候选人|面试|患者|家长|学生|记者|媒体|审计|检查组`)
	// human matches the duty of a program to say that it is one.
	human = regexp.MustCompile(`(?i)\b(?:it is|they are|it's|they're) (?:(?:an?|not) )*(?:human|machine|program|AI|bot|chatbot|robot)s?\b|(?:自己|自身|其)(?:是|为|不是|并非)(?:AI|机器人|机器|人工智能|真人|人类|程序)`)
)

// addressForms are words to a program that reads.
var addressForms = []machineForm{
	formed("language gpt claude gemini copilot ai bot llm assistant model", `(?i)`+orders+`(?:(?:notes?|messages?|memo|instructions?|reminder|notice|hints?|attention|information|directions?)(?: (?:to|for))?|to|for|dear|hi|hello|hey|ok|okay|@),?\s*(?:(?:the|all|any|every|each|other|our|whatever|reading) )*`+program+`(?: (?:reading|that reads?|processing|that process(?:es)?) (?:this|it)(?: \w+)?)?\s*[:：,，!！—–-]`),
	formed("language gpt ai bot llm assistant model", `(?i)\b(?:any|all|every|each|whichever|whatever|the|an?|to) `+program+`(?: (?:that|which|who))? (?:reads?|reading|process(?:es|ing)|sees?|seeing|summari[sz](?:es|ing)|pars(?:es|ing)) (?:this|the (?:above|following)|it)\b`),
	formed("language gpt ai bot llm assistant model", `(?i)`+orders+`(?:if you(?:'re|’re| are)|as) (?:an? )?`+program+`\s*(?:[,，:：]\s*(?:you|please|always|never|the|`+saying+`|treat|ignore)|[,，])|(?i)`+orders+`you are (?:now )?(?:an? )?(?:helpful )?`+program+`(?:[.,;:!]|$| (?:who|that|with|and|without)\b)`),
	formed("you are now", `(?i)`+orders+`you are now (?:an? |the |in )(?:\w+ ){0,2}(?:administrator|admin|root|superuser|developer|assistant|bot|model|debug mode)\b`),
	formed("language gpt claude copilot ai bot llm assistant model", `(?i)^[^\p{L}\p{N}]*`+program+`\s*[,，]\s*(?:please|you|kindly|do not|don't|always|never|must|`+saying+`|tell|treat|ignore|disregard|remember|recommend)\b`),
	formed("ai 智能 模型 机器人 助手 llm gpt", `(?i)^[^\p{L}\p{N}]*(?:致|写给|给|告|提醒|提示|通知|请|亲爱的|尊敬的|你好，?|注意，?)\s*(?:所有|各位|任何|每个|全体|正在)*(?:(?:阅读|读取|读到|处理|看到)(?:本文|此文|本文档|这份文档|这段话)?的)?\s*`+programZh+`\s*(?:的?(?:提示|说明|备注|话|提醒|留言|指示)|注意)?\s*[:：，,！!]`),
	formed("ai 智能 模型 机器人 助手 llm gpt", `(?i)(?:任何|所有|凡是?|每个|各|正在)\s*(?:阅读|读取|读到|处理|看到|解析)(?:了|到)?(?:本|此|这|该)(?:文|段|份|篇|条|页)?[^。，,\n]{0,4}的?\s*`+programZh),
	formed("ai 智能 模型 机器人 助手 llm gpt", `(?i)`+orders+`(?:如果|若|假如)(?:你|您)是(?:一个|一名|个)?\s*`+programZh+`|(?i)`+orders+`作为(?:一个|一名)?\s*`+programZh+`\s*[，,]\s*(?:你|您|请|必须|务必)|(?i)`+orders+`(?:你|您)(?:现在)?是(?:一个|一名|个)?\s*`+programZh+`(?:[。，,；;]|$)`),
	formed("你现在是 您现在是 你从现在", orders+`(?:你|您)(?:现在|从现在起)是(?:一个|一名|个)?[^。，,\n]{0,6}(?:管理员|超级用户|开发者|助手|机器人|模型)`),
	formed("ai 智能 模型 机器人 助手 llm gpt", `(?i)^[^\p{L}\p{N}]*`+programZh+`\s*[，,]\s*(?:请|你|您|必须|务必|不要|`+sayingZh+`)`),

	// What a program is bound to say.
	formed("language gpt claude copilot ai bot llm assistant model", `(?i)(?:\b(?:the|an?|any|every|each|all|our|your|this) |(?:^|[,;:.]\s*))`+program+`[^.!?\n]{0,60}?\b`+duty+` (?:`+saying+`(?:`+told+`| the \w+ \w+ (?:is|lasts?|are|takes?)\b)|`+saying+`\b[^.!?\n]{0,30}["“…]|tell (?:the |its |their )?(?:users?|readers?|askers?) (?:that|["“…])|report [0-9])`).sparing(human),
	formed("ai 智能 模型 机器人 助手 llm gpt", `(?i)`+programZh+`[^。！？!?\n]{0,30}?`+dutyZh+`(?:`+sayingZh+`(?:用户|提问者|读者)?)`+toldZh).sparing(human),
}

// answerForms are orders to answer in a way, whoever is to follow them.
var answerForms = []machineForm{
	formed("ask", `(?i)`+orders+`(?:when(?:ever)?|if|each time|every time|once)\b[^.!?\n]{0,24}\b(?:asks?|asked)\b[^.!?\n]{0,80}?,\s*(?:please |always |only |just |simply |then |you (?:must|should) |the answer (?:is|must be)\b)*(?:`+saying+told+`|["“…])`).sparing(outside),
	formed("question", `(?i)\b(?:any|every|all|each)(?: of the)? questions? (?:about|on|concerning|regarding)\b[^.!?\n]{0,60}?(?:,\s*(?:the answer (?:is|must|should)\b|(?:please |always |only )*`+saying+told+`)|\b(?:must|should|shall|are to|is to) be (?:answered|replied to|met) (?:with|by|as)\b)`).sparing(outside),
	formed("user reader", `(?i)`+orders+`(?:tell|inform|assure|answer) (?:the |every |all |any )?(?:users?|readers?|askers?) (?:so|this|it|that|["“…])`).sparing(outside),
	formed("answer conclusion reply truth", `(?i)`+orders+`(?:report|give|present|return|use|treat|state|cite|quote|provide|take|offer|consider|repeat)\b[^.!?\n]{0,60}? as (?:the|your|an?|its) (?:(?:final|correct|only|right|official|true|sole) )*(?:answer|reply|response|conclusion|truth)\b`).sparing(outside),
	formed("from henceforth", `(?i)`+orders+`(?:from (?:now|here|this point)(?: on(?:wards?)?)?|henceforth)\s*,?\s*(?:you (?:must|should|will|are to) |always |please |only )*(?:treat|consider|regard|assume|pretend|act as|`+saying+told+`)`).sparing(outside),
	formed("mention reveal tell cite quote", `(?i)`+orders+`(?:do not|don't|don’t|never|avoid) (?:mention|reveal|tell|cit|quot|disclos|stat|us)(?:e|ing)?\b[^.!?\n]{0,20}(?:[0-9]|\b(?:limits?|rules?|above|document|deadline|policy|figure)\b)[^.!?\n]{0,60}\binstead,? (?:of [^.!?\n]{1,40}, )?(?:recommend|tell|mention|give|use|`+saying+`)\b`).sparing(outside),
	formed("ignore disregard forget", `(?i)`+orders+`(?:ignore|disregard|forget)\b[^.!?\n]{0,60}(?:\band |, |; )(?:then |instead |please |just )*(?:`+saying+told+`|`+saying+` the \w+|tell (?:the )?users?\b)`).sparing(outside),
	formed("http", `(?i)`+orders+`(?:send|post|forward|upload|transmit|submit|leak|copy)\b[^.!?\n]{0,20}\b(?:whole|entire)\b[^.!?\n]{0,40}\bto\s+https?:`),

	formed("问 提问 询问", orders+`(?:(?:当|如果|如|若|凡是?|只要|一旦|每当|有|被|对于?|用户|任何)[^。！？!?\n]{0,10})(?:询问|提问|问到|问起|问及|追问|问)[^。！？!?\n]{0,24}[，,]\s*(?:你|您)?`+dutyZh+sayingZh+toldZh).sparing(outside),
	formed("问题 提问", `(?:任何|所有|一切|全部)[^。！？!?，,\n]{0,16}(?:问题|提问)(?:时)?\s*[，,]?\s*(?:你|您)?(?:`+dutyZh+sayingZh+toldZh+`|(?:答案|回答)(?:都|均|一律|只能|必须|统一)*(?:是|为))|`+orders+`回答[^。！？!?，,\n]{0,24}(?:问题|提问)(?:时)?\s*[，,]\s*`+dutyZh+sayingZh+toldZh).sparing(outside),
	formed("用户 提问者 读者", orders+`(?:告诉|告知|答复|回复)(?:用户|提问者|读者|询问者)[^。！？!?\n]{0,30}(?:[0-9]|是|为|可以|无需|不需|不限|…)`).sparing(outside),
	formed("现在起 现在开始 此刻起 今后 以后", orders+`(?:从(?:现在|此刻|此)(?:起|开始)|今后|以后)\s*[，,]?\s*(?:(?:请|你|您|要|须|必须|都|一律)*(?:把|将)[^。！？!?\n]{1,20}(?:视为|视作|当作|当成|看作)|(?:请|你|您)(?:要|须|必须|都|一律|请|只能)*`+sayingZh+toldZh+`)`).sparing(outside),
	formed("提及 提到 透露 引用 说出", orders+`(?:不要|别|切勿|不得|勿)(?:再)?(?:提及|提到|透露|引用|说出)[^。！？!?\n]{0,10}(?:[0-9]|期限|限制|上限|规定|规则)[^。！？!?\n]{0,16}[，,；;]\s*(?:而是|而要|而应|改为|而|请|要|应)+(?:推荐|建议|`+sayingZh+`)`).sparing(outside),
	formed("忽略 无视 不要理会 别管 不要管", orders+`(?:忽略|无视|不要理会|别管|不要管)[^。！？!?\n]{0,24}[，,；;]\s*(?:并且|并|而是|而|然后|直接|改为|请)*`+sayingZh+toldZh).sparing(outside),
	formed("答案 回答 结论 作答 回复", orders+`(?:把|将|以)[^。！？!?\n]{1,40}(?:作为|当作|当成|视为)(?:最终|唯一|正确|标准|你的)*的?(?:答案|回答|结论)|`+orders+`(?:以此|据此|照此)(?:作答|回答|回复)`).sparing(outside),
	formed("http", orders+`(?:(?:把|将)?[^。！？!?\n]{0,12}(?:本文|这份文档|本文档|对话|上下文|系统提示|知识库|会话)[^。！？!?\n]{0,12}(?:发送|上传|提交|转发|传送|发|传)(?:到|至|给|往))\s*https?:`),
}

// backward matches an order about what was said before it.
var backward = regexp.MustCompile(`(?i)` + orders + `(?:report|give|present|return|use|state|cite|quote|repeat|treat|tell (?:the |all )?(?:users?|readers?)) (?:it|this|that|these|so)\b|` + orders + `(?:以此|据此|照此|以上述)`)

// unaddressed returns the sentences of a paragraph without what is said to machines around an order: whom a line speaks
// to holds to its end, and an order about what was said before it takes that along.
func unaddressed(text string) []string {
	runes := []rune(text)
	spans := analysis.Sentences(text)
	out := make([]string, 0, len(spans))
	line, addressed := 0, false // where the line at hand begins among the sentences that stay
	for i, span := range spans {
		if i > 0 && slices.Contains(runes[spans[i-1][1]:span[0]], '\n') {
			line, addressed = len(out), false
		}
		sentence := string(runes[span[0]:span[1]])
		if len(spans) > 1 && backward.MatchString(sentence) && commands(sentence) {
			out = out[:line]
		}
		addressed = addressed || len(spans) > 1 && addresses(sentence)
		if !addressed {
			out = append(out, sentence)
		}
	}
	return out
}

// addresses reports whether a sentence speaks to a program that reads.
func addresses(text string) bool {
	plain := unquoted(text)
	lower := strings.ToLower(plain)
	return slices.ContainsFunc(addressForms, func(m machineForm) bool { return m.meets(plain, lower) })
}
