package answer_test

import (
	"testing"

	"github.com/failproof/failproof/internal/answer"
)

// BenchmarkPlain looks at an answer that hides nothing, as most do, in every way: what each answer pays.
func BenchmarkPlain(b *testing.B) {
	const text = `The vendor must report the incident to the regulator within 14 days of becoming aware of it. A written notice is
enough, and it may be sent by post or by email. Multi-factor authentication is required for every account with access to the system,
with no exceptions. A refund is not guaranteed.`
	b.ReportAllocs()
	for b.Loop() {
		answer.StripReasoning(text)
		answer.RemoveHiddenKeepLinks(answer.UnwrapJSON(text))
		for _, view := range answer.SearchForms(text) {
			answer.PlainText(view)
		}
	}
}

// BenchmarkHidden reads an answer of which much is not seen.
func BenchmarkHidden(b *testing.B) {
	const text = "<think>\nIs it so?\n</think>\nThe vendor must [report](https://a.b/c \"now\") it <!-- not --> within 14 days.\n\n```go\nx := 1\n```\n\n[//]: # (a)\n<p hidden>b</p> See https://a.b."
	b.ReportAllocs()
	for b.Loop() {
		sent, _ := answer.StripReasoning(text)
		answer.RemoveHidden(sent)
	}
}

// BenchmarkShown reads an answer of several lines with emphasis for the words that a page shows.
func BenchmarkShown(b *testing.B) {
	const text = "The vendor **must report** the incident\nwithin 14 days.\n\n- A written notice is enough &amp; free.\n> It may be sent\n> by `post`.\nA refund is <b>not</b> guaranteed."
	b.ReportAllocs()
	for b.Loop() {
		answer.PlainText(text)
	}
}
