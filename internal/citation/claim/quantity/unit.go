package quantity

import (
	"math/big"
	"regexp"

	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

// units maps the ways to write a unit to one.
var units = map[string]string{
	"元": "yuan", "块": "yuan", "yuan": "yuan", "rmb": "yuan", "cny": "yuan", "人民币": "yuan", "¥": "yuan",
	"美元": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "$": "usd", "欧元": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "€": "eur",
	"英镑": "gbp", "pounds": "gbp", "£": "gbp", "日元": "jpy", "yen": "jpy",
	"%": "%", "percent": "%", "per cent": "%",
	"天": "day", "日": "day", "day": "day", "days": "day", "工作日": "workday", "working day": "workday", "working days": "workday",
	"business day": "workday", "business days": "workday", "个工作日": "workday", "晚": "night", "夜": "night", "night": "night", "nights": "night",
	"小时": "hour", "个小时": "hour", "hour": "hour", "hours": "hour", "分钟": "minute", "minute": "minute", "minutes": "minute", "min": "minute",
	"秒": "second", "seconds": "second", "周": "week", "星期": "week", "week": "week", "weeks": "week", "个月": "month", "月": "month", "month": "month", "months": "month",
	"年": "year", "year": "year", "years": "year", "decade": "decade", "decades": "decade",
	"公里": "km", "千米": "km", "km": "km", "kilometers": "km", "kilometres": "km", "miles": "mile", "英里": "mile",
	"米": "m", "meters": "m", "metres": "m", "厘米": "cm", "cm": "cm", "毫米": "mm", "mm": "mm", "英尺": "ft", "ft": "ft", "feet": "ft", "foot": "ft", "英寸": "inch", "inch": "inch", "inches": "inch",
	"m": "m", "metre": "m", "meter": "m", "centimetre": "cm", "centimetres": "cm", "centimeter": "cm", "centimeters": "cm", "millimetre": "mm", "millimetres": "mm", "millimeter": "mm", "millimeters": "mm",
	"公斤": "kg", "千克": "kg", "kg": "kg", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg", "克": "g", "g": "g", "gram": "g", "grams": "g", "毫克": "mg", "mg": "mg", "milligram": "mg", "milligrams": "mg", "微克": "ug", "μg": "ug",
	"吨": "t", "tons": "t", "tonne": "t", "tonnes": "t", "pound": "lb", "lb": "lb", "lbs": "lb",
	"升": "l", "l": "l", "litre": "l", "litres": "l", "liter": "l", "liters": "l", "毫升": "ml", "ml": "ml", "millilitre": "ml", "millilitres": "ml", "milliliter": "ml", "milliliters": "ml", "gallon": "gallon", "gallons": "gallon", "加仑": "gallon",
	"瓦": "w", "w": "w", "watt": "w", "watts": "w", "kw": "kw", "kilowatt": "kw", "kilowatts": "kw",
	"mins": "minute", "hrs": "hour", "hr": "hour", "季度": "quarter", "个季度": "quarter", "quarter": "quarter", "quarters": "quarter",
	"calendar day": "day", "calendar days": "day", "自然日": "day", "日历日": "day", "个自然日": "day", "个日历日": "day",
	"kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "℃": "c", "°c": "c", "摄氏度": "c", "celsius": "c", "centigrade": "c", "degrees celsius": "c", "degree celsius": "c", "degrees centigrade": "c", "degree centigrade": "c", "degrees c": "c", "degree c": "c",
	"°f": "f", "华氏度": "f", "fahrenheit": "f", "degrees fahrenheit": "f", "degree fahrenheit": "f", "degrees f": "f", "degree f": "f",
	"人": "person", "people": "person", "persons": "person", "person": "person", "岁": "year", "次": "time", "times": "time",
}

// bases are the units in which others are counted exactly. Days and hours are kept apart, and so
// are days and workdays: a rule means one of them.
var bases = map[string]struct {
	unit string
	size int64
}{
	"minute": {"second", 60}, "hour": {"second", 3600}, "week": {"day", 7}, "decade": {"month", 120}, "year": {"month", 12}, "quarter": {"month", 3},
	"cm": {"mm", 10}, "m": {"mm", 1000}, "km": {"mm", 1_000_000}, "mg": {"ug", 1000}, "g": {"ug", 1_000_000}, "kg": {"ug", 1_000_000_000}, "t": {"ug", 1_000_000_000_000},
	"l": {"ml", 1000}, "kw": {"w", 1000},
}

// InBase returns a value in the base of its unit, to be compared with others.
func (q Quantity) InBase() (value, unit string) {
	b, ok := bases[q.Unit]
	if !ok {
		return q.Value, q.Unit
	}
	n, ok := new(big.Rat).SetString(q.Value)
	if !ok {
		return q.Value, q.Unit
	}
	return numeral.Decimal(n.Mul(n, new(big.Rat).SetInt64(b.size))), b.unit
}

var minus = regexp.MustCompile(`(?:零下|\b(?:minus|negative))\s*$`)

// belowZero reports whether a number is one of a temperature below zero, by what stands before it.
func belowZero(unit, before string) bool {
	return (unit == "c" || unit == "f") && minus.MatchString(before)
}

var factors = map[string]int64{
	"百": 100, "千": 1000, "k": 1000, "十万": 100_000, "百万": 1_000_000, "千万": 10_000_000,
	"十亿": 1_000_000_000, "百亿": 10_000_000_000, "千亿": 100_000_000_000, "万": 10_000, "亿": 100_000_000, "万亿": 1_000_000_000_000,
	"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000,
}

// OpposedUnits reports whether two values are known to be of different sorts, so that they can't be
// compared.
func OpposedUnits(a, b Stated) bool {
	_, u := a.InBase()
	_, v := b.InBase()
	return u != v && u != "" && v != ""
}
