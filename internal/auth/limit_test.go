package auth_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestABurstIsAllowedAndThenOneAtATime(t *testing.T) {
	l := auth.NewLimiter(auth.Rate{Burst: 3, Every: 10 * time.Second})
	at := now
	for i := range 3 {
		if err := l.Take("a", at); err != nil {
			t.Fatalf("request %d: %v", i+1, err)
		}
	}
	err := l.Take("a", at.Add(time.Second))
	var limited *auth.Limited
	if !errors.As(err, &limited) || limited.After != 9*time.Second || limited.Seconds() != 9 || !problem.Is(err, problem.Exhausted) || problem.CodeOf(err) != "rate_limited" {
		t.Fatalf("%v %+v", err, limited)
	}
	if err := l.Take("b", at); err != nil {
		t.Fatalf("another key: %v", err)
	}
	at = at.Add(10 * time.Second)
	if err := l.Take("a", at); err != nil {
		t.Fatalf("after the wait: %v", err)
	}
	if l.Take("a", at) == nil {
		t.Fatal("two at once after a wait for one")
	}
	l.Give("a", at)
	if err := l.Take("a", at); err != nil {
		t.Fatalf("after one was given back: %v", err)
	}
}

func TestNoRateLimitsNothing(t *testing.T) {
	for _, r := range []auth.Rate{{}, {Burst: 1}, {Every: time.Second}, {Burst: -1, Every: time.Second}} {
		l := auth.NewLimiter(r)
		for range 10_000 {
			if err := l.Take("a", now); err != nil {
				t.Fatalf("%+v: %v", r, err)
			}
		}
		l.Give("a", now)
	}
}

// bucket is the textbook form of the same promise: tokens that drip in.
type bucket struct {
	tokens float64
	last   time.Time
}

func TestALimiterIsATokenBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		burst, every := rapid.IntRange(1, 5).Draw(t, "burst"), time.Duration(rapid.IntRange(1, 10).Draw(t, "seconds"))*time.Second
		l := auth.NewLimiter(auth.Rate{Burst: burst, Every: every})
		model := map[string]*bucket{}
		at := now
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			at = at.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, "pause")) * time.Second)
			key := rapid.SampledFrom([]string{"a", "b", "a\x00b"}).Draw(t, "key")
			b, known := model[key]
			if !known {
				b = &bucket{float64(burst), at}
				model[key] = b
			}
			b.tokens = min(float64(burst), b.tokens+at.Sub(b.last).Seconds()/every.Seconds())
			b.last = at
			want := b.tokens > 1-1e-6
			if want {
				b.tokens--
			}
			if err := l.Take(key, at); (err == nil) != want {
				t.Fatalf("%q at %v: %v, but the bucket holds %.3f", key, at.Sub(now), err, b.tokens)
			}
		}
	})
}

func TestAClockSetBackShutsNobodyOutForLong(t *testing.T) {
	l := auth.NewLimiter(auth.Rate{Burst: 2, Every: time.Minute})
	for range 2 {
		if err := l.Take("a", now.Add(24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if l.Take("a", now) == nil {
		t.Fatal("the clock was set back and the limit forgotten")
	}
	if err := l.Take("a", now.Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
}

func TestALimiterRemembersABoundedNumberOfKeys(t *testing.T) {
	l := auth.NewLimiter(auth.Rate{Burst: 1, Every: time.Hour})
	l.Bound(64)
	for i := range 32 {
		ok(t, l.Take(fmt.Sprint("old", i), now))
	}
	later := now.Add(2 * time.Hour)
	for i := range 32 {
		ok(t, l.Take(fmt.Sprint("new", i), later))
	}
	ok(t, l.Take("one more", later))
	if l.Keys() != 33 {
		t.Errorf("%d keys: those with their whole burst were not forgotten first", l.Keys())
	}
	for i := range 1000 {
		ok(t, l.Take(fmt.Sprint("flood", i), later))
		if l.Keys() > 64 {
			t.Fatalf("%d keys", l.Keys())
		}
	}
}

func TestAnAddressIsCountedAsItsNetwork(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1", "192.0.2.1": "192.0.2.1", "[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "2001:db8:1:2:ffff::1": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.1]:80": "192.0.2.1", "[fe80::1%eth0]:80": "fe80::/64", "": "unknown", "@": "unknown", "pipe": "unknown",
	} {
		if got := auth.Network(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestGuessingIsSlowedByAccountAndByAddress(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita", "ada")
	g := h.gate(func(d *auth.GateDeps) {
		d.PerAccount, d.PerAddress = auth.Rate{Burst: 2, Every: time.Minute}, auth.Rate{Burst: 4, Every: time.Minute}
	})
	try := func(user, address, password string) error {
		_, _, err := g.SignIn(t.Context(), auth.Entry{User: access.UserID(user), Password: password, Address: address})
		return err
	}
	for i := range 2 {
		if err := try("rita", fmt.Sprintf("192.0.2.%d:1", i), "wrong password"); !problem.Is(err, problem.Denied) {
			t.Fatal(err)
		}
	}
	// The account is shut, known or not, from everywhere, and the right password changes nothing.
	for _, user := range []string{"rita", "nobody"} {
		for i := range 2 {
			_ = try(user, fmt.Sprintf("198.51.100.%d:1", i), "wrong password")
		}
		if err := try(user, "203.0.113.9:1", good); !problem.Is(err, problem.Exhausted) {
			t.Errorf("%s: %v", user, err)
		}
	}
	ok(t, try("ada", "203.0.113.1:1", good))
	// One address, many accounts.
	var last error
	for i := range 5 {
		last = try(fmt.Sprint("user", i), "203.0.113.50:1", "wrong password")
	}
	var limited *auth.Limited
	if !errors.As(last, &limited) || limited.Seconds() != 60 {
		t.Errorf("%v", last)
	}
	before := g.Work()
	if err := try("ada", "203.0.113.50:2", good); !problem.Is(err, problem.Exhausted) || g.Work() != before {
		t.Errorf("%v; the refusal cost a hash", err)
	}
	h.clock = h.clock.Add(time.Minute)
	ok(t, try("ada", "203.0.113.50:2", good))
}

// Who knows the password is never slowed, however often.
func TestOnlyFailuresCount(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate(func(d *auth.GateDeps) {
		d.PerAccount, d.PerAddress = auth.Rate{Burst: 1, Every: time.Hour}, auth.Rate{Burst: 1, Every: time.Hour}
	})
	for range 5 {
		_, _, err := g.SignIn(t.Context(), entry("rita", good))
		ok(t, err)
	}
	if _, _, err := g.ChangePassword(t.Context(), ritas, auth.Change{Current: "wrong password", New: "another password"}); problem.CodeOf(err) != "wrong_password" {
		t.Fatal(err)
	}
	if _, _, err := g.ChangePassword(t.Context(), ritas, auth.Change{Current: good, New: "another password"}); !problem.Is(err, problem.Exhausted) {
		t.Errorf("guessing goes on at the change of the password: %v", err)
	}
}
