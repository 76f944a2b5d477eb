package refusal

import (
	_ "embed" // the rules
	"encoding/json"
	"reflect"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
	"github.com/failproof/failproof/internal/text"
)

// force is the condition, besides its words, under which a rule counts as a refusal.
type force string

const (
	// firm words refuse in every sentence in which refusals are looked for: "I can't help with that".
	firm force = ""
	// limit words state what the model lacks. They refuse only in the opening, and only if no answer follows.
	limit force = "limit"
	// objection words turn the request down on moral grounds. They refuse only in the opening.
	objection force = "objection"
	// aside words are everyday ones: "Count me out." They refuse only in a short answer that asks for nothing.
	aside force = "aside"
)

// rule is one way to refuse, or one exception: a way to say such words without refusing. The first group of its
// pattern holds the refusing words. An exception is tried on the sentence from those words on.
type rule struct {
	Name            string
	About           string
	Kind            Kind  // "": kindOf decides by the words
	Force           force // of a rule
	Pattern         pattern
	Requires        pattern // what the text after the words of the rule must match
	Examples        []string
	Counterexamples []string
}

// signs are patterns for what else a sentence of an answer can do.
type signs struct {
	Preamble   pattern // greets, apologizes, disclaims: what may delay a refusal
	Lecture    pattern // moralizes; it only delays
	Judging    pattern // judges a deed, or those who would do it
	Exhorting  pattern // asks the reader to be good, to be careful, or to turn to somebody
	Helpline   pattern // names whom else to turn to
	Crisis     pattern // speaks of suicide or harm to oneself
	Asserting  pattern // begins an answer that says yes or no, or what a thing is
	Dispute    pattern // rejects the premise of a question, or the claim in it
	Delivery   pattern // announces the answer, or opens it at once
	Turn       pattern // turns from a limit to an answer
	Handover   pattern // gives the answer after all: "but here's the first chapter", "Here is how it works:"
	Contents   pattern // begins with code, a quotation or a list
	Substitute pattern // names what is handed over in place of an answer
	Referral   pattern // points to somebody else, to another source or to an offer
	Pointer    pattern // says where to look: "You can check the date on your device."
	Address    pattern // speaks of the conversation
	Asks       pattern // asks for what is missing
	Own        pattern // speaks of the model
	Withheld   pattern // an opinion, a feeling, a forecast: what models disclaim before they answer
	Blame      pattern // where the words of an inability begin to speak of the request
	Unable     pattern // what a model has no means for
	Source     pattern // what was given to answer from
	ClauseEnd  pattern `json:"clause_end"` // where the words of an inability end
	Elsewhere  pattern // names help, another source, or a safer way
}

// each calls do with each sign and the name of its field.
func (g *signs) each(do func(name string, p *pattern)) {
	of := reflect.ValueOf(g).Elem()
	for i := range of.NumField() {
		do(of.Type().Field(i).Name, of.Field(i).Addr().Interface().(*pattern))
	}
}

// book is rules.json, compiled.
type book struct {
	rules, exceptions []rule
	signs             signs
	table             *literal.Table
}

//go:embed rules.json
var rulesFile []byte

// newBook reads a book.
func newBook(file []byte) *book {
	b := text.MustParse[struct {
		Phrases           phrases
		Signs             signs
		Rules, Exceptions []rule
	}](file)
	t := b.Phrases.table()
	for _, rules := range [...][]rule{b.Rules, b.Exceptions} {
		for i := range rules {
			for _, p := range [...]*pattern{&rules[i].Pattern, &rules[i].Requires} {
				p.compile(t)
			}
		}
	}
	b.Signs.each(func(_ string, p *pattern) { p.compile(t) })
	return &book{b.Rules, b.Exceptions, b.Signs, t}
}

type phrases map[string]pattern

func (all phrases) table() *literal.Table {
	out := literal.Phrases{}
	for name, p := range all {
		out[name] = p.source
	}
	return literal.NewTable(out)
}

// pattern is a regular expression for lower-case text with plain apostrophes, in which {name} stands for a phrase. It
// is written in pieces. One that is not set matches every text.
type pattern struct {
	literal.Expression
	source string
}

// UnmarshalJSON joins the pieces of a pattern.
func (p *pattern) UnmarshalJSON(file []byte) error {
	var pieces []string
	err := json.Unmarshal(file, &pieces)
	p.source = strings.Join(pieces, "")
	return err
}

func (p *pattern) compile(t *literal.Table) {
	if p.source != "" {
		p.Expression = text.Must(t.Add(p.source))
	}
}

// sentence is a part of the view Flat.
type sentence struct{ literal.Passage }

// from returns the rest of the sentence from a place on.
func (s sentence) from(at int) sentence { return sentence{s.From(at)} }

// holds reports whether a pattern matches the sentence.
func (s sentence) holds(p *pattern) bool { return s.Matches(p.Expression) }

// find returns the words of the first match, nil for none.
func (s sentence) find(p *pattern) *english.Span {
	if all := s.findAll(p, 1); len(all) > 0 {
		return &all[0]
	}
	return nil
}

// findAll returns the words of up to n matches, or of all if n is negative. The words of a match are those of its first
// group that matched, or all of them if no group did.
func (s sentence) findAll(p *pattern, n int) (out []english.Span) {
	for _, m := range s.FindAll(p.Expression, n) {
		at := m[:2]
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				at = m[i : i+2]
				break
			}
		}
		out = append(out, english.Span{Start: at[0], End: at[1]})
	}
	return out
}
