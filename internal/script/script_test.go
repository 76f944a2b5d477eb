package script

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

func judged(s Script, output any) string {
	v, err := s.Evaluate(output, map[string]string{"name": "Ada", "least": "3"})
	if err != nil {
		return "fault: " + err.Error()
	}
	out := map[bool]string{true: "pass", false: "fail"}[v.Pass]
	for _, more := range []string{v.Score, v.Reason} {
		if more != "" {
			out += " " + more
		}
	}
	return out
}

func TestAScriptJudges(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"output.includes('a')", "pass"},
		{"output.includes('z')", "fail"},
		{"return output.length < 100;", "pass"},
		{"console.log(output, context); return console.error('x') === undefined", "pass"},
		{"output.includes('a')\n  && !output.includes('z')", "pass"},
		{"// a comment\nconst words = output.split(' ');\nreturn words.length >= 2;", "pass"},
		{"let n = 0; for (const c of output) if (c === 'a') n++; return n;", "pass 4"},
		{"JSON.parse('{\"a\": [1, 2]}').a.length === 2", "pass"},
		{"try { return JSON.parse(output).ok } catch (e) { return false }", "fail"},
		{"output.includes(context.vars.name)", "fail"},
		{"output.length > context.vars.least", "pass"},
		{"`${context.vars.name}!` === 'Ada!'", "pass"},
		{"['x', 'an'].some(w => output.includes(w))", "pass"},
		{"/(?<=b)an(?=a)/u.test(output)", "pass"},
		{"output.match(/z/)", "fail"},
		{"output.match(/a/)", "pass"},
		{"0", "fail 0"},
		{"0.25", "pass 0.25"},
		{"NaN", "fail NaN"},
		{"({ pass: true, score: 0.5, reason: 'good' })", "pass 0.5 good"},
		{"return { pass: false, score: 0, reason: 'too short' };", "fail 0 too short"},
		{"new Date('2026-02-30').getTime() > 0 && new Date(2026, 0, 1).getFullYear() === 2026", "pass"},
		{"function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } return f(12) === 144", "pass"},
		{"Object.entries({ b: 1, a: 2 }).map(([k, v]) => k + v).join() === 'b1,a2'", "pass"},
		{"", "fault: the script returned nothing"},
		{"const a = 1;", "fault: the script returned nothing"},
		{"({ score: 1 })", "fault: the script returned an object without a `pass` of true or false"},
		{"() => true", "fault: the script returned a function"},
		{"const a = 1;\nreturn a.b.c;", "fault: TypeError: cannot read property 'c' of undefined (line 2 of the script)"},
		{"const a = ;", "fault: SyntaxError: unexpected token in expression: ';' (line 1 of the script)"},
		{"JSON.parse(output).a", "fault: SyntaxError: unexpected token: 'banana' (line 1 of the script)"},
		{"throw null", "fault: null"},
		{"throw new Error('')", "fault: Error: "},
		{"throw { toString() { return '' } }", "fault: an error"},
	} {
		if got := judged(Script{Source: c.source}, "banana bread"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s; want %s", c.source, got, c.want)
		}
	}
}

func TestOnlyAScriptThatSeemsToReadVariablesGetsThem(t *testing.T) {
	for _, c := range []struct {
		script Script
		want   string // "": it does not seem to
	}{
		{Script{Source: "output.length < 300"}, ""},
		{Script{Source: "output"}, ""},
		{Script{Source: "context.vars.name"}, "pass"},
		{Script{Source: "arguments[1].vars.name"}, "pass"},
		{Script{Source: "eval('con' + 'text').vars.name"}, "pass"},
		{Script{Source: `cont\u0065xt.vars.name`}, "pass"},
		{Script{Source: `output === "Ada"`, Transform: "context.vars.name"}, "pass"},
		// ends the function that JavaScript puts around the script, and begins one with other names
		{Script{Source: "1) }), (function (a, b) { return (b.vars.name === undefined"}, ""},
	} {
		if got := judged(c.script, "banana"); c.script.ReadsVars() != (c.want != "") || !strings.HasPrefix(got, "pass") {
			t.Errorf("%+v: %s, reads variables: %v", c.script, got, c.script.ReadsVars())
		}
	}
}

