package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
)

// plant is a drawing of many lines, with a measure in a corner, a text of hostile letters, one that nobody sees, and a layout.
func plant() string {
	var lines strings.Builder
	for i := range 40 {
		lines.WriteString(dxftest.Tags(0, "LINE", 8, "GRID", 10, 10*i, 20, 0, 11, 10*i, 21, 300))
	}
	return dxftest.Drawing(lines.String()+dxftest.Tags(0, "CIRCLE", 8, "PIPE", 10, 200, 20, 150, 40, 60)+dxftest.Tags(0, "SOLID", 8, "PIPE", 10, 10, 20, 10, 11, 30, 21, 10, 12, 10, 22, 30, 13, 30, 23, 30)+
		dxftest.Text("1F3A", "PIPE", "The design pressure of the Osprey line is 16 bar.", 300, 280)+dxftest.Text("1F3B", "GRID", `<img src="https://evil.invalid/x" onerror="alert(1)">`, 20, 20)+
		dxftest.Text("1F3C", "OFF", "Nobody sees this secret.", 20, 40)+dxftest.Text("1F3D", "GRID", "on paper", 5, 5, 67, 1),
		dxftest.Tables(dxftest.Layer("GRID", 0, 8), dxftest.Layer("PIPE", 0, 1), dxftest.Layer("OFF", 0, -2)))
}

