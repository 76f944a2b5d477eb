package english_test

import (
	"testing"

	"github.com/failproof/failproof/internal/english"
)

// ordinary has some fifty words.
const ordinary = `The vendor must report the incident to the regulator within 14 days of becoming aware of it. A written notice is
enough, and it may be sent by post or by email. Multi-factor authentication is required for every account with access to the system,
with no exceptions. A refund is not guaranteed.`

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		english.Parse(ordinary)
	}
}
