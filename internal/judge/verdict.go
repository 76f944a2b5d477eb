package judge

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// PreparedQuestion is a question with its request to a judge.
type PreparedQuestion struct {
	Question
	Request model.Request
	Key     string // hash of the request, the number of votes and Version: equal keys have one verdict
}

// Judge is the model that grades, and its number of votes.
type Judge struct {
	Target config.Target
	Votes  int // votes for one verdict, odd
}

// Prepare returns a question with its request. The error is ErrTooLong.
func (j Judge) Prepare(q Question) (PreparedQuestion, error) {
	messages, err := q.Messages()
	if err != nil {
		return PreparedQuestion{}, err
	}
	r := j.newRequest()
	r.Messages = messages
	return PreparedQuestion{Question: q, Request: r, Key: j.key(r)}, nil
}

func (j Judge) newRequest() model.Request {
	t := j.Target
	r := model.Request{Provider: t.Provider, Model: t.Model, Settings: t.Settings(),
		Parameters: model.Parameters{Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens}}
	if t.Inputs.Schema {
		r.AnswerSchema = Schema
	}
	return r
}

// Fingerprint returns a hash of model, parameters, number of votes and rules. Only verdicts of judges with equal
// fingerprints may be compared.
func (j Judge) Fingerprint() string {
	r := j.newRequest()
	r.Messages = []model.Message{{Role: model.RoleSystem, Content: Version + rules}}
	return j.key(r)
}

func (j Judge) key(r model.Request) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "judge %s %d %s", Version, j.Votes, r.Key())))
}

// Majority returns the verdict of more than half of the votes; false if neither verdict has that many yet.
func Majority(replies []Reply, votes int) (Reply, bool) {
	count := map[bool]int{}
	for _, r := range replies {
		if count[r.Met]++; 2*count[r.Met] > votes {
			return r, true
		}
	}
	return Reply{}, false
}

// CountAgainst counts the replies with the opposite verdict.
func CountAgainst(replies []Reply, met bool) (n int) {
	for _, r := range replies {
		if r.Met != met {
			n++
		}
	}
	return n
}

// Reply is a judge's verdict on one criterion.
type Reply struct {
	Met bool
	Why model.Untrusted // one sentence, truncated to whyRunes
}

// whyRunes limits the kept part of a reason.
const whyRunes = 300

// ParseReply parses a reply: one JSON object, fenced or bare, with exactly the keys why and met, each once. The error
// quotes nothing of the reply, except a key that is there twice or a character that JSON does not allow.
func ParseReply(r model.Response) (Reply, error) {
	switch ending := model.EndingOf(r.Finish); {
	case ending == model.EndingTruncated:
		return Reply{}, errors.New("the reply was cut at its length limit")
	case ending == model.EndingRefused, r.Refusal != "":
		return Reply{}, errors.New("the judge refused")
	}
	data := []byte(fence.ReplaceAllString(strings.TrimSpace(string(r.Text)), "$1"))
	if err := model.CheckJSON(data); err != nil {
		return Reply{}, fmt.Errorf("the reply is no JSON object: %w", err)
	}
	var members map[string]any
	_ = json.Unmarshal(data, &members) // what is no object has no members
	why, isText := members["why"].(string)
	met, isVerdict := members["met"].(bool)
	if !isText || !isVerdict || len(members) != 2 {
		return Reply{}, errors.New("the reply is no JSON object with a text why and a true or false met alone")
	}
	return Reply{met, model.Untrusted(text.Truncate(why, whyRunes))}, nil
}

// fence matches a text that is one Markdown fence. Its group is the content.
var fence = regexp.MustCompile("(?is)^```[ \\t]*(?:json)?[ \\t]*\r?\n(.*)```$")
