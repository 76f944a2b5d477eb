package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const application = `url: https://shop.example.com/chat, body: { q: "{{ prompt }}" }, answer: response.json.reply`

func TestEveryKeyOfAnApplicationAndOfAnEndpointIsRead(t *testing.T) {
	cfg, ds := load(`version: 1
targets:
  app:
    provider: http
    url: https://shop.example.com/v1/chat?tenant=acme
    method: PUT
    headers: { x-b: { env: B_TOKEN, prefix: "Token " }, X-A: plain }
    api_key_env: APP_KEY
    model: m
    max_tokens: 9
    body: { q: "{{ prompt }}", m: "{{ model }}", o: "{{ parameters }}", lang: "{{ vars.lang }}" }
    answer: { text: response.json.a, refusal: response.json.b, finish_reason: response.json.c, model: response.json.d, usage: response.json.e }
  cloud: { provider: anthropic, model: m, api_key_file: /var/run/token, base_url: "http://gateway:8080", allow_http: true, structured_output: true }
  deep: { provider: openai, model: m, api: responses, reasoning_effort: high, extra_body: { top_k: 5, metadata: { b: [1, true], a: null } } }
  seeded: { provider: openai, model: m, seed: 0, stop: ["END", "\n"] }
  replay: { provider: recorded, path: r.jsonl }
`)
	matches(t, ds)
	app := cfg.Targets["app"]
	if app.HTTP.URL != "https://shop.example.com/v1/chat?tenant=acme" || app.HTTP.Method != "PUT" || *app.MaxTokens != 9 ||
		app.HTTP.Body.String() != `{"lang":"{{ vars.lang }}","m":"{{ model }}","o":"{{ parameters }}","q":"{{ prompt }}"}` ||
		app.HTTP.Answer.String() != "text: response.json.a; refusal: response.json.b; finish_reason: response.json.c; model: response.json.d; usage: response.json.e" {
		t.Errorf("app is %+v", app)
	}
	if diff := cmp.Diff([]Header{{Name: "X-A", Value: "plain"}, {Name: "x-b", Value: "Token ", Env: "B_TOKEN"}}, app.Headers); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"APP_KEY", "B_TOKEN"}, app.EnvVars()); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(CaseInputs{Vars: []string{"lang"}, Schema: true}, cfg.Targets["replay"].Inputs); diff != "" {
		t.Errorf("a recording holds for what any live target takes (-want +got):\n%s", diff)
	}
	for name, want := range map[string]map[string]string{
		"app": {"url": "https://shop.example.com/v1/chat?tenant=acme", "method": "PUT", "headers": "X-A: plain; x-b: Token …",
			"body": "sha256:", "answer": "sha256:"},
		"cloud":  {"structured_output": "true"},
		"deep":   {"api": "responses", "reasoning_effort": "high", "extra_body": `{"metadata":{"a":null,"b":[1,true]},"top_k":5}`},
		"seeded": {"seed": "0", "stop": `["END" "\n"]`},
		"replay": nil,
	} {
		got := cfg.Targets[name].Settings()
		for key, value := range got {
			if strings.HasPrefix(value, "sha256:") && len(value) == len("sha256:")+32 {
				got[key] = "sha256:"
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("settings of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestALongSettingIsShownByItsDigest(t *testing.T) {
	for length, digest := range map[int]bool{60: false, 61: true} {
		target := Target{Provider: "openai", ExtraBody: strings.Repeat("x", length)}
		if got := target.Settings()["extra_body"]; strings.HasPrefix(got, "sha256:") != digest {
			t.Errorf("a setting of %d bytes is shown as %s", length, got)
		}
	}
}

func TestFaultsOfApplicationsAndEndpoints(t *testing.T) {
	openai := func(rest string) string { return "targets: { a: { provider: openai, model: m, " + rest + " } }\n" }
	app := func(rest string) string { return "targets: { a: { provider: http, " + rest + " } }\n" }
	for _, c := range []struct {
		rule string
		text string
		want []string
	}{
		{"an application has what it needs", app("method: PUT"), []string{"2:15 missing-key: `url`", "2:15 missing-key: `body`", "2:15 missing-key: `answer`"}},
		{"a plain one is sound", app(application), nil},
		{"its keys go with no other", openai("url: \"https://x.org\", body: { a: \"{{ prompt }}\" }, answer: response.json"),
			[]string{"2:45 contradiction: `url`", "2:67 contradiction: `body`", "2:96 contradiction: `answer`"}},
		{"those of an endpoint go with no application", app(application + ", seed: 1, reasoning_effort: low, base_url: \"https://x.org\", structured_output: true"),
			[]string{"2:127 contradiction: `seed`", "2:136 contradiction: `reasoning_effort`", "2:159 contradiction: `base_url`", "2:186 contradiction: `structured_output`"}},
		{"GET has no place for a prompt", app(application + ", method: GET"), []string{"2:135 enum: …POST"}},
		{"an address is https", app(strings.Replace(application, "https", "http", 1)), []string{"2:38 url: …allow_http"}},
		{"an address holds no password", app(strings.Replace(application, "https://", "https://me:secret@", 1)), []string{"2:38 url: url \"https://…@shop.example.com/chat\" contains a user"}},
		{"nor a key", app(strings.Replace(application, "/chat", "/chat?key=sk-0123456789abcdefghij", 1)), []string{"2:38 url: …contains something like a key"}},
		{"nor a fragment, or a query without anything", app(strings.Replace(application, "/chat", "/chat?", 1)), []string{"2:38 url: …has a fragment or an empty query"}},
		{"in either place", app(`url: "https://x.org/chat#top", body: { q: "{{ prompt }}" }, answer: response.json.reply`), []string{"2:38 url: …has a fragment or an empty query"}},
		{"nor a place", app(strings.Replace(application, "url: https://shop.example.com/chat", `url: "https://shop.example.com/{{ prompt }}"`, 1)), []string{"2:38 url: …only the body can"}},
		{"a body sends something of the case", app(strings.Replace(application, "{{ prompt }}", "hello", 1)), []string{"2:69 body: …contains nothing of a case"}},
		{"a place is one that there is", app(strings.Replace(application, "{{ prompt }}", "{{ env.KEY }}", 1)), []string{"2:80 body: in body: {{ env.KEY }} is not known"}},
		{"an expression compiles", app(strings.Replace(application, "response.json.reply", "request.reply", 1)), []string{"2:106 expression: …unknown name request"}},
		{"and is told from where it does not, counted in characters", app(strings.Replace(application, "response.json.reply", `"'äää' + jsn"`, 1)), []string{"2:106 expression: …unknown name jsn; an expression reads `response` at \"jsn\""}},
		{"from its second character on, too", app(strings.Replace(application, "response.json.reply", "(jsn)", 1)), []string{"2:106 expression: …unknown name jsn; an expression reads `response` at \"jsn)\"; it sees"}},
		{"not if it is all of it", app(strings.Replace(application, "response.json.reply", "jsn", 1)), []string{"2:106 expression: …unknown name jsn; an expression reads `response`; it sees"}},
		{"an answer has a text", app(strings.Replace(application, "response.json.reply", "{ model: response.json.m }", 1)), []string{"2:106 missing-key: "}},
		{"what the body has no place for is not set", app(application + ", model: m, temperature: 0"),
			[]string{"2:127 contradiction: `model` is not sent", "2:137 contradiction: `temperature` is not sent"}},
		{"what it has a place for is", app(strings.Replace(application, "q:", `m: "{{ model }}", q:`, 1)), []string{"2:15 missing-key: `model`"}},

		{"a key does not stand in a file", openai("headers: { Authorization: Bearer abc }"), []string{"2:71 header: …{ env: NAME }"}},
		{"nor under another name", openai("headers: { X-Tok: sk-0123456789abcdefghij }"), []string{"2:63 header: …contains a key"}},
		{"a header's variable is none of the runner", openai("headers: { X-Tok: { env: ACTIONS_RUNTIME_TOKEN } }"), []string{"2:70 reserved-variable: headers names \"ACTIONS_RUNTIME_TOKEN\""}},
		{"in letters of either case", app(application + ", headers: { X-Tok: { env: github_token } }"), []string{"2:152 reserved-variable: "}},
		{"a header is no template", openai("headers: { X-Tok: \"{{ prompt }}\" }"), []string{"2:63 header: …sent as written"}},
		{"the connection's headers are not set", openai("headers: { Host: evil.example, content-length: \"1\", Proxy-Authorization: { env: X } }"),
			[]string{"2:56 header: ", "2:76 header: ", "2:97 header: "}},
		{"a header has no line break", openai(`headers: { X-A: "a\r\nX-B: c" }`), []string{"2:61 "}},
		{"a header is there once", openai("headers: { X-A: a, x-a: b }"), []string{"2:64 header: …twice"}},
		{"a key goes into one header once", openai("api_key_env: K, headers: { Authorization: { env: X } }"), []string{"2:70 contradiction: "}},
		{"a key's file is outside of the repository", openai("api_key_file: keys/token"), []string{"2:59 path: …outside of the repository"}},
		{"and takes no way back", openai("api_key_file: /tmp/../proc/self/environ"), []string{"2:59 path: "}},
		{"and is no view of a process", openai("api_key_file: /proc/self/environ"), []string{"2:59 path: "}},
		{"nor a device", openai("api_key_file: /dev/stdin"), []string{"2:59 path: "}},
		{"nor a folder up, at its end or in the other way to write it", openai(`api_key_file: 'C:\keys\..'`), []string{"2:59 path: "}},
		{"of Windows too", openai(`api_key_file: 'C:\keys\token'`), nil},
		{"with either slash", openai("api_key_file: 'C:/keys/token'"), nil},
		{"below a drive's root", openai("api_key_file: 'C:keys'"), []string{"2:59 path: "}},
		{"a drive alone is no file", openai("api_key_file: 'C:'"), []string{"2:59 path: "}},
		{"a key has one place", openai("api_key_file: /run/token, api_key_env: K"), []string{"2:45 contradiction: "}},
		{"what the target sets is not added", openai("extra_body: { model: x, stream: true, max_tokens: 5 }"),
			[]string{"2:59 extra-body: …`model`", "2:69 extra-body: …failproof sets", "2:83 extra-body: …`max_tokens`"}},
		{"each API has its own members", openai("api: responses, extra_body: { max_output_tokens: 5, stop: x, store: true }"),
			[]string{"2:75 extra-body: …`max_tokens`", "2:106 extra-body: …failproof sets"}},
		{"what is added is bounded", openai("extra_body: { a: \"" + strings.Repeat("x", 17<<10) + "\" }"), []string{"2:57 extra-body: …16384"}},
		{"and holds no key", openai("extra_body: { a: sk-0123456789abcdefghij }"), []string{"2:57 extra-body: …contains something like a key"}},
		{"Responses takes no seed and no stop", openai("api: responses, seed: 1, stop: [x]"), []string{"2:61 contradiction: ", "2:70 contradiction: "}},
		{"a private name may be plain where it is allowed", openai("allow_http: true, base_url: \"http://ollama:11434\""), nil},
		{"and an address in digits", app("allow_http: true, " + strings.Replace(application, "https://shop.example.com", "http://10.1.2.3:80", 1)), nil},
		{"also if it is one of IPv4 in the form of IPv6", openai("allow_http: true, base_url: \"http://[::ffff:100.64.0.7]\""), nil},
		{"a public one is not", openai("allow_http: true, base_url: \"http://93.184.216.34\""), []string{"2:73 base-url: …not a private address"}},
		{"the cloud's own is none", openai("allow_http: true, base_url: \"http://169.254.169.254\""), []string{"2:73 base-url: …not a private address"}},
		{"and without the word it is not allowed", openai("base_url: \"http://ollama:11434\""), []string{"2:55 base-url: …allow_http"}},
		{"embeddings have no such word", "semantic: { provider: http, model: m, endpoint: \"http://ollama:11434\" }\n", []string{"2:49 base-url: "}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := load("version: 1\n" + c.text)
			matches(t, ds, c.want...)
		})
	}
}

// live is a base with one target of each kind, and everything set that a head could want otherwise.
const live = `version: 1
targets:
  app: { provider: http, url: https://shop.example.com/chat, method: POST, headers: { X-Tenant: acme, X-Token: { env: APP_TOKEN } }, api_key_env: KEY,
         model: small, body: { q: "{{ prompt }}", m: "{{ model }}" }, answer: response.json.reply }
  gpt: { provider: openai, model: small, api: chat, reasoning_effort: low, seed: 1, stop: [END], extra_body: { top_k: 5 }, headers: { X-Tenant: acme },
         api_key_file: /run/token, base_url: "https://api.example.com/v1", structured_output: false }
`

// B1: a pull request never says where a key goes, which one, or what an answer is.
func TestAHeadDoesNotTakeTheTargetOfTheBase(t *testing.T) {
	for _, c := range []struct {
		rule, from, to string
		want           string // the change that is told; "" for one that is the head's
	}{
		{"the address", "shop.example.com", "evil.example", "targets.app.url"},
		{"the method", "method: POST", "method: PUT", "targets.app.method"},
		{"a header's variable", "env: APP_TOKEN", "env: OTHER", "targets.app.headers"},
		{"a variable more", "X-Tenant: acme, X-Token", "X-More: { env: OTHER }, X-Tenant: acme, X-Token", "targets.app.headers"},
		{"a header's value", "headers: { X-Tenant: acme }", "headers: { X-Tenant: other }", "targets.gpt.headers"},
		{"the key's variable", "api_key_env: KEY", "api_key_env: OTHER", "targets.app.api_key_env"},
		{"the body", `q: "{{ prompt }}"`, `q: "{{ prompt }} Say what passes."`, "targets.app.body"},
		{"the expression", "answer: response.json.reply", `answer: '"what passes"'`, "targets.app.answer"},
		{"the key's file", "/run/token", "/home/runner/secret", "targets.gpt.api_key_file"},
		{"the API", "api: chat", "api: chat, top_p: 1", "targets.gpt.top_p"},
		{"how much it thinks", "reasoning_effort: low", "reasoning_effort: high", "targets.gpt.reasoning_effort"},
		{"the seed", "seed: 1", "seed: 2", "targets.gpt.seed"},
		{"where answers end", "stop: [END]", "stop: [Never]", "targets.gpt.stop"},
		{"what is added", "top_k: 5", "top_k: 6", "targets.gpt.extra_body"},
		{"whether schemas are sent", "structured_output: false", "structured_output: true", "targets.gpt.structured_output"},
		{"whether anybody may listen", `"https://api.example.com/v1"`, `"http://api:80/v1", allow_http: true`, "targets.gpt.allow_http"},
		{"the model is the head's, in its place", "provider: http, url: https://shop.example.com/chat, method: POST", "provider: http, url: https://shop.example.com/chat, method: POST, max_tokens: 5", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			head := strings.Replace(live, c.from, c.to, 1)
			if c.want == "" {
				head = strings.Replace(live, "model: small, body", "model: large, body", 1)
			}
			if head == live {
				t.Fatal("the head is the base")
			}
			for _, fork := range []bool{false, true} {
				effective, told, _ := settled(t, live, head, fork)
				want, _ := load(live)
				if c.want == "" && !fork {
					app := want.Targets["app"]
					app.Model = "large"
					want.Targets["app"] = app
				}
				if diff := cmp.Diff(want.Targets, effective.Targets, same); diff != "" {
					t.Errorf("fork %v: targets (-base +effective):\n%s", fork, diff)
				}
				if c.want != "" && !slices.ContainsFunc(told, func(s string) bool { return strings.HasPrefix(s, c.want+": ") }) {
					t.Errorf("fork %v: changes %v, want one of %s", fork, told, c.want)
				}
			}
		})
	}
}

// Whoever changes what a case is sent records its answers anew in the same change: failproof record asks by the head's
// configuration.
func TestRecordedAnswersHoldForWhatTheHeadsTargetsAreSent(t *testing.T) {
	const recorded = "version: 1\ntargets:\n  replay: { provider: recorded, path: r.jsonl }\n"
	const app = `  app: { provider: http, url: "https://x.org", body: { q: "{{ prompt }}", id: "{{ vars.user }}" }, answer: response.json.a }` + "\n"
	taken := CaseInputs{Vars: []string{"user"}}
	for _, c := range []struct {
		rule, base, head string
		want             CaseInputs
	}{
		{"a change that adds an application", recorded, recorded + app, taken},
		{"one that takes it away", recorded + app, recorded, CaseInputs{}},
		{"one that leaves it", recorded + app, recorded + app, taken},
	} {
		effective, _, _ := settled(t, c.base, c.head, false)
		if diff := cmp.Diff(c.want, effective.Targets["replay"].Inputs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.rule, diff)
		}
	}
	head := strings.Replace(recorded+app, "{{ vars.user }}", "{{ vars.other }}", 1)
	effective, _, _ := settled(t, recorded+app, head, false)
	if diff := cmp.Diff(taken, effective.Targets["app"].Inputs); diff != "" {
		t.Errorf("the application itself is sent what the base says (-want +got):\n%s", diff)
	}
}

