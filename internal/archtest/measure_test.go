package archtest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestMeasuresCountAndStop(t *testing.T) {
	tree := source(t, map[string]string{
		"internal/a/a.go":      "package a\n\nfunc long() {\n" + strings.Repeat("\t_ = 1\n", 4) + "}\nfunc many(a, b int, c string) {}\ntype seam interface {\n\tA()\n\tB()\n}\n",
		"internal/a/a_test.go": "package a\n\nfunc x() {}",
	})
	all, got := Measures(tree, Limits{File: 12, TestFile: 2, Function: 5, Package: 12, Methods: 1, Parameters: 2})
	want := []Measure{{Package: "internal/a", Production: 13, Test: 3, Functions: 2, Longest: 6, LongestName: "long", LargerFile: 13}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	var said []string
	for _, v := range got {
		said = append(said, v.Where+" "+v.What)
	}
	wantSaid := []string{
		"internal/a/a.go:3 long has 6 lines", "internal/a/a.go:9 many has 3 parameters", "internal/a/a.go:10 an interface has 2 methods",
		"internal/a/a.go 13 lines", "internal/a/a_test.go 3 lines", "internal/a 13 lines",
	}
	if diff := cmp.Diff(wantSaid, said); diff != "" {
		t.Error(diff)
	}
	if _, none := Measures(tree, Stop); len(none) != 0 {
		t.Errorf("small code is past the stop marks: %v", none)
	}
	if r := Report(all); !strings.Contains(r, "0.23") || !strings.Contains(r, "long 6") {
		t.Errorf("the report misses a figure:\n%s", r)
	}
}

func TestLinksThatLeadNowhereAreFound(t *testing.T) {
	fsys := fstest.MapFS{
		"README.md": {Data: []byte(`# The *First* hour: ` + "`kaoju ask`" + `
[good](docs/a.md), [self](#the-first-hour-kaoju-ask), [out](https://example.com/x), [folder](docs),
[gone](docs/b.md) [titled](docs/c.md "why") [no anchor](docs/a.md#none) [anchor](docs/a.md#安装-与-运行)
[above](../x.md) ` + "`[code](no.md)`" + `

` + "```\n[fenced](no.md)\n```\n")},
		"docs/a.md":          {Data: []byte("## 安装 与 运行\n[up](../README.md)")},
		"docs/testdata/x.md": {Data: []byte("[x](gone.md)")},
		"theirs/x.md":        {Data: []byte("[x](gone.md)")},
	}
	got, err := CheckLinks(fsys, "theirs")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, v := range got {
		said = append(said, v.Where+" "+v.What)
	}
	want := []string{
		"README.md links to docs/b.md, which does not exist",
		"README.md links to docs/c.md, which does not exist",
		"README.md links to docs/a.md#none, which has no such heading",
		"README.md links to ../x.md, which is outside the repository",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}
