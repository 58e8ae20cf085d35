package analysis

import "strings"

// stopWords are English words that carry no topic: articles, prepositions, pronouns, auxiliary
// verbs and the words that questions begin with.
const stopWords = " a an and are as at be but by for if in into is it no not of on or such that the their then " +
	"there these they this to was will with " +
	"what which who whom whose when where why how do does did can could should would may might must shall " +
	"i me my we us our you your he him his she her its them has have had been being were am from about than " +
	"so also any some please tell "

// isStopWord reports whether an English word in small letters is a stop word.
func isStopWord(w string) bool {
	if len(w) > 6 {
		return false
	}
	k := strings.Index(stopWords, w)
	for k > 0 {
		if stopWords[k-1] == ' ' && stopWords[k+len(w)] == ' ' {
			return true
		}
		n := strings.Index(stopWords[k+1:], w)
		if n < 0 {
			return false
		}
		k += 1 + n
	}
	return false
}

// isParticle reports whether a Chinese character only serves the grammar of others.
func isParticle(r rune) bool {
	switch r {
	case '的', '了', '吗', '呢', '吧', '啊', '呀', '嘛', '么', '之', '与', '和', '及', '或', '在', '是', '而', '也', '就', '都', '被', '把', '从', '对', '于', '以', '其', '此', '这', '那', '哪', '我', '你', '他', '她', '它', '们', '请':
		return true
	}
	return false
}

// stopPairs are pairs of Chinese characters that questions are made of, and common function
// words.
const stopPairs = " 什么 怎么 么样 怎样 如何 为什 为何 是否 哪些 哪个 哪里 哪儿 哪一 谁的 多少 请问 可以 能否 能不 不能 " +
	"我们 你们 他们 她们 它们 这个 那个 这些 那些 以及 或者 并且 而且 但是 因为 所以 如果 还是 就是 不是 是不 有没 没有 " +
	"关于 对于 其中 一个 之间 是什 是谁 是哪 有哪 有什 告诉 诉我 "

// isStopPair reports whether a pair of Chinese characters says nothing of a topic.
func isStopPair(a, b rune) bool {
	switch {
	case a == '吗', a == '呢', a == '么', b == '吗', b == '呢', b == '么':
		return true
	case a == '的':
		return b != '确' && b != '士'
	case b == '的':
		return a != '目' && a != '标'
	}
	if isParticle(a) && isParticle(b) {
		return true
	}
	if !questionRune(a) {
		return false
	}
	return strings.Contains(stopPairs, string([]rune{' ', a, b, ' '}))
}

// questionRune reports whether a pair of the list begins with the character.
func questionRune(r rune) bool {
	switch r {
	case '什', '怎', '么', '如', '为', '是', '哪', '谁', '多', '请', '可', '能', '不', '我', '你', '他', '她', '它', '这', '那', '以', '或', '并', '而', '但', '因', '所', '还', '就', '有', '没', '关', '对', '其', '一', '之', '告', '诉':
		return true
	}
	return false
}
