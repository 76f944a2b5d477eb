package shell

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	proven, none       = "", "no gate"
	unrun, goesOn, or  = "without running", "the shell continues", "`||`"
	pipe, substitution = "without `pipefail`", "substitution"
	computed, notKnown = "may add commands", "with another code"
	notRead            = "does not read"
)

// scripts has scripts and what Prove says of each. GitHub begins a script without a `shell:` with -e alone; a prefix
// names other settings.
var scripts = []struct{ script, want string }{
	// Its status is the step's.
	{"failproof run", proven},
	{"failproof action --comment failures", proven},
	{"make\nfailproof run\necho done", proven},
	{"cd prompts && failproof run", proven},
	{"failproof run && echo done", proven},
	{"failproof run >log 2>&1", proven},
	{"failproof run \\\n  --base main \\\n  --json", proven},
	{"echo y | failproof run", proven},
	{"set -o pipefail\nfailproof run | tee log", proven},
	{"set -euo pipefail; failproof action | tee log", proven},
	{"BASH failproof run | tee log", proven},
	{"PLAIN failproof run", proven},
	{"PLAIN set -e\nfailproof run\necho done", proven},
	{"env X=1 failproof run", proven},
	{"X=1 Y=\"a b\" failproof run", proven},
	{"sudo -E -u runner failproof run", proven},
	{"timeout -k 5s 10m failproof run", proven},
	{"command failproof run", proven},
	{"exec failproof run", proven},
	{"npx --yes failproof@0.1.0 run", proven},
	{"docker run --rm -v \"$PWD:/w\" -w /w ghcr.io/failproof/failproof:0.1.0 action", proven},
	{"go run github.com/failproof/failproof@v0.1.0 action", proven},
	{"\"$RUNNER_TEMP/bin/failproof\" run", proven},
	{"\"fail\"'proof' ru\\n", proven},
	{"fail''proof run", proven},
	{"failproof run > >(tee log)", proven},
	{"failproof run <<'X'\n|| true\nX", proven},
	{"echo '| tee' # || true\nfailproof run # | tee", proven},
	{"(source x/bin/activate; make)\nfailproof run", proven},
	{"set -x; failproof run", proven},
	{"PLAIN set -- -e\nfailproof run\nls", "`set`"},
	{"command -v jq; failproof run", proven},
	{"failproof run; exit", proven},
	{"failproof run a\nfailproof run b | tee log", pipe},
	{"BASH failproof run a | tee log\nfailproof run b | tee log\nls", proven},
	{"PLAIN failproof run a && failproof run b && ls", proven},
	{"failproof run --base origin/${{ github.base_ref }} --head \"${{ github.event.pull_request.head.sha }}\"", proven},
	{"set -x; set +x; set -o errexit -o pipefail\nfailproof run | tee log; ls", proven},
	{"docker run --rm -it --volume=\"$PWD:/w\" --workdir /w --env OPENAI_API_KEY host:5000/failproof run a", proven},

	// It is, and is not read: such a script is better cut in two.
	{"(cd prompts; failproof run)", notRead},
	{"{ make; failproof run; }", notRead},
	{"PLAIN failproof run; exit $?", goesOn},
	{"set +e\nfailproof run\ncode=$?\necho \"ended with $code\"\nexit $code", "`set`"},
	{"code=0\nfailproof run || code=$?\ncat log\nexit \"$code\"", or},
	{"failproof run || rc=$?\nexit ${rc:-0}", or},
	{"failproof run || exit 1", or},
	{"failproof run || { cat log; exit 3; }", or},
	{"time failproof run", notRead},
	{"failproof run ${{ matrix.flags }}", computed},
	{"set -- a b; failproof run; ls", "`set`"},
	{"failproof run --base main 'a;b' || false", or},
	{"cd prompts && failproof run || exit 1", or},
	{"(failproof run) || code=$?\nexit $code", or},
	{"failproof run || { exit 1; } && echo fine", or},
	{"set -o pipefail\nfailproof run | tee log || code=$?\nls\nexit \"${code:-0}\"", or},
	{"set +e; failproof run; rc=$?; if [ \"$rc\" -ne 0 ]; then echo no; exit 1; fi; echo yes", "`set`"},
	{"set +e; failproof run; rc=$?; [[ $rc != 0 ]] && exit 1; echo yes", "`set`"},
	{"if ! failproof run; then echo broken; exit 1; fi", notRead},
	{"if failproof run; then echo fine; else exit 1; fi", notRead},
	{"set +e; failproof run | tee log; exit ${PIPESTATUS[0]}", "`set`"},
	{"bash -c 'failproof run'", notKnown},
	{"bash -euo pipefail -c 'failproof run | tee log; echo done'", notKnown},
	{"eval 'failproof run'", notKnown},
	{"gate() { failproof run --base main; }\ngate", notRead},
	{"for s in a b; do failproof run suites/$s.yaml; done", notRead},
	{"out=$(failproof run)\necho \"$out\"", substitution},
	{"trap 'rm -rf \"$dir\"' EXIT\nfailproof run", "`trap`"},
	{"cleanup() { rm -rf tmp; }; trap cleanup EXIT; failproof run", notRead},
	{"case $1 in *) failproof run;; esac", notRead},
	{"while true; do failproof run; break; done", notRead},

	// It is not, or nobody can tell.
	{"failproof run a\nfailproof run b || true", or},
	{"failproof run a || true\nfailproof run b", or},
	{"failproof run a && failproof run b || true", or},
	{"failproof run a\nfailproof run b &", "background"},
	{"failproof run a\nexit 0\nfailproof run b", unrun},
	{"failproof run a\nset +e\nfailproof run b\nls", "`set`"},
	{"PLAIN failproof run a\nfailproof run b", goesOn},
	{"failproof run a && failproof run b\nls", goesOn},
	{"failproof run || exit 0", or},
	{"(failproof run || true)", notRead},
	{"! failproof run | tee log", "`!`"},
	{"failproof run && ls &", "background"},
	{"{ failproof run; } &", "background"},
	{"BASH failproof run | tee log &", "background"},
	{"BASH (failproof run || true) | tee log", notRead},
	{"failproof run --base ${{ inputs.base }}", computed},
	{"failproof run\necho ${{ steps.a.outputs.b }}", computed},
	{"failproof run ${{ github.base_ref }}${{ env.MORE }}", computed},
	{"failproof run ${{ github.base_ref && '|| true' }}", computed},
	{"e$X 0; failproof run", "may change"},
	{"{exit,0}; failproof run", "may change"},
	{"exi? 0; failproof run", "may change"},
	{"logout; failproof run", "`logout`"},
	{"mapfile -C 'exit 0' -c 1 <x; failproof run", "`mapfile`"},
	{"x && set +e; failproof run; ls", "`set`"},
	{"set -e +e; failproof run; ls", "`set`"},
	{"timeout --preserve-status -s CONT 1 failproof run", notKnown},
	{"docker run --detach=true ghcr.io/failproof/failproof:0.1.0 action", notKnown},
	{"docker run --rm -dt ghcr.io/failproof/failproof:0.1.0 action", notKnown},
	{"docker run --entrypoint=sh ghcr.io/failproof/failproof:0.1.0 action", notKnown},
	{"docker run --rm --entrypoint true ghcr.io/failproof/failproof:0.1.0 action", notKnown},
	{"docker run --volume=/failproof run", notKnown},
	{"env X=/failproof run", notKnown},
	{"env -S 'true' failproof run", notKnown},
	{"failproof --quiet run", notKnown},
	{"failproof run || true", or},
	{"{ set +e; failproof run; }; echo done", notRead},
	{"if x; then set +e; fi; failproof run; echo", "`set`"},
	{"failproof run || { cat log; exit 0; }", or},
	{"failproof run || { code=0; exit $code; }", or},
	{"failproof run || code=$?; echo; code=0; exit $code", or},
	{"failproof run || code=$?", or},
	{"failproof run || code=", or},
	{"failproof run || code=\"$?$x\"", or},
	{"failproof run | failproof action", pipe},
	{"set -o pipefail; failproof run | failproof action", "two failproof commands in one pipe"},
	{"exit 0 && failproof run", unrun},
	{"$HOOK\nfailproof run", "may change"},
	{"failproof run || :", or},
	{"failproof run \\\n  --base main \\\n  || echo broken", or},
	{"failproof run --base main 'x' ||true", or},
	{"failproof run | tee log", pipe},
	{"failproof run |& tee log", pipe},
	{"failproof run 2>&1 | tee log | tail -n 3", pipe},
	{"set -o pipefail; set +o pipefail; failproof run | cat", "`set`"},
	{"(set -o pipefail); failproof run | cat", pipe},
	{"failproof run | tee log; exit ${PIPESTATUS[1]}", pipe},
	{"BASH failproof run | tee log || true", or},
	{"PLAIN failproof run\necho done", goesOn},
	{"set +e\nfailproof run\necho done", "`set`"},
	{"set +o errexit; failproof run; ls", "`set`"},
	{"set +eu; failproof run; exit 0", "`set`"},
	{"(failproof run; echo done) || exit 1", or},
	{"bash -c 'failproof run; echo done'", notKnown},
	{"sh -c \"failproof run; true\"", notKnown},
	{"BASH bash -c 'failproof run | tee log'", notKnown},
	{"failproof run && echo fine\necho done", goesOn},
	{"cd prompts && failproof run\necho done", goesOn},
	{"if failproof run; then echo fine; fi", notRead},
	{"if failproof run; then echo fine; else echo broken; fi", notRead},
	{"if failproof run || true; then :; fi", notRead},
	{"if [ -n \"$KEY\" ]; then failproof run; fi", notRead},
	{"[ -n \"$KEY\" ] || exit 0\nfailproof run", unrun},
	{"exit\nfailproof run", unrun},
	{"exec make\nfailproof run", unrun},
	{"test -d prompts || failproof run", or},
	{"case $X in a) failproof run;; esac", notRead},
	{"for s in $SUITES; do failproof run $s; done", notRead},
	{"for s in suites/*; do failproof run $s; done", notRead},
	{"set +e; for s in a b; do failproof run $s; done", "`set`"},
	{"while read -r s; do failproof run $s; done <list", notRead},
	{"until failproof run; do sleep 1; done", notRead},
	{"failproof run || failproof run", or},
	{"failproof run || exit 256", or},
	{"select s in a b; do failproof run $s; done", notRead},
	{"! failproof run", "`!`"},
	{"failproof run &", "background"},
	{"failproof run & wait", "background"},
	{"coproc failproof run", notRead},
	{"echo $(failproof run)", substitution},
	{"echo \"`failproof run`\"", substitution},
	{"export OUT=$(failproof run)", notRead},
	{"OUT=$(failproof run) make", substitution},
	{"diff <(failproof run) want", substitution},
	{"cat <<X\n$(failproof run)\nX", substitution},
	{"[[ $(failproof run) == ok ]]", notRead},
	{"out=$(failproof run; cat log)", substitution},
	{"out=$(failproof run | tail -n 1)", substitution},
	{"source lib.sh\nfailproof run", "`source`"},
	{". ./env\nfailproof run", "`.`"},
	{"eval \"$(./env)\"; failproof run", "`eval`"},
	{"eval \"failproof run $ARGS\"", "`eval`"},
	{"alias failproof=true; failproof run", "`alias`"},
	{"trap 'exit 0' EXIT; failproof run", "`trap`"},
	{"trap over EXIT\nover() { exit 0; }\nfailproof run", "`trap`"},
	{"trap 'exit 0' ERR\nfailproof run", "`trap`"},
	{"failproof() { command failproof \"$@\" || true; }; failproof run", notRead},
	{"gate() { failproof run; echo done; }; gate || exit 1", notRead},
	{"gate() { failproof run; }\ngate || true", notRead},
	{"set -n\nfailproof run", "`set`"},
	{"set $OPTIONS; failproof run", "`set`"},
	{"set +e; failproof run; rc=$?; rc=0; exit $rc", "`set`"},
	{"set +e; failproof run; rc=$?; read rc; exit $rc", "`set`"},
	{"set +e; failproof run; rc=$?; ((rc=0)); exit $rc", "`set`"},
	{"set +e; failproof run; echo; exit $?", "`set`"},
	{"failproof run || rc=$?; unset rc; exit ${rc:-0}", or},
	{"retry 3 failproof run", notKnown},
	{"echo suites | xargs failproof run", notKnown},
	{"sudo -b failproof run", notKnown},
	{"docker run -d ghcr.io/failproof/failproof:0.1.0 action", notKnown},
	{"docker run alpine sh -c 'failproof run || true'", notKnown},
	{"ssh host failproof run", notKnown},
	{"nix-shell --run 'failproof run'", notKnown},
	{"bash -c \"failproof run $ARGS\"", notKnown},
	{"while true; do failproof run || break; done", notRead},
	{"SH failproof run &> log", "error"},
	{"failproof run; if", "error"},

	// It does not run failproof.
	{"echo failproof run", none},
	{"echo 'first failproof run'", none},
	{"# failproof run", none},
	{"cat <<X\nfailproof run\nX", none},
	{"failproof validate", none},
	{"failproof validate run", none},
	{"grep -r 'failproof run' docs", none},
	{"npm run failproof", none},
	{"command -v failproof", none},
	{"failproof run --help", none},
	{"failproof run --base main --dry-run || true", none},
	{"failproof run --shard 1/2", none},
	{"failproof action --shard=1/2 --out a", none},
}

