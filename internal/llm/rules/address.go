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
	program = `\b(?:(?:large )?language models?|(?:AI|chat|digital|virtual)[ -]?(?:assistants?|models?|agents?|bots?|systems?|readers?)|AIs?|LLMs?|chatbots?|bots?|assistant|models?|ChatGPT|GPT|Claude|Gemini|Copilot)\b`
	// programHints are words of which every name of a program holds one.
	programHints = "language chat gpt claude gemini copilot ai bot llm assistant model digital virtual"
	// programZh and programHintsZh are the same in Chinese. "聊天" and "问答" alone are what people do too.
	programZh      = `(?:(?:聊天|问答)\s*(?:助手|模型|机器人|系统|程序)|(?:AI|人工智能|智能|大?语言模型|大模型|模型|机器人|助手|LLM|GPT|ChatGPT)\s*(?:助手|模型|机器人|系统|程序)?)(?:们)?`
	programHintsZh = "ai 智能 聊天 问答 模型 机器人 助手 llm gpt chatgpt"
	// duty binds whoever is named before it to do something.
	duty   = `(?:must|should|shall|has to|have to|needs? to|ought to|will|may only|can only|(?:is|are) (?:(?:required|instructed|told|asked|expected|supposed|obliged) )?to)(?: (?:always|only|never|not|therefore|then|also|just|simply))*`
	dutyZh = `(?:必须|务必|只能|应当|应该|应|须|需要|需|要|请|得|都|一律|均|统一|就|直接|只|再)+`
	// saying is to answer something, with literal words, a figure or a clause.
	saying = `(?:(?:answer|reply|respond|say|state|claim|report|assert|insist|output|confirm)(?:\s*[:：,]?\s*["'“‘…]|,? (?:with|by|as) ["'“‘…]| that\b)|(?:answer|reply|respond|say)(?: with)? (?:about )?[0-9])`
	// single says of an answer that it is the one to give.
	single = `(?:(?:final|correct|only|right|official|true|sole) )`
	verb   = `(?:answer|reply|respond|say|state|claim|report)`
	// statesZh is what a clause that is to be said holds.
	statesZh  = `(?:[0-9]|[一二三四五六七八九十两]+(?:天|日|元|次)|是[^否几哪谁什]|为[^什何]|可以|可借|无需|不需|不用|不必|没有|不限|永久|免)`
	quotedZh  = `(?:的?(?:是|为)?\s*[:：，,]?\s*["“‘「『…])`
	repliesZh = `(?:回答|回复|回覆|答复|作答|声明|声称|宣称|答|(?:告诉|告知)(?:用户|提问者|读者|询问者|对方|他们))`
	// sayingZh is saying in Chinese. "说明" is to explain, which people are asked for.
	sayingZh = `(?:` + repliesZh + `(?:` + quotedZh + `|[^。！？!?\n]{0,20}` + statesZh + `)|说(?:` + quotedZh + `|(?:[^明法话服。！？!?\n][^。！？!?\n]{0,20})?` + statesZh + `))`
)

var (
	// outside names who is answered at the phone, at the counter and in public.
	outside = regexp.MustCompile(`(?i)\b(?:phone|telephone|callers?|calls?|customers?|clients?|guests?|visitors?|patients?|press|media|journalists?|candidates?|applicants?|interview\w*|parents?|students?|auditors?|inspectors?|police)\b|` +
		`客户|顾客|客人|来电|电话|接听|访客|来访|应聘|求职|候选人|面试|患者|家长|学生|记者|媒体|审计|检查组`)
)

