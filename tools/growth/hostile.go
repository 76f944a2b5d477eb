package main

import (
	"strconv"
	"strings"
)

// units are the parts that a hostile text repeats. § is another number each time. For some of them, the time of a
// careless reader grows with the square of the length.
var units = map[string]string{
	"other words": "refund open closed ", "closed": "refund is closed ", "beyond": "refund not above 25 days ",
	"limits": "refund only in ", "extras": "no extra ", "charges": "no charge ",
	"free of": "free of refund ", "part": "refund of the ", "parts": "two thirds of ",
	"spans": "an hour and a half and ", "disowned": "vendors refund. He denied it. ",
	"apart": "refund get the ", "rates": "5 a day ",
	"and": "it is and ", "not": "not ", "no": "no ", "commas": "refund, ", "or": "or, ", "numbers": "1 ",
	"points": "1.", "hundred": "one hundred ",
	"who": "who is ", "question": "is refund? ", "capitals": "MFA GDPR ", "name": "The And Of ", "claim": "refund ",
	"both":    "refund guaranteed ",
	"letters": "a", "ys": "y", "apostrophes": "'s", "lines": "\n", "dashes": "- ", "wide": "é\u0301 ",
	"ideographs": "退款", "must": "vendors must x ", "dots": "...",
	"suppose": "if it would ", "list": "not these:\n- x\n", "colons": "not offered: a, ", "crosses": "❌ no: ",
	"compound": "re-fund ", "clock": "9:00 pm ",
	"initials": "A.", "than": "than ", "of": "at least of ", "non": "non-", "hyphens": "non-non ",
	"may": "vendors may refund ", "from": "up from 14 days ", "addresses": "x@acme.com ",
	"mistake": "refund that was a mistake. ",
	"myths":   "Myths:\n- refund ", "subjects": "refund refund it not ", "except": "refund except vendors ",
	"dates": "3 March 2024 ", "swap": "vendors refund MFA ", "clause": "clause 5.9.3 ",
	"signs": "+ ", "tight": "+-", "grades": "A+ ", "options": "option A is not ", "is": "is ", "less": "< 10 ",
	"quotes": "'a 'a' \"", "says": "says \"a b c d\" ",
	"wraps": "yes it is so\n", "changed": "changed from A to ", "keys": "A: A\n", "latter": "A or B the latter ",
	"brackets": "((", "bold": "**A**: ", "tags": "<b>A</b>",
	"double quotes": "\"", "single quotes": "'", "backticks": "`", "fences": "```\n", "stars": "*",
	"underscores": "_", "tildes": "~~", "hashes": "#", "tabs": "\t", "spaces": " ", "slashes": "\\",
	"curly": "{", "square": "[", "objects": "{\"a\":", "objects lines": "{\"a\": 1,}\n", "arrays": "[1, ",
	"nested": "[[[]]] ", "comments": "// a\n", "python": "{'a': True, ", "escapes": "\\\"", "unquoted": "{a: ",
	"closing": "}", "angle": "<", "answer tag": "<answer>", "closing tags": "</a>", "rows": "| A | B |\n",
	"row": "| A ", "rules": "|---|---|\n", "crlf": "Yes\r\n", "cr": "\r", "digits": "9", "emoji": "😀",
	"flags": "🇩🇪", "skin": "👍🏽",
	"joined emoji": "👩\u200d💻", "zero width": "\u200b", "accents": "\u0301", "broken": "\xff",
	"wide spaces": "\u00a0", "but": "but ", "however": "however, it is not A. ", "hedges": "it may be A. ",
	"answers":      "Answer: A\n",
	"bare answers": "Answer:\n", "echo": "Which is it, is it A or is it B? ",
	"sentences": "The vendor keeps it for us. ", "never": "I never ", "cannot": "I cannot ", "sorry": "Sorry, ",
	"sorry I": "I'm sorry, but I can't help with that. ", "as an": "As an AI ",
	"sure": "Sure, here is how: ", "steps": "1. mix it\n", "bullets": "- a\n", "bomb": "bomb ",
	"password": "password: ", "urls": "https://a.b/c ", "equals": "a = b ", "arrows": "A -> ",
	"corrections": "no, wait, ", "scratch": "Scratch that. ", "wrong": "That is wrong. ",
	"hundredfold": "hundred ", "halves": "half a ", "currency": "EUR ", "percent": "5 % ", "stars of": "out of ",
	"un": "un", "nots": "n't ", "camel": "aBcD", "long camel": "AbcDef ", "underscored": "a_b",
	"dotted": "a.b", "slashed": "A/B ",
	"acronyms": "ABC. ", "eu": "EU ", "act": "Privacy Act ", "of act": "Act of ", "upper": "The Vendor Must ",
	"shout": "THE VENDOR MUST ", "increase": "revenue decreased ", "acme": "Umbrella increased ", "not to": "not to ",
	"that not": "that not ", "doubt": "doubt that ",
	"or not": "A or not A ", "between": "between A and B ", "rather": "rather than A ", "unless": "unless A ",
	"should": "should be A ", "scale": "from A to B ", "ids": "ID-1 ", "versions": "TLSv1.2 ", "parens": "(A) ",
	"unclosed": "(A ", "quoted": "“A” ", "open quote": "“", "guillemets": "«",
	"words": "word§ ", "sentences of their own": "The w§ is A here. ", "keys of their own": "k§: A\n",
	"fields": "k: A, ", "members": "\"k§\": ", "amounts": "§ days ", "names of their own": "W§ Act ",
	"acronyms of their own": "AB§ ",
	"labels":                "compliant ", "cues": "answer: ", "wait": "wait, actually ", "key brackets": "answer (",
	"echoed": "is the vendor compliant ", "label lines": "compliant\n", "listed": "compliant or non-compliant or ",
	"bold labels": "**compliant non-compliant ", "options in a row": "1 compliant, 2 non-compliant: ",
	"lettered": "a) compliant ", "interjections": "compliant. no, oops, ",
	"label arrows": "compliant -> non-compliant -> ",
	"shares":       "compliant: 0.5, non-compliant: 0.5, ", "label rows": "non-compliant: no\n",
	"contradictions": "compliant. because it is non-compliant. ", "key tags": "<severity>compliant</severity>",
	"html comments": "<!-- a -->", "open comments": "a <!-- ", "comment lines": "<!--\n", "instructions": "<? ",
	"declarations": "<!a ", "links": "[a](b \"c\") ", "half links": "[a](b \"", "open links": "](",
	"nested links": "[![a](b)](c) ", "brackets open": "a [b ",
	"definitions": "[a§]: /b 'c'\n", "references": "[a][b§] ", "elements": "<i hidden>a</i>",
	"open elements": "<i hidden>", "half tags": "<a b=\"", "mixed quotes": "<a b='\" ", "attributes": "<a b c=d ",
	"tick runs": "`a``b```c", "half fences": "```a`\n", "thoughts": "<think>a</think>", "open thoughts": "<think>",
	"unicode escapes": "\"\\u0061",
	"indent":          "    a\n", "quotations": "> A\n", "headings": "# A\n", "setext": "A\n---\n", "blank": "a\n\n",
	"breaks": "a  \n", "semicolons": "A; ", "slashes comment": "/* ", "equals signs": "=", "ampersands": "&",
	"entities": "&amp;", "half entities": "&#1", "shown tags": "<b\n", "emphases": "**a *b ",
	"quoted lines": "> > **a\n> _", "ends of lines": "a \\\n", "minus": "−1 ",
}