func TestASyntaxErrorIsFoundWithoutARun(t *testing.T) {
	for _, c := range []struct{ source, transform, want string }{
		{"for (;;);", "throw 1", ""},
		{"return output.length;", "", ""},
		{"", "", ""},
		{"const a = 1;\nconst b = ;", "", "SyntaxError: unexpected token in expression: ';' (line 2 of the script)"},
		{"output.foo(", "", "SyntaxError: the script ends too early, or has a brace too many (line 1 of the script)"},
		{"if (output) {\n", "", "SyntaxError: the script ends too early, or has a brace too many (line 1 of the script)"},
		{"true", "return output; }", "SyntaxError: the transform ends too early, or has a brace too many (line 1 of the transform)"},
		{"true", "output..x", "SyntaxError: expecting field name (line 1 of the transform)"},
	} {
		got := ""
		if err := (Script{Source: c.source, Transform: c.transform}).Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s, %s: %q; want %q", c.source, c.transform, got, c.want)
		}
	}
}

func TestALineOfCodeThatAScriptMakesIsNotOneOfTheScript(t *testing.T) {
	if got, want := judged(Script{Source: `new Function('\n\n}')`}, ""), "fault: SyntaxError: expecting ')'"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestAThresholdAndATransform(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		script Script
		want   string
	}{
		{Script{Source: "0.5", Threshold: &half}, "pass 0.5"},
		{Script{Source: "0.4", Threshold: &half}, "fail 0.4"},
		{Script{Source: "({ pass: true, score: 0.4 })", Threshold: &half}, "fail 0.4"},
		{Script{Source: "({ pass: true })", Threshold: &half}, "fail"},
		{Script{Source: "output.a === 1", Transform: "JSON.parse(output)"}, "pass"},
		{Script{Source: "output === '{'", Transform: "const first = output[0];\nreturn first;"}, "pass"},
		{Script{Source: "true", Transform: "1;\noutput.b.c"}, "fault: TypeError: cannot read property 'c' of undefined (line 2 of the transform)"},
	} {
		if got := judged(c.script, `{"a": 1}`); got != c.want {
			t.Errorf("%+v: %s; want %s", c.script, got, c.want)
		}
	}
}

