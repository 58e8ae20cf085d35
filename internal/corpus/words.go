package corpus

import (
	"strconv"
	"strings"
)

// placeWords are the words for places in one language.
type placeWords struct{ line, lines, row, rows, column string }

var (
	chinesePlace = placeWords{"行", "行", "记录", "记录", "列"}
	englishPlace = placeWords{"line", "lines", "record", "records", "column"}
)

// InWords says where a locator points, in Chinese or in English; "" for none.
func InWords(l Locator, chinese bool) string {
	w := englishPlace
	if chinese {
		w = chinesePlace
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
	}
	return strings.Join(out, " · ")
}

func counted(one, many string, from, to int) string {
	if to > from {
		return many + " " + strconv.Itoa(from) + "–" + strconv.Itoa(to)
	}
	return one + " " + strconv.Itoa(from)
}
