package index_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// texts makes one version of one chunk from each text; ids are the texts' numbers from 0.
func texts(t fataler, list ...string) *index.Filter {
	t.Helper()
	var out []index.Entry
	for i, text := range list {
		out = append(out, document(t, fmt.Sprint(i), "", text))
	}
	return index.NewSet(out...).Filter(func(corpus.DocumentID) bool { return true })
}

func document(t fataler, id, title string, chunks ...string) index.Entry {
	t.Helper()
	var list []corpus.Chunk
	for i, text := range chunks {
		list = append(list, corpus.Chunk{ID: corpus.ChunkID(fmt.Sprintf("%s-%d", id, i+1)), No: i + 1, Text: text})
	}
	b, err := index.Build(title, list)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	seg, err := index.Open(b)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return index.Entry{Document: corpus.DocumentID(id), Key: id, Segment: seg}
}

func found(f *index.Filter, query string) []string {
	var out []string
	for _, m := range f.Search(index.Terms(query), 100) {
		out = append(out, string(m.Document))
	}
	return out
}

func TestExactIdentifierRanksFirst(t *testing.T) {
	many := strings.Repeat("ERR 1042 err. 1042 ", 40)
	for _, c := range []struct{ query, exact, near string }{
		{"ERR-1042", "The service logs ERR-1042 when it stops." + strings.Repeat(" Other words follow here.", 60), many},
		{"v2.3.1", "Released as v2.3.1 in May.", strings.Repeat("v2 3 1 v2.4.1 v2.3.0 ", 30)},
		{"GB/T 19001-2016", "依据 GB/T 19001-2016 编写。", strings.Repeat("GB/T 19002-2016 GB T 19001 2016 ", 30)},
		{"foo_bar()", "Call foo_bar() once.", strings.Repeat("foo bar foo-bar ", 50)},
		{"192.168.1.1", "The gateway is 192.168.1.1.", strings.Repeat("192.168.1.10 10.192.168.1 ", 40)},
		{"getUserName", "Use getUserName here.", strings.Repeat("get user name ", 50)},
		{"kubectl-get.v1/pods", "Run kubectl-get.v1/pods now.", strings.Repeat("kubectl get v1 pods ", 50)},
	} {
		t.Run(c.query, func(t *testing.T) {
			got := found(texts(t, c.near, c.exact, "Nothing of this kind."), c.query)
			if len(got) != 2 || got[0] != "1" {
				t.Errorf("found %q; the exact one is 1, the near one 0", got)
			}
		})
	}
}