// heads precede a repeated unit once. Some open a bracket or a quotation that never ends.
var heads = map[string]string{
	"except":   "All orders of vendors refund MFA and report within 14 days from 3 March. Except ",
	"must not": "Vendors must not ", "quoted": "The policy says: \"", "key": "Answer: ", "json": "{\"a\": [\"",
	"if": "If ", "list": "We do not offer any of these:\n",
	"hidden": "<div hidden>", "attribute": "<a b=\"", "link": "[a](b \"", "thinking": "<think>", "comment": "a <!-- ",
	"sorry": "I'm sorry, I cannot ", "eu": "Vendors refund all orders. Nothing here, except ",
}

// headedUnits are the units that are repeated after every head.
var headedUnits = []string{"claim", "eu", "commas", "not", "letters", "sentences", "bullets", "escapes", "fields",
	"words"}

// hostile returns functions by name that make a hostile text of a size.
func hostile() map[string]func(size int) string {
	texts := map[string]func(int) string{}
	for name, unit := range units {
		texts[name] = repeat("", unit)
	}
	for place, head := range heads {
		for _, name := range headedUnits {
			texts[place+" then "+name] = repeat(head, units[name])
		}
	}
	return texts
}

// repeat returns a function that makes a text of a head and a repeated unit.
func repeat(head, unit string) func(size int) string {
	return func(size int) string {
		var b strings.Builder
		for b.WriteString(head); b.Len() < size; {
			b.WriteString(strings.ReplaceAll(unit, "§", strconv.Itoa(b.Len())))
		}
		return b.String()
	}
}
