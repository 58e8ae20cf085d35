package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
)

// The shape of the world: chunks a version, tenants of which the first has nine tenths, groups,
// and how many of ten versions are the published ones.
const (
	chunksEach = 50
	tenants    = 50
	groups     = 500
	kb         = access.KnowledgeBaseID("kb")
)

// language is the raw material in one language.
type language struct {
	chinese   bool
	passages  []passage
	questions []string
}

type passage struct {
	title     string
	sentences []string
	words     [][]string // of each sentence, for languages that have spaces
}

// load reads the collections of a language that are in the folder.
func load(dir string, chinese bool, names ...string) (language, error) {
	l := language{chinese: chinese}
	for _, name := range names {
		err := lines(filepath.Join(dir, name, "corpus.jsonl"), func(title, text string) {
			var p passage
			p.title = title
			runes := []rune(text)
			for _, s := range analysis.Sentences(text) {
				sentence := strings.TrimSpace(string(runes[s[0]:s[1]]))
				p.sentences = append(p.sentences, sentence)
				if !chinese {
					p.words = append(p.words, strings.Fields(sentence))
				}
			}
			if len(p.sentences) > 0 {
				l.passages = append(l.passages, p)
			}
		})
		if err != nil {
			return l, err
		}
		err = lines(filepath.Join(dir, name, "queries.jsonl"), func(_, text string) { l.questions = append(l.questions, text) })
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return l, err
		}
	}
	if len(l.passages) == 0 {
		return l, fmt.Errorf("no texts in %s", dir)
	}
	return l, nil
}

func lines(path string, fn func(title, text string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var row struct{ Title, Text string }
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			return err
		}
		fn(row.Title, row.Text)
	}
	return s.Err()
}

// world makes documents and queries, the same ones for every engine.
type world struct {
	languages [2]language
	versions  int
}

// document is one version with what permissions look at.
type document struct {
	id       corpus.DocumentID
	title    string
	chunks   []corpus.Chunk
	resource access.Resource
}

func source(i, stream int) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), uint64(stream))) }

// resource tells the rights of version i: tenant, status, and one to twenty groups by Zipf.
func (w *world) resource(i int) access.Resource {
	rnd := source(i, 1)
	tenant := 0
	if rnd.IntN(10) == 0 {
		tenant = 1 + rnd.IntN(tenants-1)
	}
	status := access.StatusPublished
	if rnd.IntN(10) >= 7 {
		status = access.StatusArchived
	}
	zipf := rand.NewZipf(rnd, 1.1, 8, groups-1)
	var allow []access.Principal
	for range 1 + rnd.IntN(20) {
		if g := access.Group(group(int(zipf.Uint64()))); !slices.Contains(allow, g) {
			allow = append(allow, g)
		}
	}
	return access.Resource{
		Tenant: tenantID(tenant), KnowledgeBase: kb, DocKey: fmt.Sprintf("docs/%06d.md", i), Status: status,
		Policy: access.Policy{Restricted: true, Allow: allow},
	}
}

func tenantID(i int) access.TenantID     { return access.TenantID(fmt.Sprintf("t%d", i)) }
func documentID(i int) corpus.DocumentID { return corpus.DocumentID(fmt.Sprintf("d_%026d", i)) }

func chunkID(version, no int) corpus.ChunkID {
	return corpus.ChunkID(fmt.Sprintf("c_%026d", version*chunksEach+no))
}

func group(i int) access.GroupID { return access.GroupID(fmt.Sprintf("g%d", i)) }

// document makes version i: half of them Chinese, each around passages that lie near each other.
func (w *world) document(i int) document {
	rnd := source(i, 2)
	l := &w.languages[i%2]
	base := rnd.IntN(len(l.passages))
	d := document{id: documentID(i), resource: w.resource(i)}
	d.title = l.passages[base].title
	heading := ""
	for no := 1; no <= chunksEach; no++ {
		if no%7 == 1 {
			heading = l.near(rnd, base).title
		}
		d.chunks = append(d.chunks, corpus.Chunk{
			ID: chunkID(i, no), No: no, HeadingPath: []string{heading}, Text: l.text(rnd, base),
		})
	}
	return d
}

// near picks a passage, more often than not one beside the base.
func (l *language) near(rnd *rand.Rand, base int) *passage {
	if rnd.IntN(5) < 3 {
		return &l.passages[(base+rnd.IntN(12))%len(l.passages)]
	}
	return &l.passages[rnd.IntN(len(l.passages))]
}

func (l *language) sentence(rnd *rand.Rand, base int) string {
	p := l.near(rnd, base)
	return p.sentences[rnd.IntN(len(p.sentences))]
}

// text makes a chunk of about 120 terms, with one word in eight from elsewhere: drawn from running
// text, words come as often as they are used.
func (l *language) text(rnd *rand.Rand, base int) string {
	var out strings.Builder
	if l.chinese {
		for n := 0; n < 62; {
			s := []rune(l.sentence(rnd, base))
			s = s[:min(len(s), 70)]
			for i := 0; i+2 <= len(s); i += 2 {
				if rnd.IntN(8) == 0 {
					other := []rune(l.sentence(rnd, base))
					if at := rnd.IntN(max(1, len(other)-2)); at+2 <= len(other) {
						copy(s[i:], other[at:at+2])
					}
				}
			}
			n += len(s)
			out.WriteString(string(s))
		}
		return out.String()
	}
	for n := 0; n < 75; {
		words := l.words(rnd, base)
		words = words[:min(len(words), 80)]
		for _, word := range words {
			if rnd.IntN(8) == 0 {
				word = pick(rnd, l.words(rnd, base), word)
			}
			out.WriteString(word)
			out.WriteByte(' ')
		}
		n += len(words)
	}
	return out.String()
}

func (l *language) words(rnd *rand.Rand, base int) []string {
	p := l.near(rnd, base)
	return p.words[rnd.IntN(len(p.words))]
}

func pick(rnd *rand.Rand, list []string, otherwise string) string {
	if len(list) == 0 {
		return otherwise
	}
	return list[rnd.IntN(len(list))]
}

// query is what is searched for: a question as people ask it, or a few words.
type query struct {
	text  string
	words bool
}

// queries makes n queries: a quarter each of Chinese and English questions of the collections, and
// of two to six words picked from one sentence.
func (w *world) queries(n int) []query {
	rnd := source(0, 3)
	var out []query
	for i := 0; len(out) < n; i++ {
		l := &w.languages[i%2]
		var q string
		switch {
		case i%4 < 2:
			q = l.questions[rnd.IntN(len(l.questions))]
		case l.chinese:
			q = words(rnd, snippets(l.sentence(rnd, 0)), 2+rnd.IntN(2))
		default:
			q = words(rnd, strings.Fields(l.sentence(rnd, 0)), 2+rnd.IntN(5))
		}
		if strong(q) != nil {
			out = append(out, query{q, i%4 >= 2})
		}
	}
	return out
}

// snippets cuts Chinese text into pieces of two to four characters.
func snippets(text string) []string {
	var out []string
	runes := []rune(text)
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && j < i+2+i%3 && unicode.Is(unicode.Han, runes[j]) {
			j++
		}
		if j-i >= 2 {
			out = append(out, string(runes[i:j]))
		}
		i = max(j, i+1)
	}
	return out
}

func words(rnd *rand.Rand, list []string, n int) string {
	rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return strings.Join(list[:min(n, len(list))], " ")
}
