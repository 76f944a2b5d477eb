// Package page prints a story as one page for a browser. The page loads no other file. The package decides nothing. It
// only writes to the given writer and calls the given functions that find answers.
package page

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// The parts of the page, which are embedded and never changed.
var (
	//go:embed template/*.gohtml
	templates embed.FS
	//go:embed template/style.css
	style string
	//go:embed template/script.js
	script       string
	pageTemplate = template.Must(template.New("page.gohtml").Funcs(functions).ParseFS(templates, "template/*.gohtml"))
)

// Write writes the report as one page for a browser, which needs no network, and its script only for the search. It
// shows the full answers that answers finds, or else the report's excerpts. The error is of w or of reading an answer.
func Write(w io.Writer, s *story.Story, answers report.ResultFinders) error {
	p := newPrinter(s, answers)
	page := newHTMLPage(p)
	if p.err != nil {
		return p.err
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, page); err != nil || p.err != nil {
		return cmp.Or(p.err, err)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	for line := range bytes.Lines(text.Bytes()) {
		_, _ = out.Write(escapeCommands(line)) // Flush returns the error
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// securityPolicy returns a policy that allows the page only its own style and script, and pictures that are part of the
// page, such as the icon of the tab. With this policy, the page can load nothing and send nothing.
func securityPolicy() string {
	return "default-src 'none'; img-src data:; style-src '" + digest(style) + "'; script-src '" + digest(script) +
		"'; base-uri 'none'; form-action 'none'"
}

// digest returns the SHA-256 of a text in the form of a content security policy (CSP level 3, section 2.3.1).
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// escapeCommands returns a line of HTML without workflow commands. It replaces the character that begins a command by a
// character reference, which browsers show as the same text. That character is the bracket of `##[`, and the first
// colon of `::` at the beginning of the line. Our style and script contain no such text.
func escapeCommands(line []byte) []byte {
	line = show.EscapeBrackets(line, "&#x%X;")
	text := bytes.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || show.IsIgnorable(r) })
	colon, size := utf8.DecodeRune(text)
	second, _ := utf8.DecodeRune(bytes.TrimLeftFunc(text[size:], show.IsIgnorable))
	if !show.IsColon(colon) || (colon != '∷' && colon != '⩴' && !show.IsColon(second)) {
		return line
	}
	return slices.Concat(line[:len(line)-len(text)], fmt.Appendf(nil, "&#x%X;", colon), text[size:])
}

// printer makes the sections of the page that list cases.
type printer struct {
	story      *story.Story
	finders    report.ResultFinders
	err        error // the first error of answers, after which none is read
	shownCases []shownCase
	cards      map[int]bool    // which changes, by index, have a card
	anchors    map[string]bool // anchors in use; a hand-written report may have a case twice
	bySuite    []suiteCases    // worst suite first
	counts     map[report.Kind]int

	passingReads, passingBytes int // answers of passing cases that were read, and bytes of them that are shown
}

func newPrinter(s *story.Story, answers report.ResultFinders) *printer {
	p := &printer{story: s, finders: answers, shownCases: shownCases(s), cards: map[int]bool{},
		anchors: map[string]bool{}, counts: map[report.Kind]int{}}
	at := map[string]int{}
	suite := func(id string) *suiteCases {
		if _, known := at[id]; !known {
			at[id], p.bySuite = len(p.bySuite), append(p.bySuite, suiteCases{id: id})
		}
		return &p.bySuite[at[id]]
	}
	for _, s := range s.Suites {
		suite(s.SuiteID)
	}
	for i, c := range s.Report.Changes {
		p.counts[c.Kind]++
		s := suite(c.SuiteID)
		s.cases = append(s.cases, i)
	}
	p.bySuite = slices.DeleteFunc(p.bySuite, func(s suiteCases) bool { return len(s.cases) == 0 })
	return p
}

// kinds returns the kinds that some case has.
func (p *printer) kinds() []report.Kind {
	return show.Filter(report.Kinds[:], func(k report.Kind) bool { return p.counts[k] > 0 })
}

type suiteCases struct {
	id    string
	cases []int
}

// htmlPage is the data of the template. Its texts are shortened and their invisible characters made visible, here or by
// the template's functions. The template escapes them.
type htmlPage struct {
	Story         *story.Story
	Policy        string
	Style, Script template.HTML // elements of ours
	Identity      identity
	Figures       []figure
	Prompts       []promptBlock
	Groups        []caseGroup
	Map           *caseMap
	Words         *wordLayout
	Table         *allCases
	Facts         []story.RunFact
}

// newHTMLPage sorts a story into the sections of the page.
func newHTMLPage(s *printer) *htmlPage {
	v := s.story
	p := &htmlPage{
		Story: v, Policy: securityPolicy(), Identity: newIdentity(v), Facts: facts(v),
		Style:  template.HTML("<style>" + style + "</style>"),    //nolint:gosec // ours
		Script: template.HTML("<script>" + script + "</script>"), //nolint:gosec // ours
	}
	if v.Scores.Table == nil { // nothing was judged
		return p
	}
	p.Figures = figures(v)
	p.Prompts, p.Groups = promptBlocks(v), s.groups()
	p.Map, p.Words = s.caseMap(), newWordLayout(v)
	p.Table = s.allCases()
	return p
}

// Limits of the page's lists, in lines.
const (
	maxShownCases  = 600 // with their answers
	openCases      = 5   // unfolded
	demandRows     = 20  // of a case
	maxPromptNames = 5   // suites of a prompt, or cases that alone get it
	promptsOpen    = 1   // prompts that are unfolded if no more of them changed
)

// identity names what was judged.
type identity struct {
	Request, Repo place // the pull request and its repository
	Run           place // of the workflow
}

func newIdentity(v *story.Story) identity {
	id := identity{Run: place{"Workflow run", v.Links.Run()}}
	if repo := v.Links.Repository(); repo != "" {
		id.Repo = place{v.Links.Repo, repo}
		if v.Links.Number > 0 {
			id.Request = place{fmt.Sprintf("Pull request #%d", v.Links.Number), fmt.Sprintf("%s/pull/%d", repo, v.Links.Number)}
		}
	}
	return id
}

// functions are the template's functions. Those for foreign texts shorten them and make invisible characters visible.
var functions = template.FuncMap{
	"next":    func(i int) int { return i + 1 },
	"grouped": show.WithCommas, "count": show.Count, "figure": score.FormatScore, "share": show.Percent,
	"lead":  excerpt,
	"label": kindLabel, "sign": sign, "placeAt": headPlace, "cells": newTableRow, "key": keyOf, "agreement": agreement,
	"brief": func(p show.Phrase) []show.Span { return p.Spans(show.NameRunes) },
	"full":  func(p show.Phrase) []show.Span { return p.Spans(show.QuoteRunes) },
	"long":  func(p show.Phrase) []show.Span { return p.Spans(show.SentenceRunes) },
	"cut":   func(rows []story.Row) []story.Row { return rows[:min(len(rows), partRows)] },
	"left":  func(rows []story.Row) int { return max(0, len(rows)-partRows) },
}

// partRows is the largest number of rows in a table, apart from lists of cases.
const partRows = 1_000

// name returns a visible name, or "unnamed" for an empty one, because a link without text could not be read aloud.
func name(text string) string { return cmp.Or(show.ShortName(text, show.NameRunes), "unnamed") }

func suiteName(id string) string { return name(show.Suite(id)) }

func shortName(text string) string { return show.ShortName(text, show.NameRunes) }
func excerpt(text string) string   { return show.Excerpt(text, show.NameRunes) }

// agreement returns how much clusters agree with a label, from 0 (no more than by chance) to 1, and the p-value.
func agreement(a *observe.Association) string {
	if a == nil {
		return show.Absent
	}
	return show.Decimals(&a.Adjusted) + " (p " + show.Decimals(&a.PValue) + ")"
}

// place is a line of a file, or another place with a name. URL is "" if the place cannot be linked.
type place struct{ Name, URL string }

func placeOf(v *story.Story, sha, path string, line, column int) place {
	if path == "" {
		return place{}
	}
	return place{cmp.Or(show.PlaceName(v.Links.Path(path), line, column), "unnamed"), v.Links.File(sha, path, line)}
}

// headPlace returns a place in a file of the head.
func headPlace(v *story.Story, path string, line, column int) place {
	return placeOf(v, v.Links.HeadSHA, path, line, column)
}

// tableRow is a row of a table of the story.
type tableRow struct {
	story.Row
	Class string // class of each cell but the first
	Key   *drawingKey
	Bar   *scoreBar
}

// drawingKey says whether a table's drawings show the base and a threshold in addition to the head.
type drawingKey struct{ Base, Need bool }

// keyOf returns the key to a table's drawings. It returns nil for a table without drawings.
func keyOf(t *story.Table) (k *drawingKey) {
	for _, r := range t.Rows {
		if d := r.Scale; d != nil {
			k = cmp.Or(k, &drawingKey{})
			k.Base, k.Need = k.Base || d.Base != nil, k.Need || d.Need != nil
		}
	}
	return k
}

func newTableRow(r story.Row, class string, key *drawingKey) tableRow {
	return tableRow{Row: r, Class: class, Key: key, Bar: newScoreBar(r.Scale, r.Mark)}
}
