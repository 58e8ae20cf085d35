package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestEverybodySeesOnWhichGroundsTheyRead(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	if status, body := s.call("bob", "PUT", "/api/knowledge-bases/kb-rd/grants", `{"grants":[{"principal":"user:bob","role":"manager"},{"principal":"group:rd","role":"reader"},{"principal":"user:alice","role":"reader"}]}`); status != 200 {
		t.Fatal(status, body)
	}
	for lang, want := range map[string][2]string{"en-GB": {"You may read this version.", "granted by name, as reader"}, "zh-CN": {"您可以读这个版本。", "直接授予本人，身份为读者"}} {
		p := open(t, s, look{lang: lang}).as("alice")
		p.visit("/documents/doc-rd-handbook-v1")
		p.click(`[role=tab]:nth-of-type(3)`)
		p.says(`[data-reader=own]`, want[0])
		p.says(`[data-reader=own]`, want[1])
		// Who else reads it, and who may not, is for others.
		p.gone(`[data-reader=grants]`)
		p.gone(`[data-reader=all]`)
		p.gone(`[data-reader=asked]`)
		if text := eval[string](p, `document.querySelector('main').innerText`); strings.Contains(text, "bob") || strings.Contains(text, "Bob") || strings.Contains(text, "group rd") {
			t.Errorf("a reader is told of others: %s", text)
		}
	}
}

func TestAnAdministratorSeesTheReadersAndAsksAboutOneName(t *testing.T) {
	chromium(t)
	s := administered(t)
	source := axe(t)
	for _, c := range [][4]string{
		{"bob", "PUT", "/api/knowledge-bases/kb-rd/grants", `{"grants":[{"principal":"user:bob","role":"manager"},{"principal":"group:rd","role":"reader"},{"principal":"user:tina","role":"reader"}]}`},
		{"carol", "PATCH", "/api/documents/doc-remote-work-v1", `{"access_policy":{"deny":["user:alice"]}}`},
		{"carol", "PATCH", "/api/documents/doc-onboarding-v1", `{"access_policy":{"allow":["user:carol","user:tina"]}}`},
	} {
		if status, body := s.call(c[0], c[1], c[2], c[3]); status != 200 {
			t.Fatal(status, body)
		}
	}
	p := open(t, s, look{lang: "en-GB"}).as("tina")
	p.visit("/documents/doc-rd-handbook-v1")
	p.click(`[role=tab]:nth-of-type(3)`)
	p.says(`[data-reader=own]`, "granted by name, as reader")
	p.says(`[data-reader=all] [data-user=bob]`, "granted by name, as manager")
	p.says(`[data-reader=all] [data-user=bob]`, "through group rd, as reader")
	p.says(`[data-reader=all] [data-user=bob]`, "together, as manager")
	p.says(`[data-reader=all] [data-user=bob]`, "The document's own policy adds nothing.")
	if got := eval[[]string](p, `[...document.querySelectorAll('[data-reader=all] [data-user]')].map(e => e.dataset.user)`); strings.Join(got, " ") != "bob tina" {
		t.Errorf("those who may read: %v", got)
	}
	p.accessible(source, "who may read")
	p.shot("readers-en-light")

	asked := func(name string, says ...string) {
		t.Helper()
		p.run(chromedp.WaitVisible(`[data-reader=asked] input`, chromedp.ByQuery), chromedp.Evaluate(`document.querySelector('[data-reader=asked] input').select()`, nil))
		p.write(`[data-reader=asked] input`, name)
		p.press(kb.Enter)
		for _, text := range says {
			p.says(`[data-reader=asked] [role=status]`, text)
		}
	}
	asked("alice", "alice may not read this version.", "Nothing on the knowledge base is granted.")
	asked("bob", "Bob may read this version.")
	// A name that nobody has is told of as one without a grant.
	asked("考据", "考据 may not read this version.", "Nothing on the knowledge base is granted.")
	// A step in the address is no name, and is not asked for.
	asked("..")
	if valid := eval[bool](p, `document.querySelector('[data-reader=asked] form').checkValidity()`); valid {
		t.Error("a name of dots alone is sent")
	}
	p.says(`[data-reader=asked] [role=status]`, "考据")

	// The document's own policy is told with whom it names.
	show := func(id string) {
		p.visit("/documents/" + id)
		p.click(`[role=tab]:nth-of-type(3)`)
	}
	show("doc-remote-work-v1")
	asked("alice", "The document's own policy keeps it shut.", "The document's own policy shuts out user:alice", "as everybody here, as reader")
	asked("nobody", "There is no active person of this name.")
	show("doc-onboarding-v1")
	p.says(`[data-reader=own]`, "The document's own policy lets in user:tina")
	asked("bob", "The document's own policy is for others alone.")
}

