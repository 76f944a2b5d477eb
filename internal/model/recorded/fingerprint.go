package recorded

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"slices"
)

// Same reports whether the recorded answers to a case of one client are those to a case of the other, as their fingerprints have it.
func (c *Client) Same(suite, id string, other *Client, otherSuite, otherID string) bool {
	if c != nil && other != nil && c.literally(suite, id, other, otherSuite, otherID) {
		return true
	}
	return c.Fingerprint(suite, id) == other.Fingerprint(otherSuite, otherID)
}

// literally reports whether the lines of two cases are equal, letter by letter.
func (c *Client) literally(suite, id string, other *Client, otherSuite, otherID string) bool {
	ours, theirs := c.Answers(suite, id), other.Answers(otherSuite, otherID)
	return slices.EqualFunc(ours.entries, theirs.entries, func(a, b entry) bool {
		return a.trial == b.trial && bytes.Equal(c.text(a), other.text(b))
	})
}

// Fingerprint identifies the recorded answers of a case, so that a changed answer is seen; "" if there are none. What an answer is
// bound by is no part of it.
func (c *Client) Fingerprint(suite, id string) string {
	if c == nil {
		return ""
	}
	var sum hash.Hash
	var enc *json.Encoder
	all := c.trials(suite, id)
	for _, e := range all {
		if sum == nil {
			sum = sha256.New()
			enc = json.NewEncoder(sum)
		}
		rec, trial := c.record(e), int(e.trial)
		// Where the answer stands and how long it took change nothing that is judged; which trial it is does.
		rec.SuiteID, rec.CaseID, rec.LatencyMS, rec.CostUSD, rec.Tokens = "", "", 0, nil, nil
		rec.RequestKey, rec.Target, rec.ByHand = "", nil, false
		if rec.Trial = &trial; fromZero(all) {
			trial++
		}
		if err := enc.Encode(rec); err != nil {
			panic("recorded: fingerprint: " + err.Error()) // decoded from JSON, so it encodes
		}
	}
	if sum == nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
