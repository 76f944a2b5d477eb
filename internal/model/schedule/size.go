package schedule

import (
	"math"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// What is expected where nothing is known.
const (
	expectedOut   = 500 // tokens of an answer
	perMessage    = 4   // tokens that a message takes besides its text
	bytesPerToken = 4   // about, in English text
	mostAround    = 16  // tokens that a message, and the whole request, take at most besides their texts
)

// TokensIn is about how many tokens a request is.
func TokensIn(r model.Request) (n int) {
	n = (len(r.Parameters.JSONSchema) + len(r.AnswerSchema) + len(r.Tools) + bytesPerToken - 1) / bytesPerToken
	for _, m := range r.Messages {
		n += perMessage + (len(m.Content)+bytesPerToken-1)/bytesPerToken
	}
	for _, v := range r.Vars {
		n += (len(v) + bytesPerToken - 1) / bytesPerToken
	}
	return n
}

// MostIn is how many tokens a request is at most, as far as it can be told from here: no token is shorter than a byte.
func MostIn(r model.Request) (n int) {
	n = mostAround + len(r.Parameters.JSONSchema) + len(r.AnswerSchema) + len(r.Tools)
	for _, m := range r.Messages {
		n += mostAround + len(m.Content)
	}
	for name, v := range r.Vars {
		n += mostAround + len(name) + len(v)
	}
	return n
}

// MostOut is how many tokens an answer takes at most; false where neither the request nor its provider sets a limit.
func MostOut(r model.Request) (int, bool) {
	if r.Parameters.MaxTokens != nil {
		return *r.Parameters.MaxTokens, true
	}
	if most := config.MostOut(r.Provider); most > 0 {
		return most, true
	}
	return expectedOut, false
}

// Cost is what tokens cost, in US dollars.
func Cost(p config.Price, in, out int) float64 {
	return float64(float64(in)*p.InputPerMillion)/1e6 + float64(float64(out)*p.OutputPerMillion)/1e6
}

// sizes is what a target's answers so far tell of the next ones.
type sizes struct {
	known   bool    // an answer came
	density float64 // tokens that a request had for each that it was taken for, at most; 0 is 1
	around  int     // tokens that it had beyond its bytes, at most: words that the target adds
	longest int     // tokens of an answer
	over    bool    // an answer was longer than its request allowed: the target keeps no limit
	dearest float64 // US dollars that a target without a price told of an answer
}

// estimate is what one call may take, before its answer is there.
type estimate struct {
	in, out int     // tokens; in about, out at most, or about where nothing bounds it
	costUSD float64 // at most, likewise
}

func (e estimate) tokens() int { return e.in + e.out }

// estimate is what a request may take.
func (s sizes) estimate(r model.Request, price *config.Price) estimate {
	out, limited := MostOut(r)
	switch {
	case limited && s.over:
		out = max(out, s.longest)
	case !limited && s.longest > 0:
		out = s.longest
	}
	e := estimate{in: int(math.Ceil(float64(TokensIn(r))*max(s.density, 1))) + s.around, out: out, costUSD: s.dearest}
	if price != nil {
		e.costUSD = Cost(*price, MostIn(r)+s.around, e.out)
	}
	return e
}

func (s *sizes) learn(r model.Request, a model.Response) {
	s.known = s.known || a.Failure == nil
	s.around = max(s.around, a.Usage.TokensIn-MostIn(r))
	s.density = max(s.density, float64(min(a.Usage.TokensIn, MostIn(r)))/float64(max(TokensIn(r), 1)))
	s.longest = max(s.longest, a.Usage.TokensOut)
	if most, limited := MostOut(r); limited && a.Usage.TokensOut > most {
		s.over = true
	}
	s.dearest = max(s.dearest, a.Usage.Cost.USD)
}

// charge is what a call counts as: what was told of it, and what was set aside for it where nobody told although somebody may
// have worked. cut reports a call that was given up while it was under way.
func (e estimate) charge(a model.Response, price *config.Price, cut bool) model.Usage {
	c := a.Usage
	told, estimated := c.TokensIn > 0 || c.TokensOut > 0, false
	if told || a.Failure == nil || a.MayCost || cut {
		if c.TokensIn <= 0 {
			c.TokensIn, estimated = e.in, true
		}
		if c.TokensOut <= 0 && (!told || a.Text != "") {
			c.TokensOut, estimated = e.out, true
		}
	}
	if price == nil || c.Cost.USD > 0 {
		return c
	}
	c.Cost = model.Cost{USD: Cost(*price, c.TokensIn, c.TokensOut), Known: true, Estimated: estimated}
	if estimated {
		c.Cost.USD = max(c.Cost.USD, e.costUSD)
	}
	return c
}
