package recorded

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// parse reads a line, or says what is wrong with it. Nearly every line is of a form that one look is enough for; any other takes the
// long way, which is the one that decides.
func parse(text []byte) (r record, wrong string) {
	if short(text, &r) {
		return r, ""
	}
	r = record{}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, "not a recording: " + plainJSONError(err) +
			"; expected one JSON object a line with suite_id, case_id and raw_response or error"
	}
	return r, ambiguous(text)
}

// short reads a line of the plain form: an object of names in small letters, each once, with a value of the kind that the name has.
// It is false where the line is of another form, faulty or not; then r is void.
func short(text []byte, r *record) bool {
	s := plainScanner{text: text}
	if !s.sign('{') {
		return false
	}
	var seen []string
	for first := true; ; first = false {
		if s.sign('}') {
			return s.end()
		}
		if !first && !s.sign(',') {
			return false
		}
		name, ok := s.string()
		if !ok || !plainName(name) || !s.sign(':') {
			return false
		}
		for _, before := range seen {
			if before == name {
				return false
			}
		}
		if seen = append(seen, name); len(seen) > 32 || !s.field(r, name) {
			return false
		}
	}
}

// plainName reports a name that no other one is read as.
func plainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return name != ""
}

// plainScanner reads JSON as far as it is plain.
type plainScanner struct {
	text []byte
	next int
}

func (s *plainScanner) space() {
	for s.next < len(s.text) && (s.text[s.next] == ' ' || s.text[s.next] == '\t') {
		s.next++
	}
}

// sign reads one character, and reports whether it stood there.
func (s *plainScanner) sign(c byte) bool {
	s.space()
	if s.next >= len(s.text) || s.text[s.next] != c {
		return false
	}
	s.next++
	return true
}

func (s *plainScanner) end() bool {
	s.space()
	return s.next == len(s.text)
}

// field reads the value of a name.
func (s *plainScanner) field(r *record, name string) (ok bool) {
	switch name {
	case "suite_id":
		r.SuiteID, ok = s.string()
	case "case_id":
		r.CaseID, ok = s.string()
	case "request_key":
		r.RequestKey, ok = s.string()
	case "fresh":
		r.Fresh, ok = s.string()
	case "base_key":
		r.BaseKey, ok = s.string()
	case "refusal":
		r.Refusal, ok = s.string()
	case "finish_reason":
		r.FinishReason, ok = s.string()
	case "stop_reason":
		r.StopReason, ok = s.string()
	case "model_id":
		r.ModelID, ok = s.string()
	case "raw_response":
		var text string
		text, ok = s.string()
		r.RawResponse = &text
	case "error":
		var text string
		text, ok = s.string()
		r.Error = &text
	case "trial":
		var n int
		n, ok = s.whole()
		r.Trial = &n
	case "by_hand":
		r.ByHand, ok = s.bool()
	case "limit_seconds":
		r.LimitSeconds, ok = s.number()
	case "latency_ms":
		r.LatencyMS, ok = s.number()
	case "cost_usd":
		var v float64
		v, ok = s.number()
		r.CostUSD = &v
	case "target":
		text := s.flat()
		ok = text != nil && json.Unmarshal(text, &r.Target) == nil && ambiguous(text) == ""
	case "tokens":
		text := s.flat()
		ok = text != nil && json.Unmarshal(text, &r.Tokens) == nil
	}
	return ok
}

// string reads a string of valid UTF-8.
func (s *plainScanner) string() (string, bool) {
	if !s.sign('"') {
		return "", false
	}
	start, escaped := s.next, false
	for ; s.next < len(s.text); s.next++ {
		switch c := s.text[s.next]; {
		case c == '"':
			text := s.text[start:s.next]
			s.next++
			if !utf8.Valid(text) {
				return "", false
			}
			if !escaped {
				return string(text), true
			}
			var out string
			err := json.Unmarshal(s.text[start-1:s.next], &out)
			return out, err == nil
		case c == '\\':
			escaped = true
			s.next++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// word reads up to the next sign.
func (s *plainScanner) word() string {
	s.space()
	start := s.next
	for s.next < len(s.text) && bytes.IndexByte([]byte("+-.0123456789Eaeflrstu"), s.text[s.next]) >= 0 {
		s.next++
	}
	return string(s.text[start:s.next])
}

func (s *plainScanner) bool() (value, ok bool) {
	word := s.word()
	return word == "true", word == "true" || word == "false"
}

func (s *plainScanner) whole() (int, bool) {
	word := s.word()
	n, err := strconv.Atoi(word)
	return n, err == nil && strconv.Itoa(n) == word
}

// number reads a number that is written in digits.
func (s *plainScanner) number() (float64, bool) {
	word := s.word()
	if !json.Valid([]byte(word)) {
		return 0, false
	}
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil
}

// flat reads an object that holds no list, object or brace, nil where there is none. It may be faulty.
func (s *plainScanner) flat() []byte {
	s.space()
	start := s.next
	length := bytes.IndexByte(s.text[start:], '}') + 1
	if length == 0 || s.text[start] != '{' || bytes.ContainsAny(s.text[start+1:start+length], "{[") {
		return nil
	}
	s.next += length
	return s.text[start:s.next]
}
