package acceptance_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
)

// edits are what a change may do to a repository. Each is honest or not; that is not known here.
var edits = []func(*author, *draft){
	// answers
	func(a *author, d *draft) { a.eachCase(d, func(s *suiteDraft, c *caseDraft) { a.record(s, c) }) },
	func(a *author, d *draft) { a.eachCase(d, func(s *suiteDraft, c *caseDraft) { a.record(s, c) }) },
	func(a *author, d *draft) { a.oneCase(d, a.record) },
	func(a *author, d *draft) {
		a.oneCase(d, func(_ *suiteDraft, c *caseDraft) { c.lines = nil }) // nothing is recorded
	},
	func(a *author, d *draft) {
		a.oneCase(d, func(_ *suiteDraft, c *caseDraft) { c.lines = c.lines[:len(c.lines)/2] })
	},
	func(a *author, d *draft) { a.oneCase(d, a.fresh) },
	// prompts and inputs
	func(a *author, d *draft) {
		s := pick(a, d.suites)
		if s.prompt != "" {
			s.prompt = "You are a careful assistant.\n" + s.prompt
		}
		for _, c := range s.cases {
			if a.oneIn(2) {
				a.record(s, c)
			}
		}
	},
	func(a *author, d *draft) {
		a.oneCase(d, func(s *suiteDraft, c *caseDraft) {
			c.says["question"] = c.says["question"].(string) + " Please."
			if a.oneIn(2) {
				a.record(s, c)
			}
		})
	},
	// expectations
	func(a *author, d *draft) {
		a.oneCase(d, func(s *suiteDraft, c *caseDraft) {
			other := a.newCase(s)
			if question, lines := c.says["question"], c.lines; question != nil {
				c.says, c.kind = other.says, other.kind
				c.says["question"], c.lines = question, lines
			}
		})
	},
	func(a *author, d *draft) {
		a.oneCase(d, func(_ *suiteDraft, c *caseDraft) {
			if _, is := c.says["expected_response"].(string); is {
				c.says["expected_response"] = "/./"
			}
		})
	},
	func(a *author, d *draft) {
		a.ofOwn(d, func(c *caseDraft) { c.says["must_pass"] = c.says["must_pass"] == nil })
	},
	func(a *author, d *draft) {
		a.ofOwn(d, func(c *caseDraft) { c.says["severity"] = pick(a, []string{"low", "critical"}) })
	},
	func(a *author, d *draft) { a.ofOwn(d, func(c *caseDraft) { c.says["case_threshold"] = 0.4 }) },
	// cases and suites
	func(a *author, d *draft) {
		s := pick(a, d.suites)
		s.cases = append(s.cases, a.newCase(s))
	},
	func(a *author, d *draft) {
		if s := pick(a, d.suites); len(s.cases) > 1 {
			at := a.chance.IntN(len(s.cases))
			s.cases = slices.Delete(s.cases, at, at+1)
		}
	},
	func(a *author, d *draft) { d.suites = append(d.suites, a.suite()) },
	func(a *author, d *draft) {
		if len(d.suites) > 1 {
			at := a.chance.IntN(len(d.suites))
			d.suites = slices.Delete(d.suites, at, at+1)
		}
	},
	func(a *author, d *draft) { // another id, and nothing else
		s := pick(a, d.suites)
		if s.says["id"] != nil {
			return
		}
		s.id += "x"
		for _, c := range s.cases {
			for _, line := range c.lines {
				line["suite_id"] = s.id
			}
		}
	},
	func(a *author, d *draft) { // another order
		s := pick(a, d.suites)
		slices.Reverse(s.cases)
		slices.Reverse(d.suites)
	},
	func(a *author, d *draft) {
		if s := pick(a, d.suites); s.form == "yaml" || s.form == "json" {
			name, value := pick(a, []string{"weight", "min_score", "trials", "target"}), any(0.7)
			switch name {
			case "trials":
				value = 1 + a.chance.IntN(4)
			case "target":
				value = pick(a, []string{"replay", "mirror", "fast"})
			}
			s.says[name] = value
		}
	},
	func(a *author, d *draft) { d.more["docs/note.md"] = "Nothing that is judged.\n" },
	// the rules
	func(a *author, d *draft) {
		k := pick(a, config.Keys())
		d.gate()[k.String()] = a.gateEntry(k)
	},
	func(a *author, d *draft) { maps.Copy(d.config, pick(a, sections)(a)) },
	func(a *author, d *draft) {
		d.target("fast")["model"] = "gpt-5-nano"
	},
	func(a *author, d *draft) { d.config["default_target"] = "mirror" },
}