// A manager has the grants, and does not learn who is in a group.
func TestAManagerSeesTheGrantsAndNoPeople(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("carol")
	p.visit("/documents/doc-travel-v2")
	p.click(`[role=tab]:nth-of-type(3)`)
	p.says(`[data-reader=own]`, "granted by name, as manager")
	p.says(`[data-reader=grants] tbody`, "everyone")
	p.says(`[data-reader=grants] tbody`, "user:carol")
	p.gone(`[data-reader=all]`)
	p.gone(`[data-reader=asked]`)
}

func TestTheListOfReadersGoesOnPageByPage(t *testing.T) {
	chromium(t)
	p := open(t, administered(t), look{lang: "en-GB"}).as("tina")
	p.run(chromedp.Evaluate(onePerPage, nil))
	p.click(`nav a[href$="/documents"]`)
	p.run(chromedp.Click(`//*[@role='row']//a[contains(., 'Remote Work Policy')]`, chromedp.BySearch))
	p.click(`[role=tab]:nth-of-type(3)`)
	people := []string{"alice", "bob", "carol", "dave", "tina"}
	for n, want := range people {
		p.see(fmt.Sprintf(`[data-reader=all] [data-user=%s]`, want))
		if got := eval[int](p, `document.querySelectorAll('[data-reader=all] [data-user]').length`); got != n+1 {
			t.Fatalf("after %d pages there are %d readers", n+1, got)
		}
		if n+1 < len(people) {
			p.click(`[data-reader=all] > button`)
		}
	}
}

