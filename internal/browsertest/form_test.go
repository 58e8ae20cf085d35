package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drop lets files go over the page, as somebody who drags them in from a folder.
const drop = `((files) => {
	const carried = new DataTransfer()
	for (const [name, text] of files) carried.items.add(new File([text], name, {type: 'text/markdown'}))
	const over = document.querySelector('main')
	const send = type => over.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: carried}))
	const shown = []
	send('dragover')
	return new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => { shown.push(document.querySelector('main').innerText.includes('Let go to upload')); shown.push(!send('drop')); r(shown) })))
})`

func TestFilesAreDroppedIntoAKnowledgeBase(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("carol")
	p.visit("/documents?kb=kb-support")
	p.says(`[role=table]`, "错误码速查")
	if got := eval[[]bool](p, drop+`([['lamp.md', '# Lamps\n\nThe lamp of Bergen has 1200 watts.\n'], ['灯塔.md', '# 灯塔\n\n卑尔根灯塔高 42 米。\n'], ['empty.md', '']])`); len(got) != 2 || !got[0] || !got[1] {
		t.Errorf("while dragging it is said %v; and the browser opens what was dropped", got)
	}
	p.see(`[data-upload="lamp.md"][data-state=good]`)
	p.see(`[data-upload="灯塔.md"][data-state=good]`)
	p.says(`[role=table]`, "Lamps")
	p.says(`[role=table]`, "灯塔")
	p.until(`['good', 'failed'].includes(document.querySelector('[data-upload="empty.md"]').dataset.state)`)

	// Who may only read there drops nothing.
	a := open(t, s, look{lang: "en-GB"}).as("alice")
	a.visit("/documents?kb=kb-support")
	a.says(`[role=table]`, "错误码速查")
	if got := eval[[]bool](a, drop+`([['intruder.md', 'x']])`); got[0] || !got[1] {
		t.Errorf("to a reader it is said %v", got)
	}
	a.gone(`[data-upload]`)
}

// button presses a button by its words.
func (p *page) button(within, words string) {
	p.t.Helper()
	p.run(chromedp.Click(`//`+within+`//button[normalize-space()='`+words+`']`, chromedp.BySearch))
}

func TestPeopleAndGroupsAreMadeChangedAndSuspended(t *testing.T) {
	chromium(t)
	s := administered(t)
	p := open(t, s, look{lang: "en-GB"}).as("tina")
	p.visit("/people")
	p.button("main", "New user")
	p.write(`dialog input[name=id]`, "wang")
	p.write(`dialog input[name=name]`, "王芳")
	p.click(`dialog input[value=auditor]`)
	p.click(`dialog button[type=submit]`)
	p.gone(`dialog[open]`)
	p.says(`main tbody`, "王芳")
	if _, body := s.call("tina", "GET", "/api/users/wang", ""); !strings.Contains(body, `"member"`) || !strings.Contains(body, `"auditor"`) {
		t.Errorf("made is %s", body)
	}

	// A name that is taken is said, and what was entered stays.
	p.expected = append(p.expected, "409", "422")
	p.button("main", "New user")
	p.write(`dialog input[name=id]`, "wang")
	p.write(`dialog input[name=name]`, "Another")
	p.click(`dialog button[type=submit]`)
	p.says(`dialog [role=alert]`, "This name is taken.")
	if got := eval[string](p, `document.querySelector('dialog input[name=name]').value`); got != "Another" {
		t.Errorf("what was entered is %q", got)
	}
	p.press(kb.Escape)
	p.gone(`dialog[open]`)

	// A weak password is refused in words; a good one signs the new person in.
	p.run(chromedp.Click(`//tr[contains(., '王芳')]//button[normalize-space()='Password']`, chromedp.BySearch))
	p.write(`dialog input[name=password]`, "short")
	p.click(`dialog button[type=submit]`)
	p.says(`dialog [role=alert]`, "too weak")
	p.run(chromedp.Evaluate(`document.querySelector('dialog input[name=password]').select()`, nil))
	p.write(`dialog input[name=password]`, "a slow green otter 42")
	p.click(`dialog button[type=submit]`)
	p.gone(`dialog[open]`)
	in := func(password string) *page {
		q := open(t, s, look{lang: "en-GB"})
		q.expected = append(q.expected, "422", "404")
		q.visit("/")
		q.click(`form summary`)
		q.write(`input[name=tenant]`, "acme")
		q.write(`input[name=user]`, "wang")
		q.write(`input[name=password]`, password)
		q.click(`form button[type=submit]`)
		return q
	}
	in("a slow green otter 42").see(`nav [data-leave]`)
	in("a slow green otter 43").says(`[role=alert]`, "User or password are not right")

	p.run(chromedp.Click(`//tr[contains(., '王芳')]//button[normalize-space()='Edit']`, chromedp.BySearch))
	p.click(`dialog input[name=suspended]`)
	p.click(`dialog button[type=submit]`)
	p.gone(`dialog[open]`)
	p.says(`main tbody`, "suspended")
	in("a slow green otter 42").says(`[role=alert]`, "User or password are not right")

	p.click(`[role=tab]:nth-of-type(2)`)
	p.button("main", "New group")
	p.write(`dialog input[name=id]`, "auditors")
	p.write(`dialog textarea`, "user:wang"+kb.Enter+"group:rd")
	p.click(`dialog button[type=submit]`)
	p.gone(`dialog[open]`)
	p.says(`main li`, "user:wang")
	if _, body := s.call("tina", "GET", "/api/groups", ""); !strings.Contains(body, `"auditors"`) || !strings.Contains(body, `"group:rd"`) {
		t.Errorf("the groups are %s", body)
	}
	p.run(chromedp.Click(`//li[contains(., 'auditors')]//button[@aria-label='Delete']`, chromedp.BySearch))
	p.says(`dialog[open]`, "Its members (2) lose what they may read and change through “auditors”.")
	p.press(kb.Escape)
	p.gone(`dialog[open]`)
	if _, body := s.call("tina", "GET", "/api/groups", ""); !strings.Contains(body, `"auditors"`) {
		t.Errorf("before anybody was sure the groups are %s", body)
	}
	p.run(chromedp.Click(`//li[contains(., 'auditors')]//button[@aria-label='Delete']`, chromedp.BySearch))
	p.click(`[data-sure]`)
	p.until(`![...document.querySelectorAll('main li')].some(e => e.textContent.includes('auditors'))`)
}

