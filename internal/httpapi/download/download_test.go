package download

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
)

func TestOriginalIsAFileWithAPlainName(t *testing.T) {
	for key, want := range map[corpus.Key]string{
		"a.txt": "attachment; filename=a.txt", "dir/sub/a b.txt": `attachment; filename="a b.txt"`, `c:\\x\\a.txt`: "attachment; filename=a.txt",
		"dir/": "attachment; filename=original", "a\"\n.txt": "attachment; filename=a__.txt", "报告.pdf": "attachment; filename*=utf-8''%E6%8A%A5%E5%91%8A.pdf",
	} {
		h := http.Header{}
		Describe(h, corpus.Document{Key: key, MediaType: "text/plain; charset=gbk", Checksum: "aa", Size: 7})
		if d := cmp.Diff(http.Header{"Content-Type": {"text/plain; charset=gbk"}, "Content-Disposition": {want}, "Etag": {`"aa"`}, "Content-Length": {"7"}}, h); d != "" {
			t.Errorf("%q: %s", key, d)
		}
	}
}

func TestTypeThatIsNoneIsBytes(t *testing.T) {
	for _, stored := range []string{"", "nonsense; ;", "/"} {
		h := http.Header{}
		Describe(h, corpus.Document{Key: "a", MediaType: stored})
		if got := h.Get("Content-Type"); got != "application/octet-stream" || h.Get("Content-Length") != "" {
			t.Errorf("%q is sent as %q", stored, got)
		}
	}
}
