// Command generate makes the embedded words of package dictionary from the dict.txt of jieba 0.42.1:
//
//	go run ./internal/analysis/dictionary/generate dict.txt internal/analysis/dictionary/words.bin
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/analysis/dictionary"
)

// sourceSum is the SHA-256 of the dict.txt that the embedded words are made from. Another source
// makes other words, and so needs another analysis.Version.
const sourceSum = "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8"

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate reads the source that the first argument names and writes the file that the second names.
func generate(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: generate dict.txt words.bin")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != sourceSum {
		return fmt.Errorf("%s has the SHA-256 %s, not %s", args[0], sum, sourceSum)
	}
	words, err := sourceWords(data)
	if err != nil {
		return err
	}
	packed, err := dictionary.Write(words)
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], packed, 0o644)
}

// sourceWords reads jieba's lines: a word, how often it was seen, its part of speech. Words are
// folded as texts are, so that traditional and simplified spellings are one; words that the tree
// can't hold are left out.
func sourceWords(data []byte) (map[string]int, error) {
	words := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			return nil, fmt.Errorf("the line %q has no three fields", lines.Text())
		}
		n, err := strconv.Atoi(f[1])
		if err != nil {
			return nil, fmt.Errorf("the line %q: %w", lines.Text(), err)
		}
		if word := analysis.Fold(f[0]); dictionary.Holds(word) {
			words[word] += n
		}
	}
	return words, lines.Err()
}
