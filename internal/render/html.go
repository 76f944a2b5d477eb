package render

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/failproof/failproof/internal/report"
)

//go:embed page
var pageFiles embed.FS

// pageTemplate, style and script are the parts of the page. They are part of the program and are never changed.
var (
	pageTemplate = template.Must(template.New("page.gohtml").ParseFS(pageFiles, "page/*.gohtml"))
	style        = mustRead("page/style.css")
	script       = mustRead("page/script.js")
)

func mustRead(name string) string {
	text, err := pageFiles.ReadFile(name)
	if err != nil {
		panic("render: " + err.Error()) // it is embedded
	}
	return string(text)
}

// HTML writes the report as one page for a browser. The page needs nothing but itself: no network, and no script but one of
// its own, without which nothing is lost but the search. The whole answers of the cases that it shows come from answers; where
// these are absent it shows the excerpts of the report. An error is the writer's, or that of answers.
func HTML(w io.Writer, r *report.Report, l Links, answers Answers) error {
	v := newView(r, l)
	listed := v.listed()
	whole, err := answers.of(listed)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	lines := &lineWriter{w: out, change: harmless}
	if err := errors.Join(pageTemplate.Execute(lines, newHTMLPage(v, listed, whole)), lines.flush(), out.Flush()); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// securityPolicy lets the page use its own style and script and nothing else: it can load nothing and send nothing. The icon
// of the tab is the only picture.
func securityPolicy() string {
	return "default-src 'none'; img-src data:; style-src '" + digest(style) + "'; script-src '" + digest(script) +
		"'; base-uri 'none'; form-action 'none'"
}

// digest names a text as a content security policy does (CSP level 3, section 2.3.1).
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
