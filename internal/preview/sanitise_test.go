package preview

import (
	"testing"

	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// The sanitiser is judged alone: it must hold what the renderer does not.

func TestSanitiserAloneLetsNothingElseThrough(t *testing.T) {
	hostile := []string{
		`<script>x</script><style>x</style><iframe src=x></iframe><object data=x></object><svg onload=x><math>`, `<a href="https://a.example">x</a>`, `<img src=x onerror=x>`,
		`<p onclick=x style="color:red" class=a id=a>x</p>`, `<td title="<b>" colspan="a">`, `<span id="doc-a b" data-start="-1" data-end="1x" class="doc-mark x">y</span>`,
		`<code class="language-x onclick">y</code>`, `<form action=x><input name=x><button>y</button></form>`, `<ol start="1e9">`, `<div class="modal">`,
		`<!-- x --><!doctype html><?x?><![CDATA[x]]>`, `<base href=x><meta http-equiv=refresh><link rel=x href=x>`, `<p id="doc-&#10;">`,
	}
	for _, c := range sharedtest.Records[previewtest.Case](t, "security", "markdown_xss.jsonl") {
		hostile = append(hostile, c.Markdown)
	}
	for _, s := range hostile {
		for _, fault := range previewtest.Tags(sanitise(s)) {
			t.Errorf("%.100q: %s in %.200q", s, fault, sanitise(s))
		}
	}
}

func TestSanitiserLeavesWhatTheRendererWrites(t *testing.T) {
	for _, s := range []string{
		`<div data-start="0" data-end="9" class="doc doc-md"><p data-start="0" data-end="3"><span id="doc-line-1" data-start="0" data-end="3">a</span></p></div>`,
		`<section id="doc-sheet-_e4-B7" data-start="0" data-end="1" class="doc-part doc-notes"></section>`, `<ol start="3"><li>a<ul><li>b</li></ul></li></ol>`,
		`<table><thead><tr><th colspan="2" rowspan="3" title="AB12">a</th></tr></thead><tbody><tr><td></td></tr></tbody></table>`,
		`<pre><code class="language-c++">&lt;a&gt; &amp;&#34;&#39;</code></pre><blockquote><em><strong><del>a</del></strong></em><br></blockquote><h6>x</h6>`,
		`<span class="doc-mark">*</span><span class="doc-address">(u)</span><span class="doc-unshown"></span>`,
	} {
		if got := sanitise(s); got != s {
			t.Errorf("%s\nbecame\n%s", s, got)
		}
	}
}