func TestPartsOfIdentifiersAreFound(t *testing.T) {
	f := texts(t, "ERR-1042", "v2.3.1", "GB/T 19001-2016", "foo_bar()", "192.168.1.1", "GB/T19001-2016")
	for query, want := range map[string][]string{
		"1042": {"0"}, "err": {"0"}, "2.3.1": {"1", "4"}, "v2": {"1"}, "19001": {"2", "5"}, "19001-2016": {"2", "5"}, "bar": {"3"},
		"168": {"4"}, "gb/t 19001": {"2", "5"}, "ＧＢ／Ｔ　１９００１": {"2", "5"},
	} {
		got := found(f, query)
		if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}

func TestChineseIsFoundWithoutSettings(t *testing.T) {
	f := texts(t, "員工請假流程與報銷單", "使用Docker部署服务", "增值税率为百分之十三", "ＶＰＮ 连接方法", "年度计划")
	for query, want := range map[string][]string{
		"请假": {"0"}, "請假": {"0"}, "报销": {"0"}, "docker 部署": {"1"}, "ＤＯＣＫＥＲ": {"1"}, "税": {"2"}, "vpn": {"3"},
		"計畫": {"4"}, "部": {"1"}, "天气": nil, "什么是": nil, "的": nil,
	} {
		if got := found(f, query); !slices.Equal(got, want) {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}

func TestStopWordsAloneFindNothing(t *testing.T) {
	f := texts(t, "what is the answer to this question", "这是什么的问题，可以吗")
	for _, query := range []string{"what is the", "这是什么", "where to", "可以吗", ""} {
		if got := found(f, query); got != nil {
			t.Errorf("%q found %q", query, got)
		}
	}
}

func TestMoreAndRarerTermsRankHigher(t *testing.T) {
	f := texts(t, "pump", "pump valve", "valve gasket", "pump pump", "valve", "valve")
	if got := found(f, "pump valve gasket"); got[0] != "2" && got[0] != "1" || got[len(got)-1] != "5" {
		t.Errorf("order %q", got)
	}
	if got := found(f, "gasket valve"); got[0] != "2" {
		t.Errorf("order %q, want 2 first: it holds both, one of them rare", got)
	}
}

// A code is one word among the many pairs of a Chinese question; what holds all the pairs and not
// the code must not stand above what has the code.
func TestIdentifierOutranksTheChinesePairsAroundIt(t *testing.T) {
	pairs := "事件发生后多久内要报告管理层，由事件负责人报告。"
	for _, query := range []string{"SEV-2 事件多久内报告管理层", "多久内报告管理层 sev-2"} {
		f := texts(t, pairs, pairs, "报告事件。", "| SEV-2 | internal systems affected | within 4 hours |", pairs, "多久内报告", pairs)
		if got := found(f, query); got[0] != "3" {
			t.Errorf("%q ranks %q, want 3 first", query, got)
		}
	}
}

func TestTitleCountsForEveryChunk(t *testing.T) {
	set := index.NewSet(document(t, "a", "Travel policy", "one thing", "another thing"), document(t, "b", "Other", "travel by train"))
	got := set.Filter(func(corpus.DocumentID) bool { return true }).Search(index.Terms("travel"), 10)
	if len(got) != 3 || got[0].Document != "a" || got[1].Document != "a" || got[2].Document != "b" {
		t.Errorf("found %v", got)
	}
}

func TestOneCharacterOfAWordFindsNothingAlone(t *testing.T) {
	f := texts(t, "假山很高", "请假流程")
	if got := found(f, "请假"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("found %q; a character of the word is no match", got)
	}
}

func TestManySmallVersionsStayFewParts(t *testing.T) {
	set := &index.Set{}
	for i := range 500 {
		set = set.Change([]index.Entry{document(t, fmt.Sprint(i), "", "bonk dral")}, nil)
	}
	if n := index.Parts(set); n > 12 {
		t.Errorf("500 versions lie in %d parts", n)
	}
	if set.Documents() != 500 {
		t.Errorf("%d versions left", set.Documents())
	}
}

func TestRemovedVersionsAreDroppedFromMemory(t *testing.T) {
	var list []index.Entry
	for i := range 100 {
		list = append(list, document(t, fmt.Sprint(i), "", "bonk dral", "gorm"))
	}
	set := index.NewSet(list...)
	for i := range 90 {
		set = set.Change(nil, []corpus.DocumentID{corpus.DocumentID(fmt.Sprint(i))})
	}
	if n := index.Held(set); n > 40 {
		t.Errorf("%d chunks are held for 10 versions of 2", n)
	}
	if n := set.Filter(func(corpus.DocumentID) bool { return true }).Chunks(); n != 20 {
		t.Errorf("%d chunks are visible", n)
	}
}

func TestBuildRefusesChunksThatAreNoVersion(t *testing.T) {
	for name, chunks := range map[string][]corpus.Chunk{
		"no id": {{No: 1}}, "no number": {{ID: "a"}}, "out of order": {{ID: "a", No: 2}, {ID: "b", No: 1}}, "twice": {{ID: "a", No: 1}, {ID: "b", No: 1}},
	} {
		if _, err := index.Build("t", chunks); problem.CodeOf(err) != "segment_input" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, err := index.Build("t", nil); b != nil || err != nil {
		t.Errorf("no chunks: %d bytes, %v", len(b), err)
	}
}

func sample(t fataler) []byte {
	t.Helper()
	b, err := index.Build("Title 标题", []corpus.Chunk{
		{ID: "c1", No: 1, HeadingPath: []string{"标题 one"}, Text: "alpha beta beta 请假流程 ERR-1042"},
		{ID: "c2", No: 3, Context: "head row\n", Text: "alpha title gamma"},
	})
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	return b
}

func TestBuildingTwiceGivesTheSameBytes(t *testing.T) {
	if a, b := sample(t), sample(t); !slices.Equal(a, b) {
		t.Error("two builds of one version differ")
	}
}

func TestDamageIsNoticed(t *testing.T) {
	whole := sample(t)
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 0x41
		if _, err := index.Open(b); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := index.Open(whole[:i]); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if _, err := index.Open(append(slices.Clone(whole), 0)); problem.CodeOf(err) != "segment_damaged" {
		t.Error("a byte too many was accepted")
	}
}

func TestTermsOfAnotherAnalysisAreRefused(t *testing.T) {
	b := slices.Clone(sample(t))
	b[8] ^= 0x40
	if _, err := index.Open(sealed(b)); problem.CodeOf(err) != "segment_outdated" {
		t.Errorf("Open: %v", err)
	}
}

// sealed sets the checksum of bytes that were changed, so that what is behind it is read.
func sealed(b []byte) []byte {
	if len(b) >= 8 {
		binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[8:], crc32.MakeTable(crc32.Castagnoli)))
	}
	return b
}

// use does with a segment all that a search can.
func use(seg *index.Segment) {
	set := index.NewSet(index.Entry{Document: "x", Key: "x", Segment: seg}).
		Change([]index.Entry{{Document: "y", Key: "y", Segment: seg}}, nil)
	set.Filter(func(id corpus.DocumentID) bool { return id == "x" }).Search(index.Terms("alpha beta 请假 err-1042 title"), 10)
	set.Change(nil, []corpus.DocumentID{"x"})
}

func TestWrongBytesUnderARightChecksumDoNoHarm(t *testing.T) {
	whole := sample(t)
	for i := 8; i < len(whole); i++ {
		for _, x := range []byte{0x01, 0x80, 0xff, 0x10} {
			b := slices.Clone(whole)
			b[i] ^= x
			if seg, err := index.Open(sealed(b)); err == nil {
				use(seg)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(sample(f))
	f.Add(stored(f, former))
	f.Add(stored(f, second))
	f.Add([]byte("KJS\x01\x00\x00\x00\x00\x01\x01\x01a\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if seg, err := index.Open(sealed(slices.Clone(b))); err == nil {
			use(seg)
		} else if code := problem.CodeOf(err); code != "segment_damaged" && code != "segment_outdated" {
			t.Fatalf("unknown error: %v", err)
		}
	})
}
