package polarity

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

func TestAFrameIsTakenOffWhatItDenies(t *testing.T) {
	for text, want := range map[string]string{
		"it is not true that the limit is 650 yuan.":         "the limit is 650 yuan",
		"the rumour that meals are paid is a myth.":          "meals are paid",
		"we deny that meals are paid, and taxis are paid.":   "meals are paid",
		"餐费可以报销的说法是错误的。":                                     "餐费可以报销",
		"有人误以为餐费可以报销":                                        "餐费可以报销",
		"it is not only true that the limit is 650 yuan":     "",
		"the claim is paid within 30 days":                   "",
		"it is true that the limit is 650 yuan":              "",
		"上限不是650元":                                           "",
		"the result that the pump showed was correct":        "",
		"the committee says that it is wrong to waste paper": "",
	} {
		if core, _, ok := Framed(wording.Fold(text)); core != want || ok != (want != "") {
			t.Errorf("%q denies %q, want %q", text, core, want)
		}
	}
}
