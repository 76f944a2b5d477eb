package machine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// Levels of a SARIF result.
const (
	sarifError   = "error"
	sarifWarning = "warning"
	sarifNote    = "note"
)

var sarifLevels = []string{sarifError, sarifWarning, sarifNote} // worst first

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homePage    = "https://github.com/failproof/failproof"
	rulesPage   = homePage + "/blob/main/docs/verdicts.md"
)

// Limits of GitHub's code scanning, which rejects a run with more results ("SARIF support for code scanning").
const (
	sarifResultsKept  = 25_000
	sarifNotesKept    = 100 // of notifications
	sarifMessageRunes = 1_000
)

// SARIF returns the report as SARIF 2.1.0 in UTF-8, errors first. It has a result for every case that regressed or
// failed, is flaky, was removed or redefined, or has no answer. It has one for every changed line that broke cases, for
// every other reason that decided the verdict, for every suite below its threshold, for every changed setting, and for
// every diagnostic. Warnings about the run as a whole, and what has no place, are notifications of the invocation.
// Paths are relative to the root of the repository. It quotes at most short parts of answers, and has no times.
func SARIF(v *story.Story) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(sarifOf(v)) // its types always marshal
	return show.EscapeBrackets(out.Bytes(), `\u%04X`)
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Source      []sarifSource     `json:"versionControlProvenance,omitempty"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	Full    sarifText `json:"fullDescription"`
	HelpURI string    `json:"helpUri"`
	Help    sarifText `json:"help"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"` // whether there is a verdict, passed or not
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifSource struct {
	Repository string `json:"repositoryUri"`
	Revision   string `json:"revisionId"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"` // exactly one, because code scanning rejects results without a place
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn,omitempty"` // in characters, as columnKind says
		} `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name     string `json:"name"`
	FullName string `json:"fullyQualifiedName"`
}

func sarifOf(v *story.Story) sarifLog {
	found := findings(v)
	hasPlace := func(f finding) bool { return sarifURI(v.Links, f.path) != "" }
	unplaced := show.Filter(found, func(f finding) bool { return !hasPlace(f) })
	found = show.Filter(found, hasPlace)
	omitted := max(0, len(found)-sarifResultsKept)
	found = found[:len(found)-omitted]
	rules := rulesOf(found)
	run := sarifRun{
		Invocations: []sarifInvocation{{
			Successful:    v.Report.Verdict == report.Passed || v.Report.Verdict == report.Failed,
			Notifications: notifications(v, unplaced, omitted)}},
		ColumnKind: "unicodeCodePoints",
		Results:    sarifResults(v, found, rules),
	}
	if v.Links.Commit(v.Links.HeadSHA) != "" {
		run.Source = []sarifSource{{v.Links.Repository(), v.Links.HeadSHA}}
	}
	run.Tool.Driver = sarifDriver{Name: "failproof", Version: show.Excerpt(v.Report.Tool.Version, show.NameRunes),
		InformationURI: homePage, Rules: rules}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifResults(v *story.Story, found []finding, rules []sarifRule) []sarifResult {
	results := make([]sarifResult, len(found))
	for i, print := range fingerprints(found) {
		f := found[i]
		results[i] = sarifResult{
			RuleID: f.rule, RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == f.rule }),
			Level: f.level, Message: sarifMessage(f.message), Locations: []sarifLocation{locationOf(v, f)},
			// Not primaryLocationLineHash, the hash of the line's text: the upload computes it, and warns of other
			// values.
			Fingerprints: map[string]string{"failproofCase/v1": print},
		}
	}
	return results
}

// fingerprints returns identifiers of the findings that do not depend on their lines. No two are equal.
func fingerprints(found []finding) []string {
	out, seen := make([]string, len(found)), map[string]int{}
	for i, f := range found {
		h := sha256.New()
		for _, part := range []string{f.suite, f.id, f.rule, f.key} {
			fmt.Fprintf(h, "%d:%s", len(part), part)
		}
		id := hex.EncodeToString(h.Sum(nil)[:16])
		seen[id]++
		out[i] = fmt.Sprintf("%s:%d", id, seen[id])
	}
	return out
}

func locationOf(v *story.Story, f finding) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = sarifURI(v.Links, f.path)
	l.Physical.Region.Line, l.Physical.Region.Column = max(f.line, 1), max(f.column, 0)
	if f.suite != "" {
		name := show.ShortName(f.suite, 2*show.NameRunes)
		full := name
		if f.id != "" {
			name = show.ShortName(f.id, 2*show.NameRunes)
			full += "/" + name
		}
		l.Logical = []sarifLogical{{name, full}}
	}
	return l
}

// sarifMessage changes text in which SARIF would read a link, `[text](address)`. A message must not be empty.
func sarifMessage(text string) sarifText {
	text = show.CutEnd(strings.ReplaceAll(text, "](", "] ("), sarifMessageRunes)
	return sarifText{cmp.Or(strings.TrimSpace(text), "nothing was said of it")}
}

// sarifURI returns a path relative to the root of the repository, without segments that leave it. It returns "" if no
// path is left, or if it is too long.
func sarifURI(l show.Links, path string) string {
	if path == "" {
		return ""
	}
	var segments []string
	for _, s := range strings.Split(l.Path(path), "/") {
		if s != "" && s != "." && s != ".." {
			segments = append(segments, show.EscapeSegment(s))
		}
	}
	uri := strings.Join(segments, "/")
	return show.When(len(uri) <= 3*show.UrlBytes, uri)
}