func TestTextsArriveAsTheyAre(t *testing.T) {
	for _, text := range []string{"", "a\x00b", "é🙂\u2028", `"\`, strings.Repeat("long ", 200_000)} {
		v, err := Script{Source: "({ pass: true, reason: output.slice(0, 1000) })"}.Evaluate(text, nil)
		if want := text[:min(1000, len(text))]; err != nil || v.Reason != want {
			t.Errorf("%.20q came back as %.20q: %v", text, v.Reason, err)
		}
	}
	calls := []map[string]any{{"function": map[string]string{"name": "refund", "arguments": `{"order":"A-1"}`}}}
	if got := judged(Script{Source: "JSON.parse(output[0].function.arguments).order === 'A-1'"}, calls); got != "pass" {
		t.Errorf("a call: %s", got)
	}
}

// slow is how long a script may take on a machine that does much else.
const slow = 30 * time.Second

func TestAScriptIsBounded(t *testing.T) {
	const steps, memory = "fault: it takes more steps than a script may", "fault: "
	for _, c := range []struct{ source, want string }{
		{"for (;;);", steps},
		{"/(a+)+$/.test('a'.repeat(60) + 'b')", steps},
		{"[].indexOf.call({ length: 2 ** 53 - 1 }, 1)", steps},
		{"let s = 'x'.repeat(1e7); for (;;) s = s.slice(1)", steps},
		{"for (;;) new Uint8Array(1e7).fill(7)", steps},
		{"throw { get message() { for (;;); } }", steps},
		{"return { get pass() { for (;;); } }", steps},
		{"return new Proxy({}, { get() { for (;;); } })", steps},
		{"return { pass: true, score: 1, get reason() { return 'x'.repeat(1e9) } }", "fault: "},
		{"Array.prototype.sort.call({ length: 1e9 }, () => 1)", memory},
		{"'x'.repeat(2 ** 30)", memory},
		{"new Array(2 ** 32 - 1).fill(0)", memory},
		{"new ArrayBuffer(2 ** 31 - 1)", memory},
		{"let s = 'ab'; for (;;) s += s", memory},
		{"JSON.stringify('\\n'.repeat(2e7))", memory},
		{"JSON.parse('['.repeat(1e6))", memory},
		{"const f = () => f(); f()", memory},
		{"let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a)", memory},
		{"eval('('.repeat(1e6))", memory},
		{"new RegExp('('.repeat(1e6))", memory},
		{"2n ** (2n ** 40n)", memory},
		{"Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)", memory},
		{"let a = []; for (;;) a.push(new Array(1000).fill({}))", memory},
	} {
		began := time.Now()
		first := judged(Script{Source: c.source}, "banana")
		took := time.Since(began)
		if second := judged(Script{Source: c.source}, "banana"); !strings.HasPrefix(first, c.want) || second != first || took > slow {
			t.Errorf("%s: %s, then %s, in %s; want %s", c.source, first, second, took, c.want)
		}
	}
	if got := judged(Script{Source: "output === 'banana'"}, "banana"); got != "pass" {
		t.Errorf("after all these: %s", got)
	}
}

// A script that catches what it can is bounded all the same.
func TestNoCatchEscapesABound(t *testing.T) {
	for _, source := range []string{
		"for (;;) { try { for (;;) 'x'.repeat(2 ** 29) } catch {} }",
		"function f() { try { f() } finally { f() } } f()",
		"for (;;) { try { (function g() { g() })() } catch {} }",
	} {
		if got := judged(Script{Source: source}, ""); !strings.HasPrefix(got, "fault: it takes more steps") {
			t.Errorf("%s: %s", source, got)
		}
	}
}

func TestAScriptReachesNothing(t *testing.T) {
	for _, name := range []string{"require", "process", "fetch", "print", "std", "os", "scriptArgs", "WebAssembly", "Intl", "setTimeout", "module", "globalThis.constructor.constructor('return process')()",
		"this.process", "output.constructor.constructor('return fetch')()", "(async () => {}).constructor('return Deno')"} {
		if got := judged(Script{Source: "let found = 'none'; try { found = typeof (" + name + ") } catch {} return found === 'undefined' || found === 'none' || found === 'function' && " +
			"String(" + name + ").includes('Deno')"}, ""); got != "pass" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, source := range []string{"import('os')", "import os from 'os'; return true", "await 1", "new Function('return import(\"std\")')()"} {
		if got := judged(Script{Source: source}, ""); !strings.HasPrefix(got, "fault: ") {
			t.Errorf("%s: %s", source, got)
		}
	}
}

func TestThereIsNoClockAndNoChance(t *testing.T) {
	for source, want := range map[string]string{
		"Date.now()":                                     "fault: Error: a script has no clock",
		"new Date()":                                     "fault: Error: a script has no clock",
		"Date()":                                         "fault: Error: a script has no clock",
		"new (new Date(0).constructor)()":                "fault: Error: a script has no clock",
		"Reflect.construct(Date, [])":                    "fault: Error: a script has no clock",
		"class T extends Date {} return new T()":         "fault: Error: a script has no clock",
		"Math.random()":                                  "fault: Error: a script has no random numbers",
		"new Date(0).getTimezoneOffset() === 0":          "pass",
		"new Date(0).toLocaleString('de-DE').length":     "pass",
		"new Date(1e12).getHours() === 1":                "pass",
		"(1234.5).toLocaleString('de') === '1234.5'":     "pass",
		"'ä'.localeCompare('z') > 0":                     "pass",
		"'İ'.toLocaleLowerCase('tr').length === 2":       "pass",
		"[3, 1, 2].sort().join() === '1,2,3'":            "pass",
		"Object.keys({ 2: 0, b: 0, 1: 0, a: 0 }).join()": "pass",
	} {
		if got := judged(Script{Source: source}, ""); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s; want %s", source, got, want)
		}
	}
	const all = "const a = Array.from({ length: 600 }, (_, i) => ({ k: i * 7919 % 5, i })); a.sort((x, y) => x.k - y.k);" +
		"return { pass: true, reason: a.map(x => x.i).join() + new Date(5e11) + Math.sin(1e6) + 0.1 * 3 + Object.keys(globalThis) + Error('e').stack }"
	first := judged(Script{Source: all}, "")
	for range 20 {
		if got := judged(Script{Source: all}, ""); got != first {
			t.Fatalf("%s\nand then\n%s", first, got)
		}
	}
}

func TestNoScriptSeesAnother(t *testing.T) {
	for _, source := range []string{
		"globalThis.left = 1; return true", "Object.prototype.left = 1; return true", "String.prototype.includes = () => true; return true",
		"JSON.stringify = JSON.parse = Function.prototype.apply = () => { throw 1 }; return true", "Array.isArray = () => true; return true",
	} {
		if got := judged(Script{Source: source}, ""); got != "pass" {
			t.Errorf("%s: %s", source, got)
		}
		if got := judged(Script{Source: "typeof left === 'undefined' && !output.includes('z') && JSON.stringify([]) === '[]' && !Array.isArray(1)"}, "a"); got != "pass" {
			t.Errorf("after %s: %s", source, got)
		}
	}
	// What a script writes is no verdict unless it is one.
	if got := judged(Script{Source: "Object.prototype.toJSON = () => 'x'; return true"}, ""); got != "fault: the script changed how results are written" {
		t.Errorf("a result in another form: %s", got)
	}
}

func TestScriptsRunSideBySide(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 10 {
				if got := judged(Script{Source: "output"}, float64(i+1)); !strings.HasPrefix(got, "pass "+string(rune('1'+i))) {
					t.Errorf("%d: %s", i+1, got)
				}
			}
		})
	}
	all.Wait()
}

// Where the module is not compiled to instructions of the processor, which it is on all that is released, it judges and
// counts the same. Only calls deeper than 2000 end there as a fault that no script can catch.
func TestTheInterpreterJudgesAndCountsAlike(t *testing.T) {
	compiled, err := sharedEngine()
	if err != nil {
		t.Fatal(err)
	}
	interpreted, err := newEngine(wazero.NewRuntimeConfigInterpreter())
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{
		"output.includes('a')", "const f = () => f(); f()", "JSON.parse('['.repeat(500) + ']'.repeat(500)).length", "let s = 'ab'; for (;;) s += s", "/(a+)+$/.test('a'.repeat(12) + 'b')",
		"Math.sin(1e6) + 0.1 * 3 + Math.exp(1) > 0", "Array.from({ length: 300 }, (_, i) => i * 7919 % 601).sort((a, b) => a - b).join().length", "output.a.b",
	} {
		input, _ := json.Marshal(map[string]any{"source": source, "output": "banana", "vars": map[string]string{}})
		var said [2]string
		var left [2]uint64
		for i, e := range []*engine{compiled, interpreted} {
			m, err := e.takeMachine()
			if err != nil {
				t.Fatal(err)
			}
			m.fuel.Set(maxSteps)
			said[i] = e.callEntry(m, string(input))
			if left[i] = m.fuel.Get(); m.err != nil {
				t.Error(m.err)
			}
		}
		if said[0] != said[1] || left[0] != left[1] {
			t.Errorf("%s: %s with %d steps left, interpreted %s with %d", source, said[0], left[0], said[1], left[1])
		}
	}
}

// The engine is the file of @jitl/quickjs-wasmfile-release-sync 0.32.0, byte for byte.
func TestTheEngineIsThePublishedOne(t *testing.T) {
	sum := sha256.Sum256(quickJS)
	if got := hex.EncodeToString(sum[:]); got != "105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232" {
		t.Errorf("its SHA-256 is %s", got)
	}
}

func TestAModuleThatIsNoneIsNotMetered(t *testing.T) {
	for _, module := range [][]byte{nil, []byte("text"), quickJS[:100], quickJS[:200_000]} {
		if _, err := addMeter(bytes.Clone(module), 1, 2); err == nil {
			t.Errorf("%d bytes were metered", len(module))
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	for b.Loop() {
		judged(Script{Source: "output.includes('a')"}, "banana")
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := newEngine(wazero.NewRuntimeConfig()); err != nil {
			b.Fatal(err)
		}
	}
}
