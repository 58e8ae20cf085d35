package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpellingsOfAWordAreOneAndTheirCountsAdded(t *testing.T) {
	got, err := sourceWords([]byte("台湾 7 ns\n臺灣 5 ns\n合同 3 n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"台湾": 12, "合同": 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWordsThatTheTreeCannotHoldAreLeftOut(t *testing.T) {
	got, err := sourceWords([]byte("一二三四五六七八 1 m\n一二三四五六七八九 1 m\nT恤 4 n\nテスト 1 x\n𠀀 1 x\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"一二三四五六七八": 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestALineThatIsNoneOfTheSourceIsAnError(t *testing.T) {
	for _, line := range []string{"", "合同 3", "合同 3 n n", "合同 three n", "合同 3 " + strings.Repeat("n", 1<<17)} {
		if got, err := sourceWords([]byte("的 9 uj\n" + line + "\n")); err == nil {
			t.Errorf("%.20q was read: %v", line, got)
		}
	}
}

func TestAnotherSourceWritesNothing(t *testing.T) {
	source, target := filepath.Join(t.TempDir(), "dict.txt"), filepath.Join(t.TempDir(), "words.bin")
	if err := os.WriteFile(source, []byte("合同 3 n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := generate([]string{source, target}); err == nil || !strings.Contains(err.Error(), sourceSum) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(target); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}

func TestBothFilesHaveToBeNamed(t *testing.T) {
	for _, args := range [][]string{nil, {"dict.txt"}, {"a", "b", "c"}, {filepath.Join(t.TempDir(), "none"), "words.bin"}} {
		if err := generate(args); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}
