package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Reply is what a judge says of one criterion.
type Reply struct {
	Met bool
	Why model.Untrusted // one sentence, cut to 300 runes
}

// whyRunes bounds what is kept of a reason.
const whyRunes = 300

// Read reads a reply: one JSON object, in a fence or bare, with the keys why and met and no other, each once. The error says what it is
// instead, and quotes nothing.
func Read(r model.Response) (Reply, error) {
	switch model.EndingOf(r.Finish) {
	case model.EndingTruncated:
		return Reply{}, errors.New("the reply was cut at its length limit")
	case model.EndingRefused:
		return Reply{}, errors.New("the judge refused")
	}
	if r.Refusal != "" {
		return Reply{}, errors.New("the judge refused")
	}
	data := []byte(unfenced(strings.TrimSpace(string(r.Text))))
	if err := model.SoundJSON(data); err != nil {
		return Reply{}, fmt.Errorf("the reply is no JSON object: %w", err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return Reply{}, errors.New("the reply is no JSON object")
	}
	why, met := members["why"], members["met"]
	if why == nil || met == nil || len(members) != 2 {
		return Reply{}, errors.New("the reply has other keys than why and met")
	}
	var out Reply
	if !bytes.HasPrefix(why, []byte(`"`)) || json.Unmarshal(why, &out.Why) != nil {
		return Reply{}, errors.New("why is no text")
	}
	switch string(met) {
	case "true":
		out.Met = true
	case "false":
	default:
		return Reply{}, errors.New("met is neither true nor false")
	}
	out.Why = model.Untrusted(text.Cut(string(out.Why), whyRunes))
	return out, nil
}

// unfenced is what stands between the marks of a fence that holds the whole text; any other text is returned as it is.
func unfenced(s string) string {
	first, rest, found := strings.Cut(s, "\n")
	word := strings.TrimSpace(strings.TrimPrefix(first, "```"))
	if !found || !strings.HasPrefix(first, "```") || word != "" && !strings.EqualFold(word, "json") {
		return s
	}
	inside, closed := strings.CutSuffix(rest, "```")
	if !closed || strings.Contains(inside, "```") {
		return s
	}
	return strings.TrimSpace(inside)
}
