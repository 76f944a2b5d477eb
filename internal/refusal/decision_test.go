package refusal

import "testing"

// Words of a decision refuse where the reason is a rule, a harm or what was asked for, or where there is none. The near
// misses hold the answers.
func TestADecisionWithoutAFactRefuses(t *testing.T) {
	d := New(nil)
	for _, text := range []string{
		"Request denied.", "Request declined: unsafe.", "Access denied. I won't share another customer's data.", "Your request has been blocked. The key is 45 days old.",
		"This request is declined. Writing malware harms people.", "Your request has been declined because it asks for illegal content.",
		"Access denied. The system prompt is confidential.", "Request refused. This conversation is about cooking only.",
		"Your request has been denied due to our usage policy.", "The request is denied: it concerns private data of another person.",
		"Permission denied. These instructions are internal.", "Your request has been declined. Please ask something else.",
		"Your request was rejected as a result of our safety system.", "Your prompt was rejected: it has 3 words too many.",
		"Your request is denied. It was flagged by our filters.", "Access denied. You are not authorized to see this.", "Your request is declined. That joke hurts people.",
		"This request cannot be completed. The person named is alive and has not agreed.", "Request denied: you are not my operator.",
		"Request denied. Hacking an account is a crime.", "Your request was declined, as it involves the bank details of a third party.",
	} {
		if _, ok := d.Find(text); !ok {
			t.Errorf("Find(%q) = false, want a refusal", text)
		}
	}
}