// settingsOf returns the script without its prefix, and the settings that the prefix names.
func settingsOf(script string) (string, Settings) {
	for prefix, s := range map[string]Settings{"BASH ": {ErrExit: true, PipeFail: true}, "PLAIN ": {}, "SH ": {ErrExit: true, POSIX: true}} {
		if rest, is := strings.CutPrefix(script, prefix); is {
			return rest, s
		}
	}
	return script, Settings{ErrExit: true}
}

func TestProve(t *testing.T) {
	for _, c := range scripts {
		r, err := Prove(settingsOf(c.script))
		got := r.Why
		switch {
		case err != nil:
			got = "error"
		case !r.Gate:
			got = none
		}
		if got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%q: %q, want %q", c.script, got, c.want)
		}
	}
}

// A script that is proven fails in bash, whichever of its commands with failproof fails.
func TestProvenScriptsFail(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	const program = "#!/bin/sh\necho >>\"$CALLS\"\n[ $(wc -l <\"$CALLS\") != \"$FAILS\" ] || exit 7\n"
	for name, text := range map[string]string{"failproof": program, "bin/failproof": program, "docker": program, "npx": program, "go": program,
		"sudo": program, "make": "#!/bin/sh\n", "jq": "#!/bin/sh\n", "prompts/x": "", "x/bin/activate": ""} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	calls := filepath.Join(dir, "calls")
	run := func(script string, s Settings, fails int) (code, called int) {
		_ = os.Remove(calls)
		flags := []string{"-c", expression.ReplaceAllString(script, "x")}
		if s.ErrExit {
			flags = append([]string{"-e"}, flags...)
		}
		if s.PipeFail {
			flags = append([]string{"-o", "pipefail"}, flags...)
		}
		cmd := exec.CommandContext(t.Context(), bash, flags...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "CALLS="+calls, "RUNNER_TEMP="+dir, fmt.Sprint("FAILS=", fails))
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(calls)
		return cmd.ProcessState.ExitCode(), strings.Count(string(text), "\n")
	}
	check := func(script string, s Settings) {
		code, called := run(script, s, 0)
		if code == 0 && called == 0 {
			t.Errorf("%q, %+v passes without failproof", script, s)
		}
		for fails := range called {
			if code, _ := run(script, s, fails+1); code == 0 {
				t.Errorf("%q, %+v passes if command %d with failproof fails", script, s, fails+1)
			}
		}
	}
	for _, c := range scripts {
		if script, s := settingsOf(c.script); c.want == proven {
			check(script, s)
			if code, called := run(script, s, 0); code != 0 || called == 0 {
				t.Errorf("%q, %+v ends with %d after %d commands with failproof, which pass", script, s, code, called)
			}
		}
	}
	random, checked := rand.New(rand.NewPCG(1, 2)), 0
	for i := 0; i < 20_000 && checked < 120; i++ {
		script, s := randomScript(random), Settings{ErrExit: random.IntN(2) == 0, PipeFail: random.IntN(2) == 0}
		if r, err := Prove(script, s); err == nil && r.Gate && r.Why == "" && len(script) > 24 {
			check(script, s)
			checked++
		}
	}
	if checked < 120 {
		t.Errorf("only %d random scripts were proven", checked)
	}
}