// hostile is an SVG drawing with everything that could run or load.
const hostile = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 900 100" onload="alert(1)">
<style>@import url(https://evil.invalid/a.css); rect{fill:url(https://evil.invalid/b)}</style><script>alert(1)</script>
<image href="https://evil.invalid/c.png" width="9" height="9"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.invalid/d"/></foreignObject>
<use xlink:href="https://evil.invalid/e.svg#x"/><a xlink:href="javascript:alert(1)"><rect width="90" height="40" onclick="alert(1)"/></a>
<path d="M0 50C300 0 600 99 900 50" stroke="red" fill="none"/><animate attributeName="href" to="javascript:alert(1)"/>
<text y="20">The flow of the Petrel cooler is 12 litres a minute.</text></svg>`

// inView says that the marked place of a drawing is on the screen and inside of its drawing.
const inView = `(() => {
	const place = document.querySelector("[data-drawing] [data-place]"), box = document.querySelector("[data-drawing] svg[role=img]")
	if (!place || !box) return false
	const p = place.getBoundingClientRect(), b = box.getBoundingClientRect()
	return p.width > 20 && p.left >= b.left && p.right <= b.right && p.top >= b.top && p.bottom <= b.bottom && p.top >= 0 && p.bottom <= innerHeight
})()`

func TestADrawingOpensWithItsPlaceMarkedInView(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	s.upload("carol", "kb-support", "plant.dxf", "", plant())
	s.upload("carol", "kb-support", "flow.svg", "", hostile)
	for name, l := range map[string]look{"wide": {lang: "en-GB"}, "phone": {lang: "zh-CN", width: 390, height: 844, phone: true, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s, l).as("alice")
			for question, quote := range map[string]string{"What is the design pressure of the Osprey line?": "16 bar", "What is the flow of the Petrel cooler?": "12 litres a minute"} {
				p.visit("/")
				p.ask(question)
				p.answered()
				p.click(`article [data-cite]`)
				p.says(`[data-excerpt] mark`, quote)
				p.click(`[data-view=document]`)
				p.until(inView)
				p.says(`[data-drawing] svg text`, quote)
				p.says(`[data-document] mark`, quote)
			}
			for _, never := range []string{"script", "image", "foreignObject", "use", "a", "animate", "style", "img", "iframe"} {
				if eval[bool](p, fmt.Sprintf(`!!document.querySelector("[data-drawing] %s")`, never)) {
					t.Errorf("there is an element %s in the drawing", never)
				}
			}
			p.visit("/")
			p.ask("What is the design pressure of the Osprey line?")
			p.answered()
			p.click(`article [data-cite]`)
			p.click(`[data-view=document]`)
			p.until(inView)
			if n := eval[int](p, `document.querySelectorAll("[data-drawing] svg[role=img] path.doc-ink-grey").length`); n == 0 {
				t.Error("the lines of the layer are not there")
			}
			if eval[bool](p, `document.querySelector("[data-drawing]").textContent.includes("secret")`) {
				t.Error("what nobody sees is there")
			}
			p.says(`[data-drawing] svg text`, `<img src="https://evil.invalid/x"`)
			before := eval[string](p, `document.querySelector("[data-view-box]").dataset.viewBox`)
			p.click(`[data-zoom=fit]`)
			p.until(`document.querySelector("[data-view-box]").dataset.viewBox.startsWith("0 0 ")`)
			p.run(chromedp.Focus(`[data-drawing] .sketch`, chromedp.ByQuery))
			p.press("+")
			p.until(`!document.querySelector("[data-view-box]").dataset.viewBox.startsWith("0 0 ")`)
			closer := eval[string](p, `document.querySelector("[data-view-box]").dataset.viewBox`)
			p.press(kb.ArrowRight)
			p.until(fmt.Sprintf(`document.querySelector("[data-view-box]").dataset.viewBox !== %q`, closer))
			p.press(kb.Enter)
			p.until(fmt.Sprintf(`document.querySelector("[data-view-box]").dataset.viewBox === %q`, before))
			p.until(inView)
			p.shot("drawing-" + name)
			// The paper is another sheet, on which the place is not.
			p.run(chromedp.SetValue(`[data-drawing] select`, "1", chromedp.ByQuery))
			p.says(`[data-drawing] svg text`, "on paper")
			p.gone(`[data-drawing] [data-place]`)
		})
	}
}

func TestTheColoursOfADrawingAreSeenInBothThemes(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	s.upload("carol", "kb-support", "plant.dxf", "", plant())
	for _, dark := range []bool{false, true} {
		p := open(t, s, look{lang: "en-GB", dark: dark}).as("alice")
		p.ask("What is the design pressure of the Osprey line?")
		p.answered()
		p.click(`article [data-cite]`)
		p.click(`[data-view=document]`)
		p.until(inView)
		contrast := eval[map[string]float64](p, `(() => {
			const rgb = (c) => { const x = document.createElement("canvas").getContext("2d"); x.fillStyle = c; x.fillRect(0, 0, 1, 1); return [...x.getImageData(0, 0, 1, 1).data].slice(0, 3) }
			const light = (c) => { const [r, g, b] = rgb(c).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
			const box = document.querySelector("[data-drawing] .sketch"), under = light(getComputedStyle(box).backgroundColor), out = {}
			for (const ink of ["plain", "grey", "red", "yellow", "green", "cyan", "blue", "magenta"]) {
				const path = document.createElementNS("http://www.w3.org/2000/svg", "path")
				path.setAttribute("class", "doc-ink-" + ink)
				box.querySelector("svg").append(path)
				const l = light(getComputedStyle(path).stroke)
				path.remove()
				out[ink] = (Math.max(l, under) + 0.05) / (Math.min(l, under) + 0.05)
			}
			return out
		})()`)
		if len(contrast) != 8 {
			t.Errorf("of eight inks there are %v", contrast)
		}
		for ink, ratio := range contrast {
			if ratio < 4.5 {
				t.Errorf("dark %t: %s stands out by %.2f to 1", dark, ink, ratio)
			}
		}
	}
}

// A newcomer opens a cell of a workbook and a region of a drawing from answers on the demonstration as it is.
func TestTheDemonstrationShowsACellAndARegion(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{}).as("alice")
	p.ask("SP-FM-DISP 流量计显示屏的含税单价是多少")
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`aside[data-source] header`, "备件 Spare parts")
	p.click(`[data-view=document]`)
	p.says(`[data-document] td mark`, "640")
	p.visit("/")
	p.ask("备件库的楼面允许荷载是多少")
	p.answered()
	p.click(`article [data-cite]`)
	p.click(`[data-view=document]`)
	p.says(`[data-document] mark`, "7.5")
	p.until(inView)
	if n := eval[int](p, `document.querySelectorAll("[data-drawing] svg[role=img] path").length`); n == 0 {
		t.Error("the plan has no lines")
	}
	p.shot("drawing-zh-light")
}
