package export

// The words for what a run tells of its answer, by the codes of its notices.
var (
	chineseNotice = map[string]string{
		"sources_disagree":       "来源之间不一致，以哪一处为准，须由人判断。",
		"not_based_on_documents": "此文不基于任何文档。",
		"output_truncated":       "模型的输出被截断，此文可能不完整。",
		"output_filtered":        "模型的输出被其服务方过滤，此文可能不完整。",
		"addresses_withheld":     "模型所写的网址已被隐去。",
		"verifier_failed":        "第二核对者未能核对，核对结果由规则得出。",
		"source_truncated":       "引用的来源只读了一部分。",
		"rules_fallback":         "模型不可用，改由规则摘录。",
		"local_only":             "资料不得发往外部模型。",
		"scope_changed":          "部分来源对您已不再可用，此文没有使用它们。",
		"words_only":             "语义搜索当时不可用，仅按词语搜索。",
		"not_reranked":           "重排模型当时不可用，检索结果保持原来的顺序。",
		"machine_words_left_out": "有一句与问题有关的话是写给机器的，此文没有引用它；可打开来源查看。",
		"as_of":                  "此文依据的是过去某一时刻有效的版本。",
		"extracted_by_rules":     "此文由规则从来源中摘录，不是模型所写。",
		"erased":                 "此文所依据的部分内容已被删除。",
	}
	englishNotice = map[string]string{
		"sources_disagree":       "Sources disagree; which of them holds is for people to decide.",
		"not_based_on_documents": "This text is not based on any document.",
		"output_truncated":       "The model's output was cut short; this text may not be whole.",
		"output_filtered":        "The model's provider filtered its output; this text may not be whole.",
		"addresses_withheld":     "Addresses that the model wrote are withheld.",
		"verifier_failed":        "The second verifier could not be asked; the checks are those of the rules.",
		"source_truncated":       "A cited source was read in part.",
		"rules_fallback":         "The model was not available; the text was extracted by rules.",
		"local_only":             "Text must not go to models elsewhere.",
		"scope_changed":          "Some sources are no longer available to you; this text was made without them.",
		"words_only":             "Search by meaning was not available; the search was by words alone.",
		"not_reranked":           "The ranking model was not available; what was found keeps the order that it had.",
		"machine_words_left_out": "A sentence about what was asked is addressed to machines and was left out; the source shows it.",
		"as_of":                  "This text is of the versions that were in force at an earlier time.",
		"extracted_by_rules":     "This text was extracted from the sources by rules, not written by a model.",
		"erased":                 "Something that this text was made from has been deleted.",
	}
)

// told are the sentences for the notices of a document. One that has no words is told by its code:
// what a reader is warned of must not get lost on the way out.
func (d Document) told() (out []string) {
	known := englishNotice
	if d.Chinese {
		known = chineseNotice
	}
	for _, code := range d.Notices {
		text, ok := known[code]
		if !ok {
			text = line(code)
		}
		out = append(out, text)
	}
	return out
}
