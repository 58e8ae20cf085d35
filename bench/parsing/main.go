// Command parsing measures how fast files are read, format by format, and PDF documents beside pdftotext, and writes the
// page of the results. It reads as the product does: in a child process that is warm.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == reading.Command {
		if err := child(os.Args[2:]); err != nil {
			log.Fatal(err)
		}
		return
	}
	data := flag.String("data", "../../shared", "folder of the shared test material")
	rounds := flag.Int("rounds", 3, "how often each is measured; the least counts")
	page := flag.String("page", "", "file to write the page into; empty: the standard output")
	flag.Parse()
	if err := run(*data, *rounds, *page); err != nil {
		log.Fatal(err)
	}
}

// child is the process that reads files, with the flags that its parent gives it.
func child(args []string) error {
	c := reading.Child{Leave: os.Exit}
	set := flag.NewFlagSet(reading.Command, flag.ContinueOnError)
	set.Int64Var(&c.Memory, "memory", worker.DefaultMemory, "")
	set.DurationVar(&c.CPU, "cpu", worker.DefaultCPU, "")
	set.StringVar(&c.Folder, reading.FolderFlag, "", "")
	set.BoolVar(&c.Compile, reading.CompileFlag, false, "")
	if err := set.Parse(args); err != nil {
		return err
	}
	return c.Serve(context.Background(), os.Stdin, os.Stdout)
}

func run(data string, rounds int, page string) error {
	temp, err := os.MkdirTemp("", "kaoju-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	began := load()
	formats, err := measureFormats(filepath.Join(data, "data", "docs"), rounds)
	if err != nil {
		return err
	}
	long, err := longDocuments(filepath.Join(data, "data", "docs", "pdf"), temp)
	if err != nil {
		return err
	}
	documents, err := measureDocuments(long, rounds)
	if err != nil {
		return err
	}
	text := report(formats, documents, conditions{loads: [2]float64{began, load()}, poppler: popplerVersion(), rounds: rounds})
	if page == "" {
		_, err = fmt.Print(text)
		return err
	}
	return os.WriteFile(page, []byte(text), 0o644)
}
