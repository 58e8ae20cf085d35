package pptx_test

import (
	"slices"
	"testing"
)

// numbered is a paragraph at a level with properties inside it.
func numbered(level, properties, text string) string {
	return `<a:p><a:pPr lvl="` + level + `">` + properties + `</a:pPr><a:r><a:t>` + text + `</a:t></a:r></a:p>`
}

func auto(form, rest string) string { return `<a:buAutoNum type="` + form + `"` + rest + `/>` }

func TestNumbersOfListsAreReadAsASlideShowsThem(t *testing.T) {
	period, paren := auto("arabicPeriod", ""), auto("alphaLcParenR", "")
	p := parsed(t, []string{shape(`<p:txBody>` + numbered("0", period, "登记") + numbered("1", paren, "样品") + numbered("1", paren, "批号") + numbered("0", period, "检验") +
		`<a:p><a:pPr>` + period + `</a:pPr></a:p>` + numbered("0", period, "放行") + numbered("1", paren, "签字") + numbered("0", `<a:buChar char="•"/>`, "备注") + numbered("0", period, "归档") +
		numbered("0", auto("romanUcPeriod", ` startAt="4"`), "four") + numbered("0", auto("romanUcPeriod", ` startAt="4"`), "five") + `</p:txBody>`)}, nil)
	expect(t, p, "list_item 1. 登记 @1", "list_item a) 样品 @1", "list_item b) 批号 @1", "list_item 2. 检验 @1", "list_item 3. 放行 @1", "list_item a) 签字 @1",
		"list_item 备注 @1", "list_item 1. 归档 @1", "list_item IV. four @1", "list_item V. five @1")
}

func TestNumbersComeFromTheStyleOfTheShapeUnlessAParagraphHasItsOwn(t *testing.T) {
	p := parsed(t, []string{shape(`<p:txBody><a:lstStyle><a:lvl1pPr>` + auto("ea1ChsPeriod", "") + `</a:lvl1pPr></a:lstStyle>` +
		numbered("0", "", "甲") + numbered("0", `<a:buNone/>`, "无") + numbered("0", auto("circleNumDbPlain", ""), "圈") + numbered("1", "", "deep") + `</p:txBody>`), shape(body("next"))}, nil)
	expect(t, p, "list_item 一. 甲 @1", "list_item 无 @1", "list_item ① 圈 @1", "list_item deep @1", "paragraph next @2")
}

func TestFormsOfNumbersAreThoseOfTheirNames(t *testing.T) {
	var paragraphs string
	forms := []string{"arabicPlain", "arabicParenBoth", "alphaUcPeriod", "romanLcParenR", "arabicDbPeriod", "ea1JpnKorPeriod", "unknown", "thaiNumParenBoth"}
	for _, f := range forms {
		paragraphs += numbered("0", auto(f, ` startAt="2"`), "x")
	}
	p := parsed(t, []string{shape(`<p:txBody>` + paragraphs + `</p:txBody>`)}, nil)
	var got []string
	for _, b := range p.Blocks {
		got = append(got, string([]rune(p.Text)[b.Span.Start:b.Span.End]))
	}
	if want := []string{"2 x", "(2) x", "B. x", "ii) x", "２. x", "二. x", "2 x", "(2) x"}; !slices.Equal(got, want) {
		t.Errorf("numbers %q, want %q", got, want)
	}
}
