package rules

import "regexp"

// commissions match what somebody says who wants a text written, around what the text is to be about:
// 起草一份关于…的通知, "Draft a notice about …". The about is all that documents have to tell of; nobody
// looks for a notice in them.
var commissions = []*regexp.Regexp{
	regexp.MustCompile(`^\s*(?:请|烦请|麻烦)?(?:你|您)?(?:再|先)?(?:帮我|帮忙|为我|替我|给我|给(?:大家|全体|各部门|员工|同事|客户)们?)?` +
		`(?:起草|草拟|拟写|拟定|拟|撰写|编写|写|准备)(?:一下)?(?:[一两三][份封篇个则条段])?(?:简短的?|正式的?)?` +
		`(?:关于|有关|说明|介绍)?(.{2,}?)的?(?:简短的?|正式的?)?(?:` + genresZH + `)(?:草稿|初稿|稿)?[。.！!]?\s*$`),
	regexp.MustCompile(`^\s*(?:请|烦请|麻烦)?(?:你|您)?(?:帮我|帮忙|为我|替我|给我)?(?:起草|草拟|拟写|拟定|拟|撰写|编写|写|准备)(?:一下)?[一两三][份封篇个则条段](?:` +
		genresZH + `)(?:草稿|初稿|稿)?[，,：:]?(?:说明|介绍|告知|通知|关于|内容是)(.{2,}?)[。.！!]?\s*$`),
	regexp.MustCompile(`(?i)^\s*(?:please |can you |could you |kindly )?(?:help me )?(?:draft|write|prepare|compose)(?: me| us)? (?:an? |the )?(?:short |brief |formal )?(?:` +
		genresEN + `)(?: draft)?(?: (?:to|for) (?:all |our |the )?(?:staff|employees|everyone|customers|colleagues|managers|team))? ` +
		`(?:about|on|regarding|concerning|explaining|describing|that (?:explains|describes)) (.{3,}?)[.!]?\s*$`),
}

const (
	genresZH = `通知|公告|通告|邮件|电子邮件|说明|备忘录|备忘|简报|函件|函|信|告示|提示|回复|答复|文案|说明书`
	genresEN = `notice|memo|memorandum|e-?mail|letter|announcement|note|message|reply|statement|briefing|post|reminder|text|paragraph`
)

// commissioned returns what a text is to be about, where one is asked for, and any other question as it is.
func commissioned(text string) string {
	for _, c := range commissions {
		if m := c.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return text
}
