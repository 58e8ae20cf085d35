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
	"runtime"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/kaoju/kaoju/internal/parse/ocr"
)

// memoryPages bounds the memory of one running document, in units of 64 KiB: 320 MiB.
const memoryPages = 5120

// Engine runs PDFium. Its first use compiles it, which takes seconds; with a folder to keep the
// result in, later processes take a fraction of one. The zero value is ready; it must not be copied.
type Engine struct {
	// Dir is where compiled code is kept; empty means nowhere. Whoever can write there can run code in
	// this process, so it must belong to this user alone. It need not be writable for this process.
	Dir string
	// OCR reads pages that are pictures; nil for nothing that does.
	OCR *ocr.Engine

	mu  sync.Mutex
	now *running
}

// running is PDFium as it was compiled, and the sweep beside it.
type running struct {
	pool    pdfium.Pool
	runtime wazero.Runtime
	sweep   wazero.CompiledModule
	cache   wazero.CompilationCache // nil for none
}

func (r *running) close() error {
	err := r.pool.Close()
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(context.Background()))
	}
	return err
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
	if e.now == nil {
		return nil
	}
	err := e.now.close()
	e.now = nil
	return err
}

func (e *Engine) running() (*running, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.now != nil {
		return e.now, nil
	}
	if e.Dir != "" {
		// A folder that can't be used costs the time to compile, and nothing else.
		if cache, err := wazero.NewCompilationCacheWithDir(e.Dir); err == nil {
			if e.now, err = start(cache); err == nil {
				return e.now, nil
			}
			_ = cache.Close(context.Background()) // Nothing of it is in use.
		}
	}
	var err error
	e.now, err = start(nil)
	return e.now, err
}

// start compiles PDFium, or takes it from a cache; nil means that there is none.
func start(cache wazero.CompilationCache) (*running, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(memoryPages)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	cores := runtime.GOMAXPROCS(0)
	pool, err := webassembly.Init(webassembly.Config{
		Context:  experimental.WithCompilationWorkers(context.Background(), cores),
		MaxTotal: cores, MaxIdle: 0,
		// Nothing of the disk is mounted: the default would be all of it.
		FSConfig: wazero.NewFSConfig(), RuntimeConfig: config, Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	r := &running{pool: pool, cache: cache}
	if r.runtime, err = runtimeOf(pool); err == nil {
		r.sweep, err = r.runtime.CompileModule(context.Background(), sweepCode())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the sweep: %w", err), pool.Close())
	}
	return r, nil
}