func TestAnAdministratorLooksAsSomebodyElse(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := administered(t)
	p := open(t, s, look{lang: "en-GB"}).as("tina")
	p.visit("/documents?kb=kb-policies")
	p.until(`document.querySelectorAll('[data-view-as-form] option').length === 4`)
	p.write(`[data-view-as-form] input`, "carol")
	p.press(kb.Enter)
	p.says(`[data-view-as=carol]`, "You see what both you and Carol (carol) may see; each look is recorded.")
	p.see(`[role=table]`)
	if at := eval[string](p, `location.search`); at != "?kb=kb-policies&view_as=carol" {
		t.Errorf("the address is %s", at)
	}
	// Carol may read the audit points, which Tina may not: looking adds nothing, and offers no changes.
	p.says(`[role=table]`, "差旅管理制度")
	if text := eval[string](p, `document.querySelector('main').innerText`); strings.Contains(text, "差旅稽核抽查要点") || strings.Contains(text, "New knowledge base") {
		t.Errorf("looking as Carol shows %s", text)
	}
	p.gone(`main header button`)
	p.accessible(source, "looking as somebody else")
	p.shot("viewas-en-light")
	// A reload keeps it, and so does another knowledge base; the banner stays in sight.
	p.run(chromedp.Reload())
	p.see(`[data-view-as=carol]`)
	p.click(`[data-kb=kb-support]`)
	p.says(`[role=table]`, "错误码速查")
	p.see(`[data-view-as=carol]`)
	p.click(`[data-view-as-end]`)
	p.see(`[data-view-as-form]`)
	if at := eval[string](p, `location.search`); at != "?kb=kb-support" {
		t.Errorf("afterwards the address is %s", at)
	}

	// Nobody of this name.
	p.expected = append(p.expected, "404")
	p.visit("/documents?view_as=nobody")
	p.says(`main [role=alert]`, "It does not exist, or you may not see it.")
	p.see(`[data-view-as=nobody] [data-view-as-end]`)

	// Each look is in the ledger, with whom and what part and no words.
	_, body := s.call("dave", "GET", "/api/ledger?limit=200", "")
	var list struct {
		Items []struct {
			Kind string
			Body json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	parts := map[string]int{}
	for _, e := range list.Items {
		if e.Kind == "rights.viewed" {
			parts[string(e.Body)]++
		}
	}
	if parts[`{"as":"carol","part":"documents"}`] != 3 || len(parts) != 2 {
		t.Errorf("three lists were looked at, and the ledger tells of %v", parts)
	}
}

func TestTheSearchBenchPutsTwoViewsSideBySide(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := administered(t)
	if status, body := s.call("bob", "PUT", "/api/knowledge-bases/kb-rd/grants", `{"grants":[{"principal":"user:bob","role":"manager"},{"principal":"user:tina","role":"reader"}]}`); status != 200 {
		t.Fatal(status, body)
	}
	p := open(t, s, look{}).as("tina")
	p.visit("/search?view_as=alice")
	p.says(`[data-view-as=alice]`, "您看到的是您和 Alice (alice) 都能看到的内容；每次查看都会记入账本。")
	p.write(`form[role=search] input`, "样机 测试 住宿 上限")
	p.press(kb.Enter)
	p.says(`[data-found=own] ol`, "研发手册")
	p.says(`[data-found=alice] ol`, "差旅管理制度")
	if text := eval[string](p, `document.querySelector('[data-found=alice]').innerText`); strings.Contains(text, "研发手册") || strings.Contains(text, "样机测试记录") {
		t.Errorf("beside what Alice may read there is %s", text)
	}
	p.accessible(source, "two views of a search")
	p.shot("viewas-search-zh-light")
	// A reload asks the same again; what was searched is told to no server in the address.
	p.run(chromedp.Reload())
	p.says(`[data-found=alice] ol`, "差旅管理制度")
	p.says(`[data-found=own] ol`, "研发手册")
	if at := eval[string](p, `location.search`); at != "?view_as=alice" {
		t.Errorf("the address tells the server %s", at)
	}
	p.click(`[data-view-as-end]`)
	p.gone(`[data-found=alice]`)
	p.says(`[data-found=own] ol`, "研发手册")
}

func TestNobodyElseSeesAnythingOfLookingAs(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	for _, who := range []string{"alice", "carol", "dave"} { // a member, a knowledge administrator, an auditor
		p := open(t, s, look{lang: "en-GB", width: 390, height: 844, phone: true}).as(who)
		p.visit("/documents?kb=kb-policies&view_as=bob")
		p.see(`[role=table]`)
		p.visit("/search?view_as=bob#q=lodging")
		p.see(`[data-found=own] [data-took]`)
		if got := eval[int](p, `document.querySelectorAll('[data-view-as], [data-view-as-form], [data-found=bob]').length`); got != 0 {
			t.Errorf("%s sees %d parts of it", who, got)
		}
	}
	_, body := s.call("dave", "GET", "/api/ledger?limit=200", "")
	if strings.Contains(body, "rights.viewed") {
		t.Errorf("a look was recorded: %s", body)
	}
}

func TestRightsAndLooksFitAPhoneInTheDark(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := administered(t)
	on := func(who, screen, wait string) {
		t.Helper()
		p := open(t, s, look{width: 390, height: 844, phone: true, dark: true}).as(who)
		p.visit(screen)
		if strings.HasPrefix(screen, "/documents/") {
			p.click(`[role=tab]:nth-of-type(3)`)
		}
		p.see(wait)
		p.until(`!document.querySelector('main [role=status] .animate-spin')`)
		if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s is %d pixels wider than the phone", screen, wide)
		}
		p.accessible(source, screen)
	}
	on("carol", "/documents/doc-travel-v2", `[data-reader=grants] tbody`)
	on("tina", "/documents/doc-travel-v2", `[data-reader=all] [data-user=carol]`)
	on("tina", "/documents?view_as=carol", `[data-view-as] ~ * [aria-pressed]`)
	on("tina", "/search?view_as=carol#q=住宿", `[data-found=carol] ol`)
	on("tina", "/settings", `[data-synonyms] textarea`)
}
