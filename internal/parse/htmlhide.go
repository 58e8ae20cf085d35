package parse

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
)

// hiding is a set of ways in which a style takes its element out of sight.
type hiding uint8

const (
	byDisplay hiding = 1 << iota
	byVisibility
	byPlace  // far beside the page, or through a hole that lets nothing be seen
	byColour // on a ground of the same colour
)

// declarations are the properties of a style with their values, in small letters.
func declarations(style string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for rule := range strings.SplitSeq(style, ";") {
			name, value, _ := strings.Cut(rule, ":")
			value, _, _ = strings.Cut(value, "!")
			clean := func(s string) string { return strings.ToLower(strings.TrimFunc(s, unicode.IsSpace)) }
			if !yield(clean(name), clean(value)) {
				return
			}
		}
	}
}

// hides tells in which ways a style takes its element out of sight, and of which ways it says something.
func hides(style string) (hidden, said hiding) {
	var colour, ground, position string
	far := false
	for name, value := range declarations(style) {
		switch name {
		case "display":
			hidden, said = with(hidden, byDisplay, value == "none"), said|byDisplay
		case "visibility":
			hidden, said = with(hidden, byVisibility, value == "hidden" || value == "collapse"), said|byVisibility
		case "color":
			colour, said = value, said|byColour
		case "background", "background-color":
			ground, said = value, said|byColour
		case "position":
			position, said = value, said|byPlace
		case "left", "top", "right", "bottom":
			far, said = far || beyond(value), said|byPlace
		case "text-indent":
			hidden, said = with(hidden, byPlace, beyond(value)), said|byPlace
		case "clip", "clip-path":
			hidden, said = with(hidden, byPlace, closed(value)), said|byPlace
		}
	}
	if far && (position == "absolute" || position == "fixed") {
		hidden |= byPlace
	}
	if colour == "transparent" || colour != "" && plainColour(colour) == plainColour(ground) {
		hidden |= byColour
	}
	return hidden, said
}

func with(set, way hiding, in bool) hiding {
	if in {
		return set | way
	}
	return set &^ way
}

// beyond reports whether a length is further to the left or above than any page reaches.
func beyond(value string) bool {
	v, err := strconv.ParseFloat(strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz%"), 64)
	return err == nil && v <= -500 && !strings.HasSuffix(value, "%")
}

// closed reports whether a clip lets nothing be seen.
func closed(value string) bool {
	switch strings.NewReplacer(" ", "", ",", "", "px", "").Replace(value) {
	case "rect(0000)", "rect(1111)", "inset(50%)", "inset(100%)":
		return true
	}
	return false
}

// plainColour writes white and black in one way each, in which pages write them in several.
func plainColour(value string) string {
	switch strings.ReplaceAll(value, " ", "") {
	case "#fff", "#ffffff", "white", "rgb(255,255,255)":
		return "white"
	case "#000", "#000000", "black", "rgb(0,0,0)":
		return "black"
	}
	return value
}

// fades reports whether a style draws the letters of its element at no size, or not at all.
func fades(style string) bool {
	for name, value := range declarations(style) {
		if name != "opacity" && name != "font-size" {
			continue
		}
		if v, err := strconv.ParseFloat(strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz%"), 64); err == nil && v == 0 {
			return true
		}
	}
	return false
}
