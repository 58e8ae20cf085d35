package wiring

import (
	"log/slog"
	"os"
	"runtime"

	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
)

// readerOf makes what reads files, in processes of this same program: one more than there are workers,
// since originals that somebody opens again are read by them too.
//
// What they need for a while lies in the spool of the data folder, where it is swept after a crash.
func readerOf(conf *setting.Config, spool string, log *slog.Logger) *reading.Reader {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = ""
	}
	return reading.Open(reading.Settings{
		Program:  thisProgram,
		Children: conf.Number("workers") + 1,
		Memory:   int64(conf.Number("file_memory")),
		CPU:      conf.Duration("file_time"),
		Temp:     spool,
		Cache:    cache,
		OCR:      conf.Get("ocr_program"), Languages: conf.Get("ocr_languages"),
		Log: log,
	})
}

// thisProgram returns how this program is started again: the very one that runs, even if there is
// another one under its name by now.
func thisProgram() ([]string, error) {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return []string{"/proc/self/exe"}, nil
		}
	}
	path, err := os.Executable()
	return []string{path}, err
}
