package acceptance_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the command as a command. Each script opens with the rule that it proves.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                commands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SOURCE_DATE_EPOCH", "1767600000")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			return nil
		},
	})
}
