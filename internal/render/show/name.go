package show

import "github.com/failproof/failproof/internal/suiteid"

// Suite names a suite in words: its id and, where it names several targets, the one that answers. The text is somebody else's still.
func Suite(id string) string { return answered(suiteid.Split(id)) }

// Case names a case in words, where its suite does not stand beside it: its id and, where its suite names several targets, the one that
// answers. The text is somebody else's still.
func Case(suiteID, caseID string) string {
	_, target := suiteid.Split(suiteID)
	return answered(caseID, target)
}

func answered(name, target string) string {
	if target == "" || name == "" {
		return name
	}
	return name + " · " + target
}