// addressForms are words to a program that reads.
var addressForms = []machineForm{
	formed(programHints, `(?i)`+orders+`(?:(?:notes?|messages?|memo|instructions?|reminder|notice|hints?|attention|information|directions?|remember|listen)(?: (?:to|for))?|to|for|dear|hi|hello|hey|ok|okay|@),?\s*(?:(?:the|all|any|every|each|other|our|whatever|reading) )*`+program+`(?: (?:reading|that reads?|processing|that process(?:es)?) (?:this|it)(?: \w+)?)?\s*[:：,，!！—–-]`),
	formed(programHints, `(?i)\b(?:any|all|every|each|whichever|whatever|the|an?|to) `+program+`(?: (?:that|which|who))? (?:reads?|reading|process(?:es|ing)|sees?|seeing|summari[sz](?:es|ing)|pars(?:es|ing)) (?:this|the (?:above|following)|it)\b`),
	formed(programHints, `(?i)`+orders+`(?:if you(?:'re|’re| are)|as) (?:an? )?`+program+`\s*(?:[,，:：]\s*(?:you|please|always|never|the|`+verb+`|treat|ignore)|[,，])|(?i)`+orders+`you are (?:now )?(?:an? )?(?:helpful )?`+program+`(?:[.,;:!]|$| (?:who|that|with|and|without)\b)`),
	formed(programHints, `(?i)^[^\p{L}\p{N}]*`+program+`\s*[,，]\s*(?:please|you|kindly|do not|don't|always|never|must|`+verb+`|tell|treat|ignore|disregard|remember|recommend)\b`),
	formed(programHintsZh, `(?i)^[^\p{L}\p{N}]*(?:致|写给|给|对|告|提醒|提示|通知|请|亲爱的|尊敬的|你好，?|注意，?)\s*(?:所有|各位|任何|每个|全体|正在)*(?:(?:阅读|读取|读到|处理|看到)(?:本文|此文|本文档|这份文档|这段话)?的)?\s*`+programZh+`\s*(?:的?(?:提示|说明|备注|话|提醒|留言|指示)|注意)?\s*[:：，,！!]`),
	formed(programHintsZh, `(?i)(?:任何|所有|凡是?|每个|各|正在)\s*(?:阅读|读取|读到|处理|看到|解析)(?:了|到)?(?:本|此|这|该)(?:文|段|份|篇|条|页)?[^。，,\n]{0,4}的?\s*`+programZh),
	formed(programHintsZh, `(?i)`+orders+`(?:如果|若|假如)(?:你|您)是(?:一个|一名|个)?\s*`+programZh+`|(?i)`+orders+`作为(?:一个|一名)?\s*`+programZh+`\s*[，,]\s*(?:你|您|请|必须|务必)|(?i)`+orders+`(?:你|您)(?:现在)?是(?:一个|一名|个)?\s*`+programZh+`(?:[。，,；;]|$)`),
	formed(programHintsZh, `(?i)^[^\p{L}\p{N}]*`+programZh+`\s*(?:请|须)?(?:注意|听好|记住)\s*[:：，,！!]`),
	formed(programHints+" "+programHintsZh, `(?i)\b(?:only for|for) (?:the |all |any )?`+program+` (?:only|alone)\b|(?:仅|只|专)?供\s*`+programZh+`\s*(?:阅读|读取|参考|使用)\s*[:：]`),
	formed("现在是 从现在起是", orders+`(?:你|您)(?:现在|从现在起)是(?:一个|一名|个)?[^。，,\n]{0,6}(?:管理员|超级用户|开发者|助手|机器人|模型)`),

	// What a program is bound to say.
	formed(programHints, `(?i)(?:\b(?:the|an?|any|every|each|all|our|your|this) |(?:^|[,;:.]\s*))`+program+`[^.!?\n]{0,60}?\b`+duty+` (?:`+saying+`|`+verb+` the (?:\w+ ){1,3}(?:is|lasts?|are|takes?)\b|`+verb+`\b[^.!?\n]{0,30}["“…]|tell (?:the |its |their )?(?:users?|readers?|askers?) (?:that|["“…]))`),
	formed(programHintsZh, `(?i)(?:`+programZh+`[^。！？!?\n]{0,30}?`+dutyZh+`|(?:要求|命令|指示|请|让|令)\s*`+programZh+`\s*)`+sayingZh+`|`+programZh+`\s*`+dutyZh+`输出`+quotedZh),
}

