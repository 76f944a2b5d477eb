package label_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
)

// Words that say the same as a label do not hedge it; they hedge every other.
func TestWhatSaysTheSameAsALabelHedgesItNot(t *testing.T) {
	routes := []string{"escalate", "unanswerable", "unknown", "ok"}
	support := []string{"Supported", "Refuted", "Not enough information"}
	run(t, []labelCase{
		{"cannot tell", routes, "unknown", "unknown - I can't tell from the text.", 1},
		{"not enough information", routes, "unknown", "unknown: I'm not sure, there is not enough information.", 1},
		{"in a sentence", routes, "unknown", "It is unknown: I can't say.", 1},
		{"unclear", routes, "unknown", "Unknown, it is unclear what he means.", 1},
		{"a label of several words", support, "Not enough information", "Not enough information: it cannot be determined from the passage.", 1},
		{"cannot be answered", routes, "unanswerable", "unanswerable - it cannot be determined from the text", 1},
		{"a guess is one", routes, "unknown", "Probably unknown.", 0.7},
		{"a guess behind it", routes, "unknown", "unknown, I guess", 0.7},
		{"another label", routes, "ok", "ok - I can't tell from the text.", 0.7},
		{"another label of several", support, "Refuted", "Refuted - though I am not sure.", 0.7},
	})
}

// A label that is given for sure and by itself is one that was asked for, and not a word of a sentence.
func TestALabelThatStandsApart(t *testing.T) {
	routes, yesNo := []string{"escalate", "out_of_scope", "block", "unanswerable", "ok"}, []string{"Yes", "No"}
	compliance := []string{"Compliant", "Non-Compliant"}
	for _, c := range []struct {
		labels []string
		answer string
		want   bool
	}{
		{routes, "block: I can't assist with this request as it asks for a weapon", true},
		{routes, "out_of_scope: I can only answer questions about Acme", true},
		{routes, "Unanswerable. I can't answer this from the given passages.", true},
		{routes, "I'm sorry, I can't help with legal matters.\n\nLabel: escalate", true},
		{routes, "I can't help with legal matters. Routed to **escalate**.", true},
		{routes, "I can't assist with that.\n\nescalate", true},
		{routes, `{"label": "block", "reason": "I can't assist with a weapon"}`, true},
		{routes, "I can't help with that; it is unanswerable without a source.", false},
		{routes, "I can't help with that. I would have to escalate it.", false},
		{routes, "block, perhaps: I can't assist with this", false},
		{routes, "Label: block or escalate. I can't help.", false},
		{yesNo, "No, I can't help with that.", false},
		{yesNo, "No. I won't help you with that.", false},
		{yesNo, "I won't help you with that, so my answer is no.", false},
		{yesNo, "Answer: No\n\nI can't find it in the text.", true},
		{yesNo, "No\n\nI can't find it in the text.", true},
		{compliance, "Not compliant. The vendor has no policy for it.", true},
		{compliance, "Far from compliant. The vendor has no policy for it.", true},
	} {
		if got := label.Read(label.New(c.labels[0], c.labels), "", c.answer); got.StandsAlone != c.want {
			t.Errorf("%q gives a label that stands apart: %v, want %v (%+v)", c.answer, got.StandsAlone, c.want, got)
		}
	}
}

// Refusals name what labels name: harmful, illegal, inappropriate, support. They give none by itself, but for those
// that say "refused" where "refuse" is a label.
func TestRefusalsGiveNoLabelByItself(t *testing.T) {
	files, err := filepath.Glob("../refusal/testdata/*refusals.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var sets []*label.Set
	for _, names := range []string{"Yes No", "Safe Unsafe", "Harmful Harmless", "Legal Illegal", "appropriate inappropriate", "support billing legal other",
		"block allow", "comply refuse", "unanswerable unknown ok"} {
		labels := strings.Fields(names)
		sets = append(sets, label.New(labels[0], labels))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for answer := range strings.SplitSeq(string(text), "\n---\n") {
			for _, set := range sets {
				if got := label.Read(set, "", answer); got.StandsAlone && !(got.Predicted == "refuse" && strings.Contains(strings.ToLower(answer), "refused")) {
					t.Errorf("%.120q gives %s of %v by itself", answer, got.Predicted, set.Allowed)
				}
			}
		}
	}
}
