package xlsx

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// format is what matters of a number format: what kind of value it shows, and how precisely.
type format struct {
	kind           kind
	decimals       int // shown
	optional       int // of them, those that are not shown where they are 0
	thousands      bool
	prefix, suffix string
	hidden         bool // the value is not shown at all
	// cases are formats for the numbers for which a condition holds; the format itself is for all others.
	cases []conditional
	// of a date
	year, month, day, hour, second bool
	fraction                       int
}

type kind int8

const (
	general kind = iota
	number
	percent
	date
	elapsed // hours or minutes that go on beyond a day
)

// builtin returns the code of a format that workbooks name by number only. Those of dates differ
// from place to place, but all of them are dates.
func builtin(id int) string {
	codes := map[int]string{
		1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00",
		41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00",
		14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
		27: "yyyy-m", 28: "m-d", 29: "m-d", 30: "m-d-yy", 31: "yyyy-m-d", 32: "h:mm", 33: "h:mm:ss", 34: "h:mm", 35: "h:mm:ss", 36: "yyyy-m",
		45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 50: "yyyy-m", 51: "m-d", 52: "yyyy-m", 53: "m-d", 54: "m-d", 55: "h:mm", 56: "h:mm:ss", 57: "yyyy-m", 58: "m-d",
	}
	return codes[id]
}

// newFormat reads the first section of a code, that of positive numbers; where sections have conditions, all of them.
func newFormat(code string) format {
	if cases, rest, ok := conditions(code); ok {
		f := newFormat(rest)
		f.cases = cases
		return f
	}
	if code == "" || strings.EqualFold(code, "general") || code == "@" {
		return format{}
	}
	f := format{}
	section, literal := sections(code)
	if section == "" && literal == "" {
		return format{hidden: true}
	}
	lower := strings.NewReplacer("am/pm", "", "a/p", "").Replace(strings.ToLower(section))
	switch {
	case strings.Contains(lower, "general"):
		return format{}
	case strings.ContainsAny(lower, "ymdhs") || strings.Contains(lower, "[h") || strings.Contains(lower, "[m") || strings.Contains(lower, "[s"):
		f.dates(lower)
	case strings.Contains(section, "%"):
		f.kind = percent
		f.digits(section)
	case strings.ContainsAny(section, "eE/") || !strings.ContainsAny(section, "0#?"):
		return format{} // powers of ten and fractions are written as plain numbers
	default:
		f.kind = number
		f.digits(section)
		f.around(code)
	}
	return f
}

// sections returns the marks of the first section of a code, without literal text, colours and
// conditions, and the literal text.
func sections(code string) (marks, literal string) {
	var m, l strings.Builder
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			return m.String(), l.String()
		case '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				return m.String(), l.String()
			}
			l.WriteString(code[i+1 : i+1+end])
			i += end + 1
		case '\\', '_', '*':
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return m.String(), l.String()
			}
			inside := strings.ToLower(code[i+1 : i+end])
			if inside != "" && strings.Trim(inside, "hms") == "" {
				m.WriteString("[" + inside + "]")
			}
			i += end
		default:
			m.WriteByte(c)
		}
	}
	return m.String(), l.String()
}

// dates reads which parts of a time are shown. An m beside hours or seconds means minutes.
func (f *format) dates(section string) {
	f.kind = date
	if strings.Contains(section, "[") {
		f.kind = elapsed
	}
	f.year, f.day = strings.Contains(section, "y"), strings.Contains(section, "d")
	f.hour = strings.ContainsAny(section, "hs") || f.kind == elapsed
	f.second = strings.Contains(section, "s")
	letters := ""
	for _, r := range section {
		if strings.ContainsRune("ymdhs", r) && !strings.HasSuffix(letters, string(r)) {
			letters += string(r)
		}
	}
	for i, r := range letters {
		if r != 'm' {
			continue
		}
		before, after := i > 0 && letters[i-1] == 'h', i+1 < len(letters) && letters[i+1] == 's'
		f.month = f.month || !before && !after
	}
	if i := strings.Index(section, "s.0"); i >= 0 {
		f.fraction = min(len(section[i+2:])-len(strings.TrimLeft(section[i+2:], "0")), 3)
	}
}

// digits reads how many decimals are shown.
func (f *format) digits(section string) {
	f.thousands = strings.Contains(section, ",")
	_, decimals, _ := strings.Cut(section, ".")
	for _, r := range decimals {
		switch r {
		case '0':
			f.decimals, f.optional = f.decimals+1, 0
		case '#', '?':
			f.decimals, f.optional = f.decimals+1, f.optional+1
		default:
			continue
		}
	}
	f.decimals = min(f.decimals, 15)
	if strings.HasSuffix(strings.TrimRight(section, " )"), ",") {
		*f = format{kind: f.kind} // the number is shown in thousands; it is written in full
		if f.kind == number {
			f.kind = general
		}
	}
}

