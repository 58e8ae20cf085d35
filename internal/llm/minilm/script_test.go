package minilm

import (
	"strings"
	"testing"
)

func TestTextsInLatinScriptAreLegible(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"English", "How do I reset the overheating alarm?", true},
		{"one word", "valve", true},
		{"one letter", "a", true},
		{"German with umlauts", "Überprüfen Sie die Kühlmittelstände größerer Motoren.", true},
		{"Vietnamese", "Đường ống bị rò rỉ", true},
		{"fullwidth Latin letters", "ＶＡＬＶＥ", true},
		{"English with accents apart", "re\u0301sume\u0301", true},
		{"English that names a Chinese company", "The contract with 华为 covers maintenance of all base stations.", true},
		{"English with numbers", "Error 1042 at 192.168.1.1", true},
		{"Chinese", "变频器过热保护报警如何复位", false},
		{"traditional Chinese", "變頻器過熱保護", false},
		{"Chinese with a few English terms", "请检查 PostgreSQL 的 WAL 日志配置", false},
		{"Chinese with a unit", "上海住宿上限是 650 CNY", false},
		{"Japanese", "インバータの過熱アラームをリセットする方法", false},
		{"Japanese with a model name", "VFD の過熱をリセットする", false},
		{"Korean", "과열 경보를 재설정하는 방법", false},
		{"Russian", "Как сбросить сигнал перегрева?", false},
		{"Russian with one English word", "Ошибка PostgreSQL при запуске", false},
		{"Greek", "Πώς γίνεται επαναφορά", false},
		{"Arabic", "كيف أعيد ضبط الإنذار", false},
		{"numbers", "1042 650 3.14", false},
		{"signs", "-- ++ {} ;", false},
		{"nothing", "", false},
		{"white space", " \t\n", false},
		{"broken bytes", "\xff\xfe", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Legible(tt.text); got != tt.want {
				t.Errorf("Legible(%q) = %v", tt.text, got)
			}
		})
	}
}

func TestLegibilityDoesNotDependOnLength(t *testing.T) {
	for _, text := range []string{"Stop the pump. ", "停泵。", "停 pump 泵 "} {
		if Legible(text) != Legible(strings.Repeat(text, 500)) {
			t.Errorf("%q is judged otherwise when it is repeated", text)
		}
	}
}