// answerForms are orders to answer in a way, whoever is to follow them.
var answerForms = []machineForm{
	formed("ask know", `(?i)`+orders+`(?:when(?:ever)?|if|each time|every time|once)\b[^.!?\n]{0,24}\b(?:asks?|asked|wants? to know)\b[^.!?\n]{0,80}?,\s*(?:please |always |only |just |simply |then |you (?:must|should) |the answer (?:is|must be)\b)*(?:`+saying+`|say (?:it|they|there|yes|no)\b)`).sparing(outside),
	formed("question", `(?i)\b(?:any|every|all|each)(?: of the)? questions? (?:about|on|concerning|regarding)\b[^.!?\n]{0,60}?(?:,\s*(?:the answer (?:is|must|should)\b|(?:please |always |only )*`+saying+`)|\b(?:must|should|shall|are to|is to) be (?:answered|replied to|met) (?:with|by|as)\b)`).sparing(outside),
	formed("answer reply respond response conclude", `(?i)`+orders+`(?:(?:answer|reply|respond|conclude) that\b|your (?:\w+ )?(?:answer|reply|response) (?:must|should|has to) (?:be|say|state)\b)`).sparing(outside),
	formed("instead of", `(?i)`+orders+`instead of [^.!?\n]{1,40}, ?(?:please |always )*`+saying).sparing(outside),
	formed("user reader asker", `(?i)`+orders+`(?:tell|inform|assure|answer) (?:the |every |all |any )?(?:users?|readers?|askers?) (?:so|this|it|that|["“…])`).sparing(outside),
	formed("answer response conclusion reply truth", `(?i)`+orders+`(?:report|give|present|return|use|treat|state|cite|quote|provide|take|offer|consider|repeat)\b[^.!?\n]{0,60}? as (?:(?:(?:the|your|its) |an? `+single+`)`+single+`*(?:answer|reply|response|conclusion|truth)\b|an? (?:answer|reply|response|conclusion)\s*(?:[^\s\p{L}]|$))`).sparing(outside),
	formed("from henceforth", `(?i)`+orders+`(?:from (?:now|here|this point)(?: on(?:wards?)?)?|henceforth)\s*,?\s*(?:you (?:must|should|will|are to) |always |please |only )*(?:treat|consider|regard|assume|pretend|act as|`+saying+`)`).sparing(outside),
	formed("instead", `(?i)`+orders+`(?:do not|don't|don’t|never|avoid) (?:mention|reveal|tell|cit|quot|disclos|stat|us)(?:e|ing)?\b[^.!?\n]{0,20}(?:[0-9]|\b(?:limits?|rules?|above|document|deadline|policy|figure)\b)[^.!?\n]{0,60}\binstead,? (?:of [^.!?\n]{1,40}, )?(?:(?:recommend|tell|mention|give|use)\b|`+saying+`)`).sparing(outside),
	formed("ignore disregard forget", `(?i)`+orders+`(?:ignore|disregard|forget)\b[^.!?\n]{0,60}(?:\band |, |; )(?:then |instead |please |just )*(?:`+saying+`|`+verb+` the \w+|tell (?:the )?users?\b)`).sparing(outside),
	formed("http", `(?i)`+orders+`(?:send|post|forward|upload|transmit|submit|leak|copy)\b[^.!?\n]{0,20}\b(?:whole|entire)\b[^.!?\n]{0,40}\bto\s+https?:`),

	formed("问", orders+`(?:(?:当|如果|如|若|凡是?|只要|一旦|每当|有|被|对于?|用户|任何|无论|不管|不论|谁|以后)[^。！？!?\n]{0,10})(?:询问|提问|问到|问起|问及|追问|问)[^。！？!?\n]{0,24}?(?:[，,]\s*(?:你|您)?(?:`+dutyZh+`)?|`+dutyZh+`)`+sayingZh).sparing(outside),
	formed("回答 答案 回复 回覆 答复 作答", orders+`(?:你|您)`+dutyZh+`(?:回答|回复|回覆|答复|作答)(?:`+quotedZh+`|[^。！？!?\n]{0,20}(?:是[^否几哪谁什]|为[^什何]|可以|无需|不需|不用|免|[0-9.]\s*(?:元|天|日|年|月|小时|分钟|%)))|(?:你|您)的(?:回答|答案|回复)(?:必须|应该|应当|应|只能|要|须)(?:是|为|说)`).sparing(outside),
	formed("问题 提问", `(?:任何|所有|一切|全部)[^。！？!?，,\n]{0,16}(?:问题|提问)(?:时)?\s*[，,]?\s*(?:你|您)?(?:`+dutyZh+sayingZh+`|(?:答案|回答)(?:都|均|一律|只能|必须|统一)*(?:是|为))|`+orders+`回答[^。！？!?，,\n]{0,24}(?:问题|提问)(?:时)?\s*[，,]\s*`+dutyZh+sayingZh+`|(?:问题|提问)(?:时)?\s*[，,]?\s*(?:请|应|要|须|必须)*(?:一律|统一|都|均|直接)`+sayingZh).sparing(outside),
	formed("回答时 作答时 回复时", orders+`(?:回答|作答|回复)时\s*[，,]?\s*`+dutyZh+sayingZh).sparing(outside),
	formed("用户 提问者 读者 询问者", orders+`(?:告诉|告知|答复|回复)(?:用户|提问者|读者|询问者)[^。！？!?\n]{0,30}(?:[0-9]|是|为|可以|无需|不需|不限|…)`).sparing(outside),
	formed("现在起 现在开始 此刻起 此刻开始 此起 此开始 今后 以后", orders+`(?:从(?:现在|此刻|此)(?:起|开始)|今后|以后)\s*[，,]?\s*(?:(?:请|你|您|要|须|必须|都|一律)*(?:把|将)[^。！？!?\n]{1,20}(?:视为|视作|当作|当成|看作)|(?:请|你|您)(?:要|须|必须|都|一律|请|只能)*`+sayingZh+`)`).sparing(outside),
	formed("提及 提到 透露 引用 要说 别说 勿说 得说 再说", orders+`(?:不要|别|切勿|不得|勿)(?:再)?(?:提及|提到|透露|引用|说)[^。！？!?\n]{0,10}(?:[0-9]|期限|限制|上限|规定|规则)[^。！？!?\n]{0,16}[，,；;]\s*(?:而是|而要|而应|改为|而|请|要|应)+(?:推荐|建议|`+sayingZh+`)`).sparing(outside),
	formed("忽略 无视 不要理会 别管 不要管", orders+`(?:忽略|无视|不要理会|别管|不要管)[^。！？!?\n]{0,24}[，,；;]\s*(?:并且|并|而是|而|然后|直接|改为|请)*`+sayingZh).sparing(outside),
	formed("答案 回答 结论 作答 回复", orders+`(?:把|将|以)[^。！？!?\n]{1,40}(?:作为|当作|当成|视为)(?:最终|唯一|正确|标准|你的|[^。，,！？!?\n]{1,12}的)?的?(?:答案|回答|结论)|`+orders+`(?:以此|据此|照此)(?:作答|回答|回复)`).sparing(outside),
	formed("http", orders+`(?:(?:把|将)?[^。！？!?\n]{0,12}(?:本文|这份文档|本文档|对话|上下文|系统提示|知识库|会话)[^。！？!?\n]{0,12}(?:发送|上传|提交|转发|传送|发|传)(?:到|至|给|往))\s*https?:`),
}

