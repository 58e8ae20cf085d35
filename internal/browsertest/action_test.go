package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestAnActionIsProposedFromAnAnswerAndDecidedOnItsCard(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`[data-act]`)
	p.says(`dialog[open]`, "Records a task about a document.")
	p.says(`dialog[open]`, "waits for a decision")
	p.accessible(source, "proposing an action")
	p.shot("propose-en-light")

	// What is missing is said at its field, and nothing is sent.
	p.click(`[data-propose-call]`)
	p.says(`[data-fault=title]`, "Fill this in.")
	if _, body := s.call("alice", "GET", "/api/approvals", ""); strings.Contains(body, "approval_id") {
		t.Errorf("an unfinished form proposed %s", body)
	}
	p.write(`dialog input[name=title]`, "确认上限 Check the limit")
	p.press(kb.Enter)
	p.see(`dialog [data-approval][data-status=pending] [data-countdown]`)
	p.says(`dialog [data-approval]`, "确认上限 Check the limit")
	status, body := s.call("alice", "GET", "/api/approvals?status=pending", "")
	var list struct {
		Items []struct {
			DocumentID string `json:"document_id"`
			RunID      string `json:"run_id"`
			Call       struct {
				Tool      string
				Evidence  string `json:"evidence_run_id"`
				Arguments map[string]any
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 || len(list.Items) != 1 {
		t.Fatalf("%d %s %v", status, body, err)
	}
	run := eval[string](p, `document.querySelector('article').dataset.runId`)
	if c := list.Items[0].Call; c.Tool != "create_task" || c.Evidence != run || c.Arguments["object_id"] != "doc-travel-v2" || c.Arguments["version"] != "2" || c.Arguments["title"] != "确认上限 Check the limit" || len(c.Arguments) != 3 {
		t.Errorf("proposed is %+v", list.Items[0])
	}
	// Closing the dialog decides nothing; the card is in the conversation.
	p.press(kb.Escape)
	p.gone(`dialog[open]`)
	p.see(`main [data-approval][data-status=pending]`)
	p.click(`[data-approve]`)
	p.gone(`[data-approve]`)
	if _, body := s.call("alice", "GET", "/api/approvals?status=approved", ""); !strings.Contains(body, `"status":"succeeded"`) {
		t.Errorf("after approval: %s", body)
	}
}

// tools are what an operator may have declared, with an argument of each kind, given to the page in place
// of the server's; what is proposed is kept.
const tools = `(() => {
	const real = window.fetch
	window.fetch = (url, init) => {
		const u = new URL(url, location.href)
		const json = v => Promise.resolve(new Response(JSON.stringify(v), {headers: {'Content-Type': 'application/json'}}))
		if (u.pathname === '/api/tools') return json({items: [{name: 'order_part', description: 'Orders a part <b>now</b>.', sensitivity: 'write', role: '', level: 'reader', evidence: true, decision: true, effect: 'outside', host: 'erp.example',
			schema: {type: 'object', required: ['object_id', 'version', 'count', 'express'], properties: {object_id: {type: 'string'}, version: {type: 'string'}, count: {type: 'integer', minimum: 1}, price: {type: 'number'}, express: {type: 'boolean'},
				size: {enum: ['S', 'L', 3]}, codes: {type: 'array'}}}}], next_cursor: null})
		if (u.pathname === '/api/tools/order_part/proposals') { window.proposed = JSON.parse(init.body); return Promise.resolve(new Response('{"code":"forbidden_here","detail":"No."}', {status: 422})) }
		return real(url, init)
	}
})()`

func TestAFormHasAFieldForEachKindOfArgument(t *testing.T) {
	chromium(t)
	source := axe(t)
	p := open(t, serve(t, false), look{width: 390, height: 844, phone: true, dark: true}).as("alice")
	p.expected = append(p.expected, "422")
	p.run(chromedp.Evaluate(tools, nil))
	p.ask(question)
	p.answered()
	p.click(`[data-act]`)
	p.says(`dialog[open]`, "Orders a part <b>now</b>.")
	p.says(`dialog[open]`, "参数将发送到 erp.example")
	p.accessible(source, "a form of a declared tool")
	if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("the form is %d pixels wider than the phone", wide)
	}
	p.write(`dialog [name=count]`, "2.5")
	p.write(`dialog [name=codes]`, "[1,")
	p.click(`[data-propose-call]`)
	p.says(`[data-fault=count]`, "请填写数字")
	p.says(`[data-fault=codes]`, "这不是 JSON")
	p.says(`[data-fault=express]`, "请填写此项")
	if eval[bool](p, `'proposed' in window`) {
		t.Error("a form with faults was sent")
	}
	p.run(chromedp.Evaluate(`document.querySelector('dialog [name=count]').select()`, nil))
	p.write(`dialog [name=count]`, "3")
	p.run(chromedp.Evaluate(`document.querySelector('dialog [name=codes]').select()`, nil))
	p.write(`dialog [name=codes]`, `["a",1]`)
	p.write(`dialog [name=price]`, "0.5")
	p.run(chromedp.SendKeys(`dialog [name=express]`, "否", chromedp.ByQuery), chromedp.SendKeys(`dialog [name=size]`, "3", chromedp.ByQuery))
	p.click(`[data-propose-call]`)
	p.until(`'proposed' in window`)
	if got, want := eval[string](p, `JSON.stringify(window.proposed.arguments)`), `{"object_id":"doc-travel-v2","version":"2","count":3,"price":0.5,"express":false,"size":3,"codes":["a",1]}`; got != want {
		t.Errorf("proposed is %s", got)
	}
	// A refusal is said, and what was entered is still there.
	p.says(`dialog [role=alert]`, "您输入的内容仍在此处")
	if got := eval[string](p, `document.querySelector('dialog [name=price]').value`); got != "0.5" {
		t.Errorf("afterwards the price is %q", got)
	}
}
