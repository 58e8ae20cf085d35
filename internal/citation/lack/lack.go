// Package lack names what an answer by rules that settles nothing is without. Each kind has a code and a fixed phrase in
// each language, in which the answer says it: whoever writes such an answer takes the phrase from here, and whoever shows
// it in another language than that of the question reads the code back.
package lack

import "strings"

// Code is a kind of lack.
type Code string

// The kinds. What a model says to be missing is of no kind that is known here: Other.
const (
	Absent     Code = "absent"     // it is mentioned nowhere in what was read
	Unmet      Code = "unmet"      // what comes nearest does not mention it
	Unanswered Code = "unanswered" // nothing answers for this part of the question
	Statement  Code = "statement"  // no statement answers the question; it is about nothing further
	Other      Code = "other"
)

// phrase is what is said of a lack in each language.
type phrase struct {
	code   Code
	en, zh string
}

var phrases = []phrase{
	{Absent, "not found in what was read: ", "在已读内容中没有找到："},
	{Unmet, "what comes nearest does not mention: ", "最接近的内容没有提到："},
	{Unanswered, "nothing was found that answers for: ", "没有找到能回答这一部分的内容："},
	{Statement, "a statement that answers the question", "能直接回答这个问题的内容"},
}

// Lack is one thing that is missing. About is in the words of the question; "" for a statement.
type Lack struct {
	Code  Code
	About string
}

// Say returns the phrase of a kind, after which stands what it is about; "" for one without a phrase.
func (c Code) Say(chinese bool) string {
	for _, p := range phrases {
		if p.code == c && chinese {
			return p.zh
		} else if p.code == c {
			return p.en
		}
	}
	return ""
}

// Read returns what a line says to be missing. A line in other words is one of its own.
func Read(line string) Lack {
	for _, p := range phrases {
		for _, said := range []string{p.en, p.zh} {
			if about, ok := strings.CutPrefix(line, said); ok && (p.code == Statement) == (about == "") {
				return Lack{p.code, about}
			}
		}
	}
	return Lack{Other, line}
}