// backward matches an order about what was said before it.
var backward = regexp.MustCompile(`(?i)` + orders + `(?:report|give|present|return|use|state|cite|quote|repeat|treat|tell (?:the |all )?(?:users?|readers?)) (?:it|this|that|these|so)\b|` + orders + `(?:以此|据此|照此|以上述)`)

// unaddressed returns the sentences of a paragraph without what is said to machines around an order: whom a line speaks
// to holds to its end, an order about what was said before it takes that along, and one takes along what goes on from it.
// What is left out is returned too.
func unaddressed(text string) (said, out []string) {
	runes := []rune(text)
	spans := analysis.Sentences(text)
	line, addressed, ordered := 0, false, false // where the line at hand begins among the sentences that stay
	for i, span := range spans {
		if i > 0 && slices.Contains(runes[spans[i-1][1]:span[0]], '\n') {
			line, addressed, ordered = len(said), false, false
		}
		sentence := string(runes[span[0]:span[1]])
		orders := commands(sentence)
		if orders && backward.MatchString(sentence) {
			out, said = append(out, said[line:]...), said[:line]
		}
		addressed = addressed || addresses(sentence)
		ordered = orders || ordered && goesOn.MatchString(sentence)
		if addressed || ordered {
			out = append(out, sentence)
		} else {
			said = append(said, sentence)
		}
	}
	return said, out
}

// addresses reports whether a sentence speaks to a program that reads, or gives its reader a role.
func addresses(text string) bool {
	plain := unquoted(text)
	lower := strings.ToLower(plain)
	return givesRole(plain, lower) || slices.ContainsFunc(addressForms, func(m machineForm) bool { return m.meets(plain, lower) })
}
