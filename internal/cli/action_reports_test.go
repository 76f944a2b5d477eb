package cli_test

import (
	"path/filepath"
	"testing"
)

// What other tools read is in the workspace after the action, with the places of both broken cases.
func TestActionWritesJUnitAndSARIF(t *testing.T) {
	h := newHub(t)
	h.run()
	out := filepath.Join(h.workspace, ".failproof", "out")
	holds(t, "junit.xml", read(filepath.Join(out, "junit.xml")),
		`tests="3" failures="2" errors="0" skipped="0"`, `name="too-late"`, `>suites/support/refund.yaml:9, severity high`, `type="policy_violation" message="regressed: `)
	holds(t, "report.sarif", read(filepath.Join(out, "report.sarif")),
		`"ruleId": "regressed"`, `"uri": "suites/support/refund.yaml"`, `"startLine": 9`, `"revisionId": "`+h.MergeCommit(pullNumber)+`"`)
}
