package pdf

import (
	"fmt"
	"strings"
)

// file writes the pages that were set.
func (t *setter) file() ([]byte, error) {
	w := &objects{}
	w.out.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	resources := "<</Font<<"
	for _, f := range t.fonts.list {
		resources += fmt.Sprintf("/%s %d 0 R", f.name, f.define(w))
	}
	resources += ">>>>"
	tree := w.promise()
	numbers := make([]int, len(t.pages))
	for i := range t.pages {
		numbers[i] = w.promise()
	}
	kids := ""
	for i, p := range t.pages {
		content := w.stream("", []byte(p.ops.String()))
		w.put(numbers[i], fmt.Sprintf("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %.2f %.2f]/Resources%s/Contents %d 0 R%s>>",
			tree, pageWidth, pageHeight, resources, content, t.annotations(w, p, numbers)))
		kids += fmt.Sprintf("%d 0 R ", numbers[i])
	}
	w.put(tree, fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(t.pages), strings.TrimSpace(kids)))
	language := map[bool]string{true: "zh-CN", false: "en"}[t.document.Chinese]
	root := w.add(fmt.Sprintf("<</Type/Catalog/Pages %d 0 R/Lang(%s)/ViewerPreferences<</DisplayDocTitle true>>>>", tree, language))
	made := ""
	if !t.document.Made.IsZero() {
		made = "/CreationDate(D:" + t.document.Made.UTC().Format("20060102150405") + "+00'00')"
	}
	info := w.add("<</Title" + words(t.document.Title) + "/Producer(Kaoju)" + made + ">>")
	return w.end(root, info)
}

// annotations are the links of a page. Each leads to a place in the document itself.
func (t *setter) annotations(w *objects, p *page, numbers []int) string {
	if len(p.links) == 0 {
		return ""
	}
	list := ""
	for _, l := range p.links {
		to := t.noted[l.note]
		if l.back {
			to = t.mentioned[l.note]
		}
		list += fmt.Sprintf("%d 0 R ", w.add(fmt.Sprintf("<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[%.2f %.2f %.2f %.2f]/Dest[%d 0 R/XYZ 0 %.2f null]>>",
			l.left, l.low, l.right, l.high, numbers[to.page], to.y)))
	}
	return "/Annots[" + strings.TrimSpace(list) + "]"
}
