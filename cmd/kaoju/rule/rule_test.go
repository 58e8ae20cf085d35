package rule_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/cmd/kaoju/rule"
)

func TestValuesAreTakenOrRefused(t *testing.T) {
	for name, c := range map[string]struct {
		rule      func(string) error
		good, bad []string
	}{
		"address":   {rule.URL, []string{"http://127.0.0.1:8000/v1", "https://a.example"}, []string{"", "a.example", "ftp://a.example", "http://", "http://%"}},
		"word":      {rule.OneOf("a", "b"), []string{"a", "b"}, []string{"", "c", "A"}},
		"positive":  {rule.Positive, []string{"1", "30"}, []string{"", "0", "-1", "1.5", "x"}},
		"number":    {rule.Number, []string{"0", "7"}, []string{"", "-1", "x"}},
		"languages": {rule.Languages, []string{"eng", "chi_sim+eng", "script/Latin"}, []string{"", "+", "eng+", "-l", "eng+-c", "a b", "eng;x", "../x"}},
		"memory":    {rule.Memory, []string{"67108864"}, []string{"", "67108863", "x"}},
		"time":      {rule.Duration, []string{"90s", "3m"}, []string{"", "0s", "-1s", "90"}},
		"cosine":    {rule.Cosine, []string{"-1", "0.5", "1"}, []string{"", "NaN", "1.1", "-2"}},
		"nothing":   {rule.NoDatabase, nil, []string{"", "postgres://x"}},
		"groups":    {rule.GroupPairs, []string{"", "a=b", "cn=x,dc=y=rd; b=rd"}, []string{"a", "=b", "a=not an id"}},
		"roles":     {rule.RolePairs, []string{"", "a=auditor; a=member"}, []string{"a", "=member", "a=boss", "a=tenant_admin"}},
	} {
		for _, v := range c.good {
			if err := c.rule(v); err != nil {
				t.Errorf("%s: %q is refused: %v", name, v, err)
			}
		}
		for _, v := range c.bad {
			if err := c.rule(v); err == nil {
				t.Errorf("%s: %q is taken", name, v)
			}
		}
	}
}

func TestListsAndPairsAreTakenApart(t *testing.T) {
	if d := cmp.Diff([]string{"a:1", "b"}, rule.Parts(" a:1,, b ,", ",")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][2]string{{"cn=x", "rd"}, {"", "lone"}}, rule.Pairs("cn=x = rd; lone;")); d != "" {
		t.Error(d)
	}
}