// randomScript returns a script of commands that run failproof, and others.
func randomScript(random *rand.Rand) (script string) {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	for range 1 + random.IntN(4) {
		command := pick("failproof run", "failproof run", "failproof run", "true", "false", "cd .", "set -e", "set -o pipefail", "set +e", "set +o pipefail", "exit", "exit 0",
			"x=1", "exec true", "shopt -u x", "trap 'exit 0' EXIT", "failproof() { true; }", "eval 'exit 0'", "command exit 0")
		command = fmt.Sprintf(pick("%s", "%s", "%s", "%s", "(%s)", "{ %s; }", "! %s", "if %s; then :; fi", "if true; then %s; fi", "echo $(%s)", "%s | cat", "true | %s", "time %s"), command)
		script += command + pick("\n", "\n", "; ", " && ", " && ", " || ", " & ", " | ")
	}
	return strings.TrimRight(script, "\n;&| ")
}

func TestTemplates(t *testing.T) {
	for template, want := range map[string]Settings{
		"bash --noprofile --norc -eo pipefail {0}": {ErrExit: true, PipeFail: true},
		"bash -el {0}":                       {ErrExit: true},
		"/usr/bin/bash -euo pipefail {0}":    {ErrExit: true, PipeFail: true},
		"bash -u -o pipefail -o errexit {0}": {ErrExit: true, PipeFail: true},
		"bash {0}":                           {},
		"bash -xo verbose {0}":               {},
		"sh -e {0}":                          {POSIX: true, ErrExit: true},
		"dash {0}":                           {POSIX: true},
	} {
		if got, known := ParseTemplate(template); got != want || !known {
			t.Errorf("%q: %+v, %v, want %+v", template, got, known, want)
		}
	}
	for _, template := range []string{"", "bash", "bash -n {0}", "bash -en {0}", "bash -o noexec {0}", "bash -t {0}", "bash +e {0}", "bash {0} x", "bash -c true {0}",
		"bash --version {0}", "bash -e {0} || true", "bash -e $FLAGS {0}", "true {0}", "cat {0}", "pwsh", "rbash {0}", "zsh -e {0}", "bash -e /dev/null {0}"} {
		if _, known := ParseTemplate(template); known {
			t.Errorf("%q is known", template)
		}
	}
}

