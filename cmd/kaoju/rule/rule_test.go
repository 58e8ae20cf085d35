package rule_test

import (
	"strings"
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

func TestTokensBelongToTheirHosts(t *testing.T) {
	token := rule.Tokens("github.com=abc, Git.Example:8443=robot:d:e,[2001:db8::1]=f")
	for host, want := range map[string]string{
		"github.com:443": "x-access-token abc", "git.example:8443": "robot d:e", "[2001:db8::1]:443": "x-access-token f", "github.com:80": " ", "git.example:443": " ", "other:443": " ",
	} {
		if user, secret := token(host); user+" "+secret != want {
			t.Errorf("%s gets %s %s", host, user, secret)
		}
	}
	for list, ok := range map[string]bool{"a=b": true, "a:1=b,c=d": true, "sesame": false, "=sesame": false, "a=": false, "https://a=sesame": false} {
		if err := rule.HostTokens(list); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: error %v", list, err)
		}
	}
	for list, ok := range map[string]bool{"a:1": true, "a:1, [::1]:443": true, "a": false, ":1": false, "a:b": false, "a:0": false} {
		if err := rule.Hosts(list); (err == nil) != ok {
			t.Errorf("%s: error %v", list, err)
		}
	}
}
