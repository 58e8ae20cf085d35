package minilm

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sums are the model's files as they were taken over. Another file is another model: its vectors
// must not stand beside those that are kept, so its Name has to change too.
var sums = map[string]string{
	"model-int8.safetensors": "58e5698a29b5126beb494541097fdeeb13bf6c6591737913bda2415e350b304b",
	"vocab.txt":              "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}

func TestModelIsTheOneThatWasTakenOver(t *testing.T) {
	for name, data := range map[string][]byte{"model-int8.safetensors": weightFile, "vocab.txt": []byte(vocabularyFile)} {
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); got != sums[name] {
			t.Errorf("%s has the sum %s", name, got)
		}
	}
}

func TestNoticeNamesTheModelAndItsLicence(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join("..", "..", "..", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{Name, "Apache License, Version 2.0", "internal/llm/minilm/model-int8.safetensors", "internal/llm/minilm/vocab.txt", "changed:"} {
		if !strings.Contains(string(notice), want) {
			t.Errorf("NOTICE does not say %q", want)
		}
	}
}