// A workflow of a stranger's checkout is read too.
func TestAScriptThatIsABomb(t *testing.T) {
	calls := "failproof run\n"
	for i := range 20 {
		calls += fmt.Sprintf("f%d() { %s }\n", i, strings.Repeat(fmt.Sprintf("f%d; ", i+1), 10))
	}
	choices := "failproof run\n"
	for i := range 30 {
		choices += fmt.Sprintf("x && v%d=1; ", i)
	}
	for _, script := range []string{
		calls + "f0", calls + "trap f0 EXIT", choices,
		"failproof run; " + strings.Repeat("while x; do ", 800) + "y; " + strings.Repeat("done; ", 800),
		"failproof run; x=1; while y; do x=$x$x1; z=1$z; w=1$w; done",
		strings.Repeat("(", maxScript-1), strings.Repeat("$(", maxScript/2-1), strings.Repeat("{ ", maxScript/2-1), strings.Repeat("((", maxScript/2-1),
		strings.Repeat("! ", maxScript/2-1), strings.Repeat("a|", maxScript/2-1) + "b", "failproof run" + strings.Repeat(" && a", maxScript/6),
		strings.Repeat("a&&", maxScript/3-9) + "failproof run", strings.Repeat("a|", maxScript/2-9) + "failproof run", "failproof run" + strings.Repeat("|a", maxScript/2-9),
		strings.Repeat("(", 1000) + "failproof run || true" + strings.Repeat(")", 1000), strings.Repeat("x", maxScript+1), "f() { f; }; f; failproof run",
	} {
		begun := time.Now()
		_, _ = Prove(script, Settings{ErrExit: true})
		if d := time.Since(begun); d > 5*time.Second {
			t.Errorf("%.40q takes %s", script, d)
		}
	}
}
