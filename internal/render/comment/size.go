package comment

import (
	"slices"

	"github.com/failproof/failproof/internal/render/show"
)

// size is how much of a report a page shows.
type size struct {
	reasonRows    int // of each level
	openSuiteRows int // rows of the score table
	suiteRows     int // rows of it in all, those folded among them
	openCaseRows  int // rows of the wrong answers
	caseRows      int // of them in all
	evidence      int // cases whose answers are shown
	answerRunes   int // of a head's answer
	baseRunes     int // of a base's answer
	otherRows     int // rows of a folded list
	faultRows     int
	phraseRunes   int // of each foreign part of a phrase
	outcomes      bool
	quiet         bool // suites with nothing to say
	shortened     bool // something was left out for want of room
}

// Limits of a page in bytes. A comment takes 65,536 characters by GitHub's documentation and more bytes by experiment;
// 60,000 bytes hold by every reading. The output of a check run takes 65,535 bytes, a job summary 1 MiB, above which it is
// dropped whole.
const (
	commentBytes = 60_000 - 1_024 - 512 // less the publisher's mark and the run facts
	checkBytes   = 65_000
	summaryBytes = 900 << 10
)

// commentSizes go from the whole comment to the least: each leaves out one thing more.
func commentSizes() []size {
	s := size{reasonRows: 10, openSuiteRows: 12, suiteRows: 250, openCaseRows: 15, caseRows: 60, evidence: 10,
		answerRunes: 700, baseRunes: 400, otherRows: 60, faultRows: 50, phraseRunes: show.QuoteRunes, outcomes: true, quiet: true}
	return ladder(s, []func(*size){
		func(s *size) { s.outcomes = false },
		func(s *size) { s.quiet = false },
		func(s *size) { s.answerRunes, s.baseRunes = 400, 250 },
		func(s *size) { s.caseRows = 30 },
		func(s *size) { s.evidence = fewCases },
		func(s *size) { s.suiteRows, s.otherRows = 50, 20 },
		func(s *size) { s.evidence = 0 },
		least,
	})
}

// least is what is never left out, in lengths that fit whatever the report holds.
func least(s *size) {
	s.reasonRows, s.openSuiteRows, s.suiteRows, s.openCaseRows, s.caseRows = 5, 10, 10, 10, 10
	s.otherRows, s.faultRows, s.phraseRunes = 0, 10, 60
}

// summarySizes are for the job summary, which is complete unless a run is very large.
func summarySizes() []size {
	const all = 2_000
	s := size{reasonRows: all, openSuiteRows: all, suiteRows: all, openCaseRows: all, caseRows: all, evidence: all,
		answerRunes: 1_200, baseRunes: 1_200, otherRows: all, faultRows: all, phraseRunes: 2 * show.QuoteRunes, outcomes: true,
		quiet: true}
	return ladder(s, []func(*size){
		func(s *size) { s.answerRunes, s.baseRunes = 400, 200 },
		func(s *size) { s.evidence, s.otherRows, s.faultRows = 200, 500, 500 },
		func(s *size) { s.evidence, s.caseRows, s.suiteRows, s.otherRows = 0, 500, 500, 100 },
		func(s *size) { s.reasonRows, s.faultRows, s.caseRows, s.suiteRows = 50, 100, 100, 100 },
		least,
	})
}

func ladder(s size, steps []func(*size)) []size {
	sizes := []size{s}
	s.shortened = true
	for _, step := range steps {
		step(&s)
		sizes = append(sizes, s)
	}
	return slices.Clip(sizes)
}
