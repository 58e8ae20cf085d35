// Package pdf turns PDF documents into normalised text with the place of every line on its page.
//
// PDFium reads the file, compiled to WebAssembly and run in its own memory, which is bounded: a
// file that breaks it ends that run and nothing else. Of what PDFium gives, glyphs with their boxes
// and styles, this package makes words, lines, columns, paragraphs, headings and tables.
package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memoryPages bounds the memory of one running document, in units of 64 KiB: 320 MiB.
const memoryPages = 5120

// Engine runs PDFium. Its first use compiles it, which takes seconds; with a folder to keep the
// result in, later processes take a fraction of one. The zero value is ready; it must not be copied.
type Engine struct {
	// Dir is where compiled code is kept. Whoever can write there can run code in this process, so
	// it must belong to this user alone. Empty means "kaoju/pdfium" in the user's folder for caches,
	// or nowhere if the user has none.
	Dir string

	mu    sync.Mutex
	pool  pdfium.Pool
	cache wazero.CompilationCache
}

// Warm compiles PDFium if that is still to be done, so that the first document need not wait.
func (e *Engine) Warm() error {
	_, err := e.running()
	return err
}

// Close ends the engine. Documents that are still being read fail.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool == nil {
		return nil
	}
	err := e.pool.Close()
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	e.pool, e.cache = nil, nil
	return err
}

func (e *Engine) running() (pdfium.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool != nil {
		return e.pool, nil
	}
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(memoryPages)
	if dir := e.dir(); dir != "" {
		// A folder that can't be used costs the time to compile, and nothing else.
		if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
			e.cache = cache
			config = config.WithCompilationCache(cache)
		}
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal: runtime.GOMAXPROCS(0), MaxIdle: 0,
		// Nothing of the disk is mounted: the default would be all of it.
		FSConfig: wazero.NewFSConfig(), RuntimeConfig: config, Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	e.pool = pool
	return pool, nil
}

func (e *Engine) dir() string {
	if e.Dir != "" {
		return e.Dir
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(base, "kaoju", "pdfium")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}