// around reads the text before and after the number: a currency, a unit.
func (f *format) around(code string) {
	before := true
	var prefix, suffix strings.Builder
	write := func(s string) {
		if before {
			prefix.WriteString(s)
		} else {
			suffix.WriteString(s)
		}
	}
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch c := code[i]; {
		case c == '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				return
			}
			write(code[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && i+1 < len(code):
			i++
			write(code[i : i+1])
		case c == '_' || c == '*': // as wide as the next sign, or filled with it
			_, n := utf8.DecodeRuneInString(code[i+1:])
			i += n
		case c == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return
			}
			if inside := code[i+1 : i+end]; strings.HasPrefix(inside, "$") {
				symbol, _, _ := strings.Cut(inside[1:], "-")
				write(symbol)
			}
			i += end
		case strings.IndexByte("0#?.,", c) >= 0:
			before = false
		case c != '(' && c != ')' && c != '-' && c != '+':
			write(code[i : i+1]) // of a sign of several bytes, one after the other
		}
	}
	f.prefix, f.suffix = prefix.String(), suffix.String()
}

// calendar tells what day a number means.
type calendar struct{ from1904 bool }

// mostDays is the number of the last day of the year 9999.
const mostDays = 2_958_466

func (c calendar) time(v float64) time.Time {
	days, part := math.Modf(v)
	base := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case c.from1904:
		base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		base = base.AddDate(0, 0, 1) // before the day that never was, 29 February 1900
	}
	return base.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(part*86_400_000)) * time.Millisecond)
}

// write writes a number as the format shows it.
func (f format) write(v float64, days calendar) string {
	for _, c := range f.cases {
		if c.holds(v) {
			return c.format.write(v, days)
		}
	}
	switch {
	case f.hidden:
		return ""
	case math.IsNaN(v) || math.IsInf(v, 0):
		return ""
	case f.kind == date && v >= 0 && v < mostDays:
		return f.moment(v, days)
	case f.kind == elapsed && math.Abs(v) < mostDays:
		return f.duration(v)
	case f.kind == percent:
		return f.decimal(v*100) + "%"
	case f.kind == number:
		return f.prefix + f.decimal(v) + f.suffix
	}
	return plain(v)
}

func (f format) moment(v float64, days calendar) string {
	layout := ""
	switch {
	case f.day:
		layout = "2006-01-02"
	case f.month:
		layout = "2006-01"
	case f.year:
		layout = "2006"
	}
	if f.hour {
		if layout != "" {
			layout += " "
		}
		layout += "15:04"
		if f.second {
			layout += ":05"
		}
		if f.fraction > 0 {
			layout += "." + strings.Repeat("0", f.fraction)
		}
	}
	if int(v) == 60 && !days.from1904 {
		return strings.Replace(days.time(59+v-60).Format(layout), "02-28", "02-29", 1)
	}
	return days.time(v).Format(layout)
}

func (f format) duration(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	seconds := int64(math.Round(v * 86400))
	out := sign + strconv.FormatInt(seconds/3600, 10) + ":" + twoDigits(seconds/60%60)
	if f.second {
		out += ":" + twoDigits(seconds%60)
	}
	return out
}

func twoDigits(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

// decimal writes a number with the format's decimals and separators.
func (f format) decimal(v float64) string {
	s := rounded(exact(v), f.decimals)
	if f.decimals > 0 && f.optional > 0 {
		for n := f.optional; n > 0 && strings.HasSuffix(s, "0"); n-- {
			s = s[:len(s)-1]
		}
		s = strings.TrimSuffix(s, ".")
	}
	if !f.thousands {
		return s
	}
	sign, whole, rest := "", s, ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if i := strings.IndexByte(whole, '.'); i >= 0 {
		whole, rest = whole[:i], whole[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + rest
}

// rounded writes a number with so many decimals. Half of the last one is rounded away from zero, as spreadsheets do, and by
// the digits that are written rather than by the binary number.
func rounded(v float64, decimals int) string {
	shortest := strconv.FormatFloat(v, 'f', -1, 64)
	if _, after, _ := strings.Cut(shortest, "."); len(after) <= decimals {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	r, ok := new(big.Rat).SetString(shortest)
	if !ok {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return r.FloatString(decimals)
}

// exact rounds to the fifteen digits that a cell has.
func exact(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// plain writes a number in full, without a power of ten where a reader can count the digits.
func plain(v float64) string {
	v = exact(v)
	if a := math.Abs(v); a != 0 && (a < 1e-9 || a >= 1e21) {
		return strconv.FormatFloat(v, 'G', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
