package corpus

import (
	"strconv"
	"strings"
)

// placeWords are the words for places in one language.
type placeWords struct {
	line, lines, row, rows, column string
	paragraph, paragraphs, table   string
	tableRow, tableRows            string
	slide, slides, sheet, hidden   string
	page, pages, printed           string
	headerField, part, attachment  string
	layer, object, block, paper    string
	bookPage, bookPages, aside     string
	picture                        string
	parts                          map[string]string
}

func chinesePlace() placeWords {
	return placeWords{
		"行", "行", "记录", "记录", "列", "段落", "段落", "表格", "行", "行", "幻灯片", "幻灯片", "工作表", "已隐藏", "页", "页", "印刷页码", "邮件头", "正文部分", "附件", "图层", "对象", "图块", "图纸空间", "书中文件", "书中文件", "正文之外", "图片上的位置",
		map[string]string{
			"footnote": "脚注", "endnote": "尾注", "comment": "批注", "textbox": "文本框", "header": "页眉", "footer": "页脚",
			"altchunk": "嵌入内容", "title": "标题", "notes": "备注", "smartart": "图示", "chart": "图表", "table": "表格",
		},
	}
}

func englishPlace() placeWords {
	return placeWords{
		"line", "lines", "record", "records", "column", "paragraph", "paragraphs", "table", "row", "rows", "slide", "slides", "sheet", "hidden", "page", "pages", "printed", "header", "part", "attachment", "layer", "object", "block", "paper space", "file", "files", "beside the text", "on the picture at",
		map[string]string{"textbox": "text box", "altchunk": "embedded content", "smartart": "diagram"},
	}
}

func (w placeWords) partName(name string) string {
	if word, ok := w.parts[name]; ok {
		return word
	}
	return name
}

// InWords says where a locator points, in Chinese or in English; "" for none.
func InWords(l Locator, chinese bool) string {
	w := englishPlace()
	if chinese {
		w = chinesePlace()
	}
	var out []string
	switch l := l.(type) {
	case TextLocator:
		if len(l.Heading) > 0 {
			out = append(out, strings.Join(l.Heading, " › "))
		}
		out = append(out, counted(w.line, w.lines, l.Line, l.LineEnd))
	case CSVLocator:
		out = append(out, counted(w.row, w.rows, l.Row, l.RowEnd))
		if l.Header != "" {
			out = append(out, w.column+" "+l.Header)
		}
	case DOCXLocator:
		out = w.document(l)
	case XLSXLocator:
		out = w.workbook(l)
	case PPTXLocator:
		out = w.presentation(l)
	case PDFLocator:
		out = append(out, counted(w.page, w.pages, l.Page, l.PageEnd))
		if l.PageLabel != "" {
			out = append(out, w.printed+" "+l.PageLabel)
		}
	case EMLLocator:
		out = w.message(l)
	case DXFLocator:
		out = w.drawing(l)
	case SVGLocator:
		out = w.graphic(l)
	case EPUBLocator:
		out = w.book(l)
	case ImageLocator:
		if len(l.Boxes) > 0 {
			out = append(out, w.picture+" "+strconv.Itoa(int(l.Boxes[0][0]))+", "+strconv.Itoa(int(l.Boxes[0][1])))
		}
	}
	return strings.Join(out, " · ")
}

func counted(one, many string, from, to int) string {
	if to > from {
		return many + " " + strconv.Itoa(from) + "–" + strconv.Itoa(to)
	}
	return one + " " + strconv.Itoa(from)
}

func (w placeWords) document(l DOCXLocator) (out []string) {
	if len(l.Heading) > 0 {
		out = append(out, strings.Join(l.Heading, " › "))
	}
	if l.Part != "" {
		out = append(out, strings.TrimSpace(w.partName(l.Part)+" "+l.ID))
	}
	switch {
	case l.AnchorParagraph > 0: // where a reader finds the mark
		out = append(out, counted(w.paragraph, w.paragraphs, l.AnchorParagraph, 0))
	case l.Paragraph > 0:
		out = append(out, counted(w.paragraph, w.paragraphs, l.Paragraph, l.ParagraphEnd))
	}
	if l.Table > 0 {
		out = append(out, counted(w.table, w.table, l.Table, l.TableEnd))
		if l.TableEnd == 0 && l.Row > 0 {
			out = append(out, counted(w.tableRow, w.tableRows, l.Row, l.RowEnd))
		}
	}
	if l.Header != "" {
		out = append(out, w.column+" "+l.Header)
	}
	return out
}