func TestATokenIsMadeShownOnceAndRevoked(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.visit("/people")
	p.button("main", "New token")
	p.write(`dialog input[name=name]`, "laptop 笔记本")
	p.write(`dialog input[name=days]`, "7")
	p.click(`dialog button[type=submit]`)
	secret := p.text(`dialog code`)
	if !strings.HasPrefix(secret, "kj_") {
		t.Fatalf("the token shown is %q", secret)
	}
	s.tokens["laptop"] = secret
	if status, body := s.call("laptop", "GET", "/api/me", ""); status != 200 || !strings.Contains(body, `"alice"`) {
		t.Errorf("with the token: %d %s", status, body)
	}
	if status, body := s.call("laptop", "POST", "/api/tokens", `{"name":"more","scopes":["read"]}`); status < 400 {
		t.Errorf("a token to read and ask makes others: %d %s", status, body)
	}
	p.button("dialog", "Done")
	p.gone(`dialog[open]`)
	p.says(`main tbody`, "laptop 笔记本")
	if text := eval[string](p, `document.body.innerText + JSON.stringify({...localStorage, ...sessionStorage, [0]: ''})`); strings.Contains(text, secret) {
		t.Error("the token is still shown or kept")
	}
	p.run(chromedp.Click(`//tr[contains(., 'laptop')]//button[normalize-space()='Revoke']`, chromedp.BySearch))
	p.says(`dialog[open]`, "What uses “laptop 笔记本” is turned away from now on.")
	if status, _ := s.call("laptop", "GET", "/api/me", ""); status != 200 {
		t.Errorf("before anybody was sure the token is answered with %d", status)
	}
	p.click(`[data-sure]`)
	p.until(`!document.querySelector('main').innerText.includes('laptop')`)
	if status, _ := s.call("laptop", "GET", "/api/me", ""); status != 401 {
		t.Errorf("the revoked token is answered with %d", status)
	}
}

func TestGrantsAreChangedAndNeverOverwrittenUnawares(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("bob")
	p.visit("/documents?kb=kb-rd")
	grants := func() (out []string) {
		_, body := s.call("bob", "GET", "/api/knowledge-bases/kb-rd/grants", "")
		var list struct {
			Grants []struct{ Principal, Role string }
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err, body)
		}
		for _, g := range list.Grants {
			out = append(out, g.Principal+" "+g.Role)
		}
		return out
	}
	const row, save = `dialog tr:last-of-type input`, `//dialog//button[normalize-space()='Save']`
	p.button("header", "Who may read")
	p.button("dialog", "Add")
	p.write(row, "user:alice")
	p.run(chromedp.Click(save, chromedp.BySearch))
	p.gone(`dialog[open]`)
	if got := strings.Join(grants(), ", "); !strings.Contains(got, "user:alice reader") || !strings.Contains(got, "user:bob manager") {
		t.Errorf("granted is %s", got)
	}

	// What is no principal is refused at its place, and nothing is changed.
	p.expected = append(p.expected, "422", "412")
	p.button("header", "Who may read")
	p.button("dialog", "Add")
	p.write(row, "alice")
	p.run(chromedp.Click(save, chromedp.BySearch))
	p.says(`dialog [role=alert]`, "/grants/3")
	if got := len(grants()); got != 3 {
		t.Errorf("there are %d grants", got)
	}
	// Somebody else changed them meanwhile.
	if status, body := s.call("bob", "PUT", "/api/knowledge-bases/kb-rd/grants", `{"grants":[{"principal":"user:bob","role":"manager"}]}`); status != 200 {
		t.Fatal(status, body)
	}
	p.run(chromedp.Evaluate(`document.querySelector('`+row+`').select()`, nil))
	p.write(row, "user:dave")
	p.run(chromedp.Click(save, chromedp.BySearch))
	p.says(`dialog [role=alert]`, "Somebody changed this meanwhile")
	if got := strings.Join(grants(), ", "); got != "user:bob manager" {
		t.Errorf("overwritten: %s", got)
	}
}
