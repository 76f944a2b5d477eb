package judge

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/text"
)

// Label is a person's verdict on an answer and a criterion.
type Label struct {
	Question
	Met  bool
	Line int // in the file, from 1
}

// ReadLabels reads labels, one JSON object a line. The keys "answer", "criterion" and "met" are required. The keys
// "reference", "asked" and "context" are optional; the last two have maps of texts. The error names the first bad line.
func ReadLabels(text []byte) (all []Label, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		one, err := readLabel(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; expected one JSON object a line with answer, criterion and met "+
				"(true or false)", number, err)
		}
		one.Line = number
		all = append(all, one)
	}
	return all, nil
}

// labelLine is one line of a file of labels.
type labelLine struct {
	Answer    *model.Untrusted  `json:"answer"`
	Criterion string            `json:"criterion"`
	Vars      map[string]string `json:"asked,omitempty"`
	Context   map[string]string `json:"context,omitempty"`
	Reference string            `json:"reference,omitempty"`
	Met       *bool             `json:"met"`
}

// UnlabeledLine returns the question as one line for a file of labels. The verdict is left out, for a person to add.
func (q Question) UnlabeledLine() any {
	return labelLine{Answer: &q.Answer, Criterion: q.Criterion, Vars: q.Vars, Context: q.Context, Reference: q.Reference}
}

func readLabel(line []byte) (l Label, err error) {
	if err := model.CheckJSON(line); err != nil {
		return l, err
	}
	var parsed labelLine
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&parsed); {
	case err != nil:
		return l, err
	case parsed.Answer == nil || strings.TrimSpace(parsed.Criterion) == "" || parsed.Met == nil:
		return l, fmt.Errorf("answer, criterion or met is missing")
	}
	for _, name := range slices.Sorted(maps.Keys(parsed.Context)) {
		if _, both := parsed.Vars[name]; both {
			return l, fmt.Errorf("asked and context both have %s", name)
		}
	}
	return Label{Question: Question{Criterion: parsed.Criterion, Reference: parsed.Reference, Vars: parsed.Vars, Context: parsed.Context, Answer: *parsed.Answer}, Met: *parsed.Met}, nil
}

// AgreementCounts counts the labels with one verdict, met or not met.
type AgreementCounts struct {
	Labels int `json:"labels"` // labels that the judge gave a verdict on
	Agreed int `json:"agreed"`
}

// Share returns the share of labels that the judge agrees with. It is undefined if there are none.
func (a AgreementCounts) Share() float64 { return float64(a.Agreed) / float64(a.Labels) }

// Interval returns the 95 % Wilson interval of Share.
func (a AgreementCounts) Interval() (lo, hi float64) {
	return stats.Wilson(a.Share(), float64(a.Labels), 0.95)
}

// Agreement counts how often a judge agrees with people. It is stored beside the labels.
type Agreement struct {
	Judge  string          `json:"judge"`  // fingerprint
	Model  string          `json:"model"`  // for people who read the file
	Labels string          `json:"labels"` // SHA-256 of the file of labels
	Met    AgreementCounts `json:"met"`    // labels that people call met
	Unmet  AgreementCounts `json:"unmet"`  // labels that people call not met
	Errors int             `json:"errors"` // labels without a verdict

	Twice, Contradicted int `json:"-"` // labels with two verdicts, and with two different ones
}

// Total counts the labels of both kinds.
func (a Agreement) Total() AgreementCounts {
	return AgreementCounts{a.Met.Labels + a.Unmet.Labels, a.Met.Agreed + a.Unmet.Agreed}
}

// Kappa returns Cohen's kappa: the agreement beyond that of two raters who call as many labels met at random; false
// if it is undefined.
func (a Agreement) Kappa() (float64, bool) {
	all := a.Total()
	n := float64(all.Labels)
	people, judged := float64(a.Met.Labels), float64(a.Met.Agreed+a.Unmet.Labels-a.Unmet.Agreed)
	chance := (people*judged + (n-people)*(n-judged)) / (n * n)
	if all.Labels == 0 || chance == 1 {
		return 0, false
	}
	return (all.Share() - chance) / (1 - chance), true
}

// MinLabels is the number of labels of each kind that a check needs.
const MinLabels = 10

// WhyNotCounted returns why the verdicts of a judge only warn; "" if they count.
func (a Agreement) WhyNotCounted(minAgreement float64) string {
	for _, k := range []struct {
		AgreementCounts
		words string
	}{{a.Met, "met"}, {a.Unmet, "not met"}} {
		switch {
		case k.Labels < MinLabels:
			return fmt.Sprintf("%d labels that people call %s, and %d are the fewest that say something", k.Labels, k.words, MinLabels)
		case k.Share()+1e-9 < minAgreement:
			return fmt.Sprintf("it agrees with people on %d of %d that they call %s, and min_agreement is %.2f", k.Agreed, k.Labels, k.words, minAgreement)
		}
	}
	return ""
}

// Digest returns the SHA-256 of a file of labels, in hex.
func Digest(labels []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(labels))
}

// AgreementPath returns the path of the agreement on a file of labels, which is beside it.
func AgreementPath(labels string) string {
	return strings.TrimSuffix(labels, path.Ext(labels)) + ".agreement.json"
}

// JSON returns the agreement as indented JSON, the content of its file.
func (a Agreement) JSON() []byte {
	return append(text.Must(json.MarshalIndent(a, "", "  ")), '\n') // texts and whole numbers always marshal
}

// Standing describes how reliable a judge is: whether its verdicts count, and its agreement with people.
type Standing struct {
	Counts      bool   // unmet criteria fail a case; otherwise they only warn
	Labels      int    // labels that the judge was checked with in its current form; 0: not checked
	Agreed      int    // of these, labels that it agrees with
	Description string // "agreed with people on 41 of 44", "not checked against people", or why it does not count
}

// UncheckedStanding returns the standing of a judge without labels.
func UncheckedStanding() Standing {
	return Standing{Counts: true, Description: "not checked against people"}
}

// NewStanding returns a judge's standing by its agreement on a file of labels. labels and agreement are the contents
// of the files; agreement is nil if there is none.
func NewStanding(j Judge, minAgreement float64, labels, agreement []byte) Standing {
	var a Agreement
	inconsistent := func(k AgreementCounts) bool { return k.Agreed < 0 || k.Agreed > k.Labels }
	switch err := json.Unmarshal(agreement, &a); {
	case agreement == nil:
		return Standing{Description: "not yet checked: run `failproof judge check`"}
	case err != nil || model.CheckJSON(agreement) != nil || inconsistent(a.Met) || inconsistent(a.Unmet):
		return Standing{Description: "not checked: its agreement cannot be read; run `failproof judge check`"}
	case a.Judge != j.Fingerprint():
		return Standing{Description: "not yet checked: another judge was; run `failproof judge check`"}
	case a.Labels != Digest(labels):
		return Standing{Description: "not yet checked on the labels as they are; run `failproof judge check`"}
	}
	all, why := a.Total(), a.WhyNotCounted(minAgreement)
	words := cmp.Or(why, fmt.Sprintf("agreed with people on %d of %d", all.Agreed, all.Labels))
	return Standing{Counts: why == "", Labels: all.Labels, Agreed: all.Agreed, Description: words}
}
