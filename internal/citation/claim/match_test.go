package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestOnlyWhatComesNearlyAsNearIsLookedAt(t *testing.T) {
	list := []reading.Statement{{Text: "a"}, {Text: "b"}, {Text: "c"}, {Text: "d"}}
	near := []nearby{{&list[0], 0.55}, {&list[1], 0.80}, {&list[2], 0.70}, {&list[3], 0.60}}
	b := best{single: 0.80, statement: &list[1], near: near}
	b.rank()
	if len(b.near) != 1 || b.near[0].Text != "c" {
		t.Errorf("%+v", b.near)
	}
	b = best{single: 0.95, statement: &list[1], near: []nearby{{&list[0], 0.90}, {&list[1], 0.95}}}
	if b.rank(); len(b.near) != 0 {
		t.Errorf("the best sentence says all, and others are looked at: %+v", b.near)
	}
	var many []nearby
	for range 20 {
		many = append(many, nearby{&list[2], 0.75})
	}
	b = best{single: 0.80, statement: &list[1], near: many}
	if b.rank(); len(b.near) != mostNear {
		t.Errorf("%d are looked at, want %d", len(b.near), mostNear)
	}
}
