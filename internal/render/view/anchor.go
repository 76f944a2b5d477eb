package view

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

// plainIDs are a suite and a case that can stand in an address as they are, where they are no longer than maxIDs.
var plainIDs = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/@-]*$`)

const maxIDs = 251 // bytes

// CaseAnchor is where the page shows a case: the same in every report, so that a link stays true. Whatever is no id, in a report that
// somebody wrote by hand, goes by its digest.
func CaseAnchor(suiteID, caseID string) string {
	id := suiteID + "/" + caseID
	if len(id) > maxIDs || !plainIDs.MatchString(id) {
		sum := sha256.Sum256([]byte(id))
		id = hex.EncodeToString(sum[:8])
	}
	return "case/" + id
}