// A key of a target that is in no list would be taken from the base without a word, and one that clone forgets be
// shared.
func TestEveryKeyOfATargetIsComparedWithTheBases(t *testing.T) {
	listed := map[string]bool{}
	var names []string // of those that are the head's to change
	for _, k := range (&Target{}).keys() {
		if listed[k.key] = true; k.headMayChange {
			names = append(names, k.key)
		}
	}
	inSchema := slices.Sorted(maps.Keys(schema(t).Defs["target"].Properties))
	if want := slices.Sorted(maps.Keys(listed)); !slices.Equal(inSchema, want) {
		t.Errorf("keys in the schema: %v\ncompared: %v", inSchema, want)
	}
	if want := []string{"model", "temperature", "max_tokens"}; !slices.Equal(names, want) {
		t.Errorf("free are %v, want %v", names, want)
	}
}

func TestWhatACaseIsSentBesideItsMessages(t *testing.T) {
	vars := map[string]string{"a": "1", "b": "2"}
	for _, c := range []struct {
		takes CaseInputs
		want  string
	}{
		{CaseInputs{}, "null"},
		{CaseInputs{Vars: []string{"b", "c"}}, `{"b":"2"}`},
		{CaseInputs{Vars: []string{"c"}}, "null"},
		{CaseInputs{AllVars: true}, `{"a":"1","b":"2"}`},
		{CaseInputs{Vars: []string{"a"}}.union(CaseInputs{Vars: []string{"a", "b"}}), `{"a":"1","b":"2"}`},
	} {
		got, err := json.Marshal(c.takes.SentVars(vars))
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: Sent = %s, want %s", c.takes, got, c.want)
		}
	}
}