// faults are what may be wrong with a file, on either side.
var faults = []func(*author, *draft){
	func(a *author, d *draft) { pick(a, d.suites).says["wieght"] = 2 },
	func(a *author, d *draft) {
		a.ofOwn(d, func(c *caseDraft) { c.says["assert"] = []any{"response.text ==", "nobody > 1"} })
	},
	func(a *author, d *draft) { a.ofOwn(d, func(c *caseDraft) { c.says["policies"] = []any{"no-promise"} }) },
	func(a *author, d *draft) {
		a.ofOwn(d, func(c *caseDraft) { c.says["expected_response"], c.says["match"] = "(", "regex" })
	},
	func(a *author, d *draft) {
		if s := pick(a, d.suites); len(s.cases) > 1 {
			s.cases[1].id = s.cases[0].id
		}
	},
	func(a *author, d *draft) { pick(a, d.suites).prompt = "{{ question }} {{ nobody }}\n" },
	func(a *author, d *draft) {
		d.more["suites/broken.yaml"] = "version: 1\ncases:\n  - { id: [unclosed\nmessages: none\n"
	},
	func(a *author, d *draft) {
		s := pick(a, d.suites)
		d.more["recordings/"+s.id+".jsonl"] = "{\"suite_id\": \"" + s.id + "\", \"case_id\": \"c1\", \"raw_response\": 3}\nnot json\n"
	},
	func(a *author, d *draft) { d.gate()["min_run_score"] = 1.5 },
	func(a *author, d *draft) { d.gate()["max_regresions"] = 0 },
	func(a *author, d *draft) { d.config["default_target"] = "replays" },
	func(a *author, d *draft) {
		d.config["policies"] = map[string]any{"no-promises": map[string]any{"patterns": []any{"(unclosed"}}}
	},
	func(a *author, d *draft) { d.more["failproof.yml"] = "version: 1\nsuites: [\n" },
	func(a *author, d *draft) { d.config["suites"] = []any{"suites/none/*.yaml"} },
}

func (a *author) oneCase(d *draft, edit func(*suiteDraft, *caseDraft)) {
	if s := pick(a, d.suites); len(s.cases) > 0 {
		edit(s, pick(a, s.cases))
	}
}

func (a *author) eachCase(d *draft, edit func(*suiteDraft, *caseDraft)) {
	for _, s := range d.suites {
		for _, c := range s.cases {
			if a.oneIn(3) {
				edit(s, c)
			}
		}
	}
}

// ofOwn edits a case of a suite in failproof's own form, which has more keys than the others.
func (a *author) ofOwn(d *draft, edit func(*caseDraft)) {
	a.oneCase(d, func(s *suiteDraft, c *caseDraft) {
		if s.form == "yaml" || s.form == "json" {
			edit(c)
		}
	})
}

// fresh records what both sides answered when a case that flipped was asked again.
func (a *author) fresh(s *suiteDraft, c *caseDraft) {
	a.record(s, c)
	answers := caseKinds[c.kind].answers
	for round := range 8 {
		for _, side := range []string{"base", "head"} {
			answer := answers[0]
			if side == "head" || a.oneIn(6) {
				answer = answers[2+a.chance.IntN(2)]
			}
			c.lines = append(c.lines, map[string]any{"suite_id": s.id, "case_id": c.id, "trial": round + 1, "fresh": side, "base_key": "@base", "request_key": "@",
				"raw_response": strings.ReplaceAll(answer, "#", "7")})
		}
	}
}

// change is a repository and what somebody makes of it.
func (a *author) change() (base, head *draft) {
	base = a.repository()
	if a.oneIn(24) {
		pick(a, faults)(a, base)
	}
	head = base.clone()
	for range 1 + a.chance.IntN(5) {
		pick(a, edits)(a, head)
	}
	if a.oneIn(14) {
		pick(a, faults)(a, head)
	}
	a.answerSeveral(base, head)
	return base, head
}
