package endpoint

import "strings"

// Thought tells what a model thinks from what it answers, where an endpoint sends both as one text:
// a block <think>…</think> at the beginning. A mark that comes later is text, since an answer may
// quote a document that holds one.
type Thought struct {
	held    string // not decided yet
	closing string // the mark that ends the block; "" outside one
	had     bool   // there was a block
	decided bool   // the rest is answer
}

// marks are the pairs that open and close a block.
func marks() map[string]string {
	return map[string]string{"<think>": "</think>", "<thinking>": "</thinking>"}
}

// Add takes the next piece of the text and returns what of it is thought and what is answer.
func (h *Thought) Add(piece string) (thought, answer string) {
	if h.decided {
		return "", piece
	}
	h.held += piece
	for {
		if h.closing != "" {
			before, after, found := strings.Cut(h.held, h.closing)
			if !found {
				keep := overlap(h.held, h.closing)
				thought += h.held[:len(h.held)-keep]
				h.held = h.held[len(h.held)-keep:]
				return thought, ""
			}
			thought += before
			h.held, h.closing = after, ""
		}
		open, maybe := opening(h.held)
		switch {
		case open != "":
			_, h.held, _ = strings.Cut(h.held, open)
			h.closing, h.had = marks()[open], true
			continue
		case maybe:
			return thought, ""
		}
		answer, h.held, h.decided = h.held, "", true
		if h.had {
			answer = strings.TrimLeft(answer, " \t\r\n")
		}
		return thought, answer
	}
}

// End returns what was held back: of a block that never ended it is thought.
func (h *Thought) End() (thought, answer string) {
	held := h.held
	h.held, h.decided = "", true
	switch {
	case h.closing != "":
		return held, ""
	case h.had:
		return "", strings.TrimLeft(held, " \t\r\n")
	}
	return "", held
}

// opening returns the mark that a text begins with, after white space, or whether one may come.
func opening(text string) (mark string, maybe bool) {
	text = strings.TrimLeft(text, " \t\r\n")
	for open := range marks() {
		if strings.HasPrefix(text, open) {
			return open, false
		}
		maybe = maybe || strings.HasPrefix(open, text)
	}
	return "", maybe
}

// overlap is the length of the longest end of a text that a mark begins with.
func overlap(text, mark string) int {
	for n := min(len(mark)-1, len(text)); n > 0; n-- {
		if strings.HasSuffix(text, mark[:n]) {
			return n
		}
	}
	return 0
}

// Unopened takes off the thought of a text whose block was opened by the endpoint's own template, so
// that only its end shows: a line that holds nothing but the closing mark.
func Unopened(text string) (thought, answer string) {
	for _, closing := range marks() {
		before, after, found := strings.Cut(text, closing)
		if !found {
			continue
		}
		line := before[strings.LastIndexByte(before, '\n')+1:]
		rest, _, _ := strings.Cut(after, "\n")
		if strings.TrimSpace(line) == "" && strings.TrimSpace(rest) == "" && strings.TrimSpace(before) != "" {
			return before, strings.TrimLeft(after, " \t\r\n")
		}
	}
	return "", text
}
