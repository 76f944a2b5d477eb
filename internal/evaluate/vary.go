package evaluate

import (
	"context"
	"iter"

	"github.com/failproof/failproof/internal/suite"
)

// Variation is a case of the head that asks something else than it does there, and is judged as it is.
type Variation struct {
	Suite *suite.Suite
	Case  *suite.Case // opened, with the other request and its key
	Round int         // 1, 2, … of this request
}

// Vary asks variations of the head's cases in their order, and judges the answers. They are kept for the same request, round and name
// alone, so that what was cut off goes on.
func Vary(ctx context.Context, p Plan, name string, all []Variation, sink Sink) error {
	p.Heard = nil // nobody asks so but here
	return p.work(ctx, p.variations(name, all), p.into(sink))
}

func (p *Plan) variations(name string, all []Variation) iter.Seq[*question] {
	q := &questioner{plan: p}
	return func(yield func(*question) bool) {
		for _, v := range all {
			trial := max(v.Case.Trials, 1) + v.Round // as of a case that is asked again
			one := q.question(suite.Head, p.Head.member(v.Suite, v.Case), trial, name)
			one.request.Fresh, one.readings[0].fresh = v.Round, v.Round
			if !yield(q.remembered(one)[0]) {
				return
			}
		}
	}
}
