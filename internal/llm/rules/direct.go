package rules

import "regexp"

var greeting = regexp.MustCompile(`^\s*(?:你好|您好|嗨|哈[喽啰]|早上?好|上午好|中午好|下午好|晚上好|在吗)|(?i)^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)\b`)

var thanks = regexp.MustCompile(`谢谢|感谢|再见|(?i)\b(?:thanks?|thank you|bye|goodbye)\b`)

// smallTalk answers where no document is consulted: a greeting, thanks, or a question about
// Kaoju. It states no fact about the organisation.
func smallTalk(q *question) string {
	polite, hello := thanks.MatchString(q.text), greeting.MatchString(q.text)
	if q.zh {
		const about = "我是考据（Kaoju），一个可核查的知识助理：在你有权阅读的资料里查找，用原文回答，并给每个结论标出处。资料不足时，我会直接说明缺少什么。"
		const note = "（这条回复没有依据任何资料。）"
		switch {
		case polite:
			return "不客气，随时可以继续提问。" + note
		case hello:
			return "你好！" + about + "请直接输入你的问题。" + note
		}
		return about + note
	}
	const about = "I am Kaoju, a knowledge assistant whose answers can be checked: I search the documents that you may read, answer with what they say, and name the source of every conclusion. Where the material does not settle a question, I say what is missing."
	const note = " (This reply is not based on any document.)"
	switch {
	case polite:
		return "You are welcome. Ask again at any time." + note
	case hello:
		return "Hello! " + about + " Ask your question." + note
	}
	return about + note
}
