// Package topic tells what a request for a summary is about: of "请总结一下售后服务政策" and "Summarize the after-sales
// policy" all but the last words ask for the summary, and no document has to hold them.
package topic

import (
	"regexp"
	"strings"
)

// The ways to ask for a summary. The first group is what it is to be about.
var forms = []*regexp.Regexp{
	regexp.MustCompile(`^(?:请问|请|烦请|麻烦|劳驾)?(?:你|您)?(?:能否|能不能|可否|可不可以|可以|能)?(?:再|先)?(?:帮我|帮忙|为我|替我|给我)?(?:简单地?|简要地?|简短地?|快速)?(?:做个?|写个?)?` +
		`(?:总结|概括|归纳|概述|综述|梳理|摘要)(?:说明|介绍)?(?:一下|下)?(?:出)?(?:关于|有关)?[:：，,]?\s*(.*?)(?:的?(?:主要|核心|全部)?(?:内容|要点|重点|规定))?(?:吗|吧|呢)?$`),
	regexp.MustCompile(`^(.{2,60}?)的?(?:主要内容|核心内容|内容概要|内容摘要|要点|主要规定)(?:是什么|都?有哪些|有什么|是哪些)?$`),
	regexp.MustCompile(`(?i)^(?:please |kindly |can you |could you |would you |i (?:need|want|would like) )*(?:give me |write (?:me )?|make (?:me )?|provide )?(?:an? |the )?(?:short |brief |quick |concise )?` +
		`(?:summar(?:i[sz]e|y)|overview|outline|tl;?dr|recap)(?: up)?(?: of| on| about|:)?(?: the)?\s+(.*)$`),
	regexp.MustCompile(`(?i)^(?:what are |list |give me |tell me )?(?:the )?(?:key|main|most important) (?:points|contents|rules|takeaways)(?: of| in| from| about)(?: the)?\s+(.*)$`),
}

// asking matches what a topic never holds: words that ask for something else, and how a word goes on that only begins like
// one that asks for a summary (归纳法, 概述里, 摘要不能).
var asking = regexp.MustCompile(`什么|多少|[几谁哪怎]|吗$|呢$|如何|是否|为何|能否|^[法里中内不由的是有会时须应]|[？?]|(?i)\b(?:who|whose|which|when|where|why|how|what)\b`)

// Summary reports whether a goal asks for a summary, and of what; the topic is empty where the goal names none.
func Summary(goal string) (about string, ok bool) {
	goal = strings.Trim(strings.Join(strings.Fields(goal), " "), " 。.！!？?")
	for _, f := range forms {
		if m := f.FindStringSubmatch(goal); m != nil && !asking.MatchString(m[1]) {
			return strings.Trim(m[1], " ，,:：。.“”\""), true
		}
	}
	return "", false
}
