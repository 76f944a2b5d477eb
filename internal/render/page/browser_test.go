//go:build browser

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// opened is a page to open, with its width and colour scheme.
type opened struct {
	File    string `json:"file"`
	Width   int    `json:"width"`
	Scheme  string `json:"scheme"`
	Picture string `json:"picture,omitempty"`
	Search  bool   `json:"search"` // and filter
	cases   int    // at least; 0 for a state of the gate without a table
	regress int
	named   int // regressions that are critical
	differ  int // cases whose answers differ
}

// observed is the output of testdata/browser/check.js.
type observed struct {
	Milliseconds       int      `json:"milliseconds"`
	Said               []string `json:"said"`
	Asked              []string `json:"asked"`
	Wide               string   `json:"wide"`
	Rows               int      `json:"rows"`
	SearchMilliseconds int      `json:"searchMilliseconds"`
	Found              int      `json:"found"`
	First              string   `json:"first"` // the search in the page's address
	Named              int      `json:"named"` // cases that s:broken sev:crit tag:team finds
	Different          int      `json:"different"`
	Regressed          int      `json:"regressed"`
	Followed           bool     `json:"followed"`
	Address            string   `json:"address"`  // after a filter
	Recalled           string   `json:"recalled"` // the filter, when the page is opened at that address
	Stepped            bool     `json:"stepped"`  // j, j and k lead to the first case, which is open and can be copied
	Printed            bool     `json:"printed"`
	Folded             int      `json:"folded"` // cases that stay folded on paper
	Looked             string   `json:"looked"` // text of the checklist after a tick and a reload; "" without a list
	Violations         []string `json:"violations"`
	Plain              bool     `json:"plain"`
}

// TestThePageInABrowser opens pages of several sizes and states in Chromium, and checks their console, network, width,
// search, printing and axe-core's findings. It logs times, but fails only if a page hangs, because the machine may be
// busy. FAILPROOF_BROWSER_MODULES is the folder in which `npm ci` was run on testdata/browser, FAILPROOF_CHROMIUM the
// browser (default: Debian's), and FAILPROOF_PICTURES a folder for screenshots.
func TestThePageInABrowser(t *testing.T) {
	pages := openedPages(t)
	for i, got := range openInBrowser(t, pages) {
		want := pages[i]
		t.Run(fmt.Sprintf("%s at %d, %s", filepath.Base(want.File), want.Width, want.Scheme), func(t *testing.T) {
			info, err := os.Stat(want.File)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.1f MB, open after %d ms; a search took %d ms", float64(info.Size())/1e6, got.Milliseconds, got.SearchMilliseconds)
			judge(t, want, got)
		})
	}
}

func openedPages(t *testing.T) (out []opened) {
	dir := t.TempDir()
	add := func(name string, r *report.Report, a report.ResultFinders, search bool) {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, []byte(writePage(t, r, rendertest.Links(), a)), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, look := range []opened{{Width: 900, Scheme: "light"}, {Width: 380, Scheme: "dark"}} {
			look.File, look.Search, look.regress = file, search, r.Counts[report.Regressed]
			if r.Verdict != report.Invalid {
				look.cases = len(r.Changes)
			}
			look.named = show.CountFunc(r.Changes, func(c report.Change) bool {
				return c.Kind == report.KindRegressed && c.Severity == risk.Critical
			})
			look.differ = show.CountFunc(r.Changes, func(c report.Change) bool {
				return c.Base != nil && c.Head != nil && (c.Reworded || c.Base.Excerpt != c.Head.Excerpt)
			})
			if pictures := os.Getenv("FAILPROOF_PICTURES"); pictures != "" {
				look.Picture = filepath.Join(pictures, fmt.Sprintf("%s-%d-%s.png", name, look.Width, look.Scheme))
			}
			out = append(out, look)
		}
	}
	for _, n := range []int{20, 500, 10_000} {
		r, a := sampleRun(n)
		add(fmt.Sprint(n), r, a, true)
	}
	for _, s := range rendertest.States {
		switch s.Name {
		case "failed", "invalid", "undecided", "kept-by-hand", "passed", "nothing-in-scope", "hostile", "first-run", "announced", "alike":
			add(s.Name, s.Run(), report.ResultFinders{}, false)
		}
	}
	return out
}

func openInBrowser(t *testing.T, pages []opened) (results []observed) {
	if os.Getenv("FAILPROOF_BROWSER_MODULES") == "" {
		t.Fatal("FAILPROOF_BROWSER_MODULES is not set; expected a folder in which `npm ci` was run on internal/render/page/testdata/browser")
	}
	input, err := json.Marshal(pages)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "testdata/browser/check.js")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if err := json.Unmarshal(output, &results); err != nil || len(results) != len(pages) {
		t.Fatalf("%d pages were opened, and %d came back: %v", len(pages), len(results), err)
	}
	return results
}

// hangs is the time in milliseconds after which a page counts as hanging.
const hangs = 20_000

func judge(t *testing.T, want opened, got observed) {
	if got.Milliseconds >= hangs || got.SearchMilliseconds >= hangs {
		t.Errorf("open after %d ms, searched after %d ms: it hangs", got.Milliseconds, got.SearchMilliseconds)
	}
	if len(got.Said)+len(got.Asked) > 0 || got.Wide != "" {
		t.Errorf("the console says %q, the page asks for %q and scrolls sideways for %q; want nothing of it", got.Said, got.Asked, got.Wide)
	}
	for _, v := range got.Violations {
		if strings.HasPrefix(v, "serious") || strings.HasPrefix(v, "critical") {
			t.Errorf("axe-core finds %s", v)
		}
	}
	if !got.Printed || !got.Plain {
		t.Errorf("printed: %v, without a script: %v; want the verdict on both", got.Printed, got.Plain)
	}
	if got.Folded > 0 {
		t.Errorf("%d cases stay folded on paper, want none", got.Folded)
	}
	if wanted := map[bool]string{true: "1 of 2 looked at"}[strings.HasPrefix(filepath.Base(want.File), "kept-by-hand")]; wanted != "" && got.Looked != wanted {
		t.Errorf("the list to work off says %q, want %q", got.Looked, wanted)
	}
	if got.Rows != want.cases {
		t.Errorf("the table has %d rows, want %d", got.Rows, want.cases)
	}
	if want.Search && (got.Found != 1 || got.Regressed != want.regress || !got.Followed) {
		t.Errorf("a search finds %d, the filter %d regressions (want 1 and %d), a link leads into the table: %v",
			got.Found, got.Regressed, want.regress, got.Followed)
	}
	if want.Search && (got.First == "" || got.Named != want.named || got.Different != want.differ) {
		t.Errorf("the first search is %q in the address; named words find %d (want %d), and %d answers differ (want %d)",
			got.First, got.Named, want.named, got.Different, want.differ)
	}
	if want.Search && (got.Address != "#cases?kind=regressed" || got.Recalled != "regressed" || !got.Stepped) {
		t.Errorf("the address of a filter is %q, and opens with %q; keys lead from case to case: %v", got.Address, got.Recalled, got.Stepped)
	}
}
