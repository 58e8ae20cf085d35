package lock

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

func TestAHoldAloneKeepsEverybodyElseOut(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "a.lock")
	alone, err := Exclusive(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Exclusive(ctx, path); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("a second hold alone: %v", err)
	}
	if _, err := Shared(ctx, path, 1); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("a shared hold beside it: %v", err)
	}
	alone.Release()
	again, err := Exclusive(ctx, path)
	if err != nil {
		t.Fatalf("after its release: %v", err)
	}
	again.Release()
}

func TestSharersKeepOutWhoWantsToBeAlone(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "a.lock")
	var holds []*Hold
	for range 3 {
		h, err := Shared(ctx, path, 1000)
		if err != nil {
			t.Fatal(err)
		}
		holds = append(holds, h)
	}
	for i, h := range holds {
		if _, err := Exclusive(ctx, path); err == nil {
			t.Fatalf("alone beside %d sharers", len(holds)-i)
		}
		h.Release()
	}
	alone, err := Exclusive(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	alone.Release()
}

func TestAFileThatCannotBeOpenedIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "a.lock")
	if _, err := Exclusive(context.Background(), path); err == nil {
		t.Error("a hold of a file in no folder")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Shared(gone, filepath.Join(t.TempDir(), "a.lock"), 1); err == nil {
		t.Error("a hold in a context that has ended")
	}
}