func (w placeWords) book(l EPUBLocator) (out []string) {
	if len(l.Heading) > 0 {
		out = append(out, strings.Join(l.Heading, " › "))
	}
	out = append(out, counted(w.bookPage, w.bookPages, l.Spine, l.SpineEnd))
	if l.Aside {
		out = append(out, w.aside)
	}
	return out
}

func (w placeWords) workbook(l XLSXLocator) (out []string) {
	sheet := w.sheet + " " + l.Sheet
	if l.SheetEnd != "" {
		sheet += "–" + l.SheetEnd
	}
	out = append(out, sheet)
	if area := l.area(); area != "" {
		out = append(out, area)
	}
	if l.Part != "" {
		out = append(out, w.partName(l.Part))
	}
	if l.Header != "" {
		out = append(out, w.column+" "+l.Header)
	}
	if l.Hidden {
		out = append(out, w.hidden)
	}
	return out
}

func (w placeWords) presentation(l PPTXLocator) (out []string) {
	if len(l.Heading) > 0 {
		out = append(out, strings.Join(l.Heading, " › "))
	}
	out = append(out, counted(w.slide, w.slides, l.Slide, l.SlideEnd))
	if l.Part != "" {
		out = append(out, w.partName(l.Part))
	}
	if l.Row > 0 {
		out = append(out, counted(w.tableRow, w.tableRows, l.Row, l.RowEnd))
	}
	if l.Header != "" {
		out = append(out, w.column+" "+l.Header)
	}
	if l.Hidden {
		out = append(out, w.hidden)
	}
	return out
}

func (w placeWords) message(l EMLLocator) (out []string) {
	if len(l.Heading) > 0 {
		out = append(out, strings.Join(l.Heading, " › "))
	}
	same := l.last() == l.first()
	switch end := l.last(); {
	case l.Header != "" && end.header != "" && end.header != l.Header:
		out = append(out, w.headerField+" "+l.Header+"–"+end.header)
	case l.Header != "":
		out = append(out, w.headerField+" "+l.Header)
	case l.Attachment != "":
		out = append(out, w.attachment+" "+l.Attachment)
	case same:
		out = append(out, w.part+" "+l.Part)
	default:
		out = append(out, w.part+" "+l.Part+"–"+end.part)
	}
	if same && l.Line > 0 {
		out = append(out, counted(w.line, w.lines, l.Line, l.LineEnd))
	}
	return out
}

// drawing names what a person can look for in a program that draws: the layer, the object, and where.
func (w placeWords) drawing(l DXFLocator) (out []string) {
	switch l.Shown {
	case "", "model":
	case "paper":
		out = append(out, w.paper)
	default:
		if l.Shown != l.Block {
			out = append(out, l.Shown)
		}
	}
	if l.Layer != "" {
		out = append(out, w.layer+" "+l.Layer)
	}
	switch {
	case l.Handle != "":
		out = append(out, w.object+" "+l.Handle)
	case l.Entity != "":
		out = append(out, strings.TrimSpace(l.Entity+" "+l.Tag))
	}
	if l.Block != "" {
		out = append(out, w.block+" "+l.Block)
	}
	out = append(out, l.Region.words())
	if l.Hidden {
		out = append(out, w.hidden)
	}
	return out
}

func (w placeWords) graphic(l SVGLocator) (out []string) {
	if l.Layer != "" {
		out = append(out, w.layer+" "+l.Layer)
	}
	switch {
	case l.ID != "":
		out = append(out, strings.TrimSpace(l.Element+" #"+l.ID))
	case l.Element != "":
		out = append(out, l.Element)
	}
	if l.Region != nil {
		out = append(out, l.Region.words())
	}
	return out
}

// words writes the corners of a region.
func (r Region) words() string {
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return "(" + n(r[0]) + ", " + n(r[1]) + ")–(" + n(r[2]) + ", " + n(r[3]) + ")"
}
