package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// Asking is a question as a judge of the configuration is asked it.
type Asking struct {
	Question
	Request model.Request
	Key     string // equal for what one verdict serves: judge model and parameters, votes, template, criterion and blocks
}

// Judge is who grades, and how often one question is put to it.
type Judge struct {
	Target config.Target
	Votes  int // of one verdict, odd
}

// Ask makes the request of a question. The error is ErrTooLong.
func (j Judge) Ask(q Question) (Asking, error) {
	messages, err := q.Messages()
	if err != nil {
		return Asking{}, err
	}
	r := j.empty()
	r.Messages = messages
	return Asking{Question: q, Request: r, Key: j.key(r)}, nil
}

func (j Judge) empty() model.Request {
	t := j.Target
	r := model.Request{Provider: t.Provider, Model: t.Model, Settings: t.Settings(),
		Parameters: model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}}
	if t.Takes.Schema {
		r.AnswerSchema = Schema
	}
	return r
}

// Fingerprint is equal for judges whose verdicts may be compared: those of one model, parameters, number of votes and template.
func (j Judge) Fingerprint() string {
	r := j.empty()
	r.Messages = []model.Message{{Role: model.RoleSystem, Content: Version + rules}}
	return j.key(r)
}

func (j Judge) key(r model.Request) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "judge %s %d %s", Version, j.Votes, r.Key()))
	return hex.EncodeToString(sum[:])
}

// Majority is what replies to one question come to, of so many votes; false while neither side has more than half of them.
func Majority(replies []Reply, votes int) (Reply, bool) {
	count := map[bool]int{}
	for _, r := range replies {
		if count[r.Met]++; 2*count[r.Met] > votes {
			return r, true
		}
	}
	return Reply{}, false
}
