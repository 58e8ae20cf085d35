package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/kaoju/kaoju/api"
)

// integrityWords are what is said of a record, in one language.
type integrityWords struct {
	changed, unproved, between string
	parts, gaps                map[string]string
}

var chineseIntegrity = integrityWords{
	changed:  "警告：此记录写入后被改动过，与台账不符：%s。以下显示的内容不可采信。",
	unproved: "台账无法证明此记录的全部内容：%s。", between: "、",
	parts: map[string]string{
		"goal_hash": "问题", "answer_hash": "回答", "checks": "核对结果", "record_hash": "运行记录", "citations": "引用", "tool_calls": "工具调用",
		"prompt_hash": "提示词", "recording_hash": "录制", "recordings": "录制", "entry": "台账条目", "entry_missing": "台账条目缺失", "state": "状态",
		"evidence": "证据", "run": "运行", "body_hash": "正文", "title_hash": "标题", "cited": "引用", "states": "事件所述的结束状态", "dropped": "途中移出的段落",
	},
	gaps: map[string]string{"not_ended": "运行尚未结束", "withheld": "所找到或阅读的内容有的已不可用", "older_form": "条目写于较早的版本，未涵盖全部内容"},
}

var englishIntegrity = integrityWords{
	changed:  "Warning: this record was changed after it was written; it is not what the ledger tells of: %s. What is shown here can't be believed.",
	unproved: "The ledger can't prove all of this record: %s.", between: ", ",
	parts: map[string]string{
		"goal_hash": "question", "answer_hash": "answer", "checks": "checks", "record_hash": "record of the run", "citations": "citations", "tool_calls": "calls of tools",
		"prompt_hash": "prompts", "recording_hash": "recordings", "recordings": "recordings", "entry": "entry of the ledger", "entry_missing": "missing entry of the ledger",
		"state": "state", "evidence": "evidence", "run": "run", "body_hash": "text", "title_hash": "title", "cited": "citations", "states": "end that the events tell of", "dropped": "passages taken out of sight",
	},
	gaps: map[string]string{
		"not_ended": "the run has not ended", "withheld": "something that was found or read is not available any more", "older_form": "its entry is of an earlier form that does not cover everything",
	},
}

// Integrity says of a record whether it is what the ledger tells of: nothing if it is, and nothing of a
// run that has not ended. The language is the question's, and both where the question itself was changed.
func Integrity(out io.Writer, goal string, i *api.Integrity) {
	if i == nil || i.Verified {
		return
	}
	words := []integrityWords{englishIntegrity}
	if WordsFor(goal).Chinese {
		words[0] = chineseIntegrity
	}
	for _, p := range i.Problems {
		if strings.TrimPrefix(p, "run/") == "goal_hash" {
			words = []integrityWords{englishIntegrity, chineseIntegrity}
		}
	}
	for _, w := range words {
		switch {
		case len(i.Problems) > 0:
			fmt.Fprintf(out, w.changed+"\n", w.name(w.parts, i.Problems))
		case len(i.Unproved) > 0 && i.Unproved[0] != "not_ended":
			fmt.Fprintf(out, w.unproved+"\n", w.name(w.gaps, i.Unproved))
		}
	}
}

// name lists stable words in the words of a language; those of passages keep their reference.
func (w integrityWords) name(words map[string]string, list []string) string {
	var out []string
	for _, word := range list {
		kind, ref, _ := strings.Cut(word, "/")
		said := words[kind]
		if said == "" {
			said = kind
		}
		if name := words[ref]; name != "" {
			ref = name
		}
		if ref != "" {
			said += " " + ref
		}
		out = append(out, Clean(said))
	}
	return strings.Join(out, w.between)
}
