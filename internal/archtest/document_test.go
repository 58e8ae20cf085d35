package archtest

import (
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// quoted is a piece of a command that each language words for itself.
var quoted = regexp.MustCompile(`"[^"$]*"`)

// settings reads the name, variable and default of every setting out of the command's table.
func settings(t *testing.T, tree *Tree) [][3]string {
	t.Helper()
	var out [][3]string
	for _, pkg := range tree.Packages {
		if pkg.Dir != "cmd/kaoju/setting" {
			continue
		}
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Names) != 1 || spec.Names[0].Name != "Table" || len(spec.Values) != 1 {
					return true
				}
				for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
					out = append(out, setting(e.(*ast.CompositeLit)))
				}
				return false
			})
		}
	}
	return out
}

func setting(lit *ast.CompositeLit) [3]string {
	var s [3]string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		text, ok := kv.Value.(*ast.BasicLit)
		if !ok {
			continue
		}
		value, _ := strconv.Unquote(text.Value)
		switch fmt.Sprint(kv.Key) {
		case "Name":
			s[0] = value
		case "Env":
			s[1] = value
		case "Fallback":
			s[2] = value
		}
	}
	return s
}

// TestEverySettingStandsInTheOperationsManual compares the table of settings in the source with
// the one in the manual, in both directions.
func TestEverySettingStandsInTheOperationsManual(t *testing.T) {
	manual, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	all := settings(t, loadModule(t))
	if len(all) < 10 {
		t.Fatalf("only %d settings were found in the source", len(all))
	}
	for _, s := range all {
		row := fmt.Sprintf("| `%s` | `%s` | ", s[0], s[1])
		if s[2] != "" {
			row += "`" + s[2] + "` "
		}
		if !strings.Contains(string(manual), "\n"+row+"|") {
			t.Errorf("docs/operations.md has no row that begins with %q", row+"|")
		}
	}
	if rows := strings.Count(string(manual), "` | `KAOJU_"); rows != len(all) {
		t.Errorf("docs/operations.md lists %d settings, the source %d", rows, len(all))
	}
}

// TestReadmesSayTheSame compares what the two languages must share word for word: commands,
// tables' sizes and links.
func TestReadmesSayTheSame(t *testing.T) {
	shape := func(name string) string {
		text, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		code := false
		for _, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				code = !code
				out = append(out, line)
			case code:
				command, _, _ := strings.Cut(line, " #")
				out = append(out, strings.TrimRight(quoted.ReplaceAllString(command, `"…"`), " "))
			case strings.HasPrefix(line, "#"):
				out = append(out, strings.SplitN(line, " ", 2)[0])
			case strings.HasPrefix(line, "|"):
				out = append(out, "row")
			case strings.HasPrefix(line, "- "):
				out = append(out, "item")
			}
		}
		return strings.Join(out, "\n")
	}
	english, chinese := shape("README.md"), shape("README.zh.md")
	if english != chinese {
		t.Errorf("the two READMEs differ in headings, commands or rows:\n%s", firstDifference(english, chinese))
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d of the outline: %q and %q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines in the outline", len(x), len(y))
}
