package live

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
)

const canary = "sk-canary-9f8e7d6c5b4a"

// withKey has one value in every variable.
func withKey(value string) *Targets {
	return &Targets{options: Options{Getenv: func(string) string { return value }}}
}

// TestEveryLiveProviderHasAClient asks a target of each live provider. It also checks that a configuration may not name
// the key's header beside the key.
func TestEveryLiveProviderHasAClient(t *testing.T) {
	const ofModel, ofApplication = "model: m, base_url: URL", `url: URL, answer: { text: response.json }, body: { q: "{{ prompt }}" }`
	samples := map[string]struct{ keys, reply string }{
		"openai":    {ofModel, modeltest.Completion("Hi")},
		"anthropic": {ofModel, modeltest.Message("Hi")},
		"http":      {ofApplication, `"Hi"`},
		"exec":      {"command: [" + strconv.Quote(os.Args[0]) + "]", ""},
	}
	for _, name := range config.Providers() {
		sample, known := samples[name]
		switch live := (config.Target{Provider: name}).Live(); {
		case !live:
			continue
		case !known:
			t.Errorf("provider %s has no sample in this test; add one, and make its client in newClient", name)
			continue
		}
		server := modeltest.Serve(t, modeltest.JSON(sample.reply))
		load := func(more string) (*config.Config, []document.Diagnostic) {
			text := "version: 1\ntargets: { t: { provider: " + name + ", api_key_env: KEY, " + strings.ReplaceAll(sample.keys, "URL", server.URL) + more + " } }\n"
			return config.Load(fstest.MapFS{"failproof.yml": {Data: []byte(text)}}, "failproof.yml")
		}
		c, ds := load("")
		if c == nil {
			t.Fatalf("%s: %v", name, ds)
		}
		client, err := withKey(" " + canary + "\r\n").newClient(c.Targets["t"])
		if err != nil {
			t.Errorf("%s: %v; make its client in newClient", name, err)
			continue
		}
		defer client.Close()
		if sample.reply == "" {
			continue
		}
		got, err := client.Answer(t.Context(), model.Request{Model: "m", Messages: []model.Message{{Role: "user", Content: "Hello"}}})
		if err != nil || got.Text != "Hi" {
			t.Fatalf("%s: Answer = %+v, %v, want Hi", name, got, err)
		}
		sent := false
		for header, values := range server.Requests()[0].Header {
			if strings.TrimPrefix(values[0], "Bearer ") != canary {
				continue
			}
			sent = true
			if c, _ := load(", headers: { " + header + ": { env: OTHER } }"); c != nil {
				t.Errorf("a target of %s may set the header %s beside its key; name it as keyHeader in config/provider.go", name, header)
			}
		}
		if !sent {
			t.Errorf("%s was not sent the key", name)
		}
	}
}

func TestHeadersHaveTheValuesOfTheirVariables(t *testing.T) {
	server := modeltest.Serve(t, modeltest.Reply(401, `{"error":{"message":"no: tenant-canary-1234"}}`))
	values := map[string]string{"KEY": canary, "TENANT": " tenant-canary-1234\n"}
	l := &Targets{options: Options{Getenv: func(name string) string { return values[name] }}}
	c, err := l.newClient(config.Target{Name: "t", Provider: "openai", BaseURL: server.URL, APIKeyEnv: "KEY", TimeoutSeconds: 20, Headers: []config.Header{
		{Name: "X-Plain", Value: "a b"}, {Name: "x-tenant", Value: "Tenant ", Env: "TENANT"}, {Name: "User-Agent", Value: "own"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Answer(t.Context(), model.Request{Model: "m"})
	if err != nil || got.Failure == nil || strings.Contains(string(got.Failure.Message), "canary") {
		t.Errorf("Answer = %+v, %v, want a failure without a secret", got.Failure, err)
	}
	h := server.Requests()[0].Header
	if h.Get("X-Plain") != "a b" || h.Get("X-Tenant") != "Tenant tenant-canary-1234" || h.Get("User-Agent") != "own" || h.Get("Authorization") != "Bearer "+canary {
		t.Errorf("sent %v", h)
	}
}

func TestATargetWhoseKeyIsNotThereIsNotAsked(t *testing.T) {
	for name, target := range map[string]config.Target{
		"OPENAI_API_KEY": {Name: "fast", Provider: "openai", APIKeyEnv: "OPENAI_API_KEY"},
		"TENANT":         {Name: "fast", Provider: "openai", Headers: []config.Header{{Name: "X", Env: "TENANT"}}},
	} {
		c, err := withKey(" ").UnscheduledClient(target)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Answer(t.Context(), model.Request{Model: "m"})
		if err != nil || got.Failure == nil || !got.Failure.StopsTarget || !strings.Contains(string(got.Failure.Message), "the variable "+name+" is empty") {
			t.Errorf("Answer = %+v, %v, want a failure that names %s", got.Failure, err, name)
		}
	}
}

func TestATargetThatCannotBeAsked(t *testing.T) {
	for _, c := range []struct {
		rule string
		t    config.Target
		key  string
		want string
	}{
		{"a key of two lines", config.Target{Name: "fast", Provider: "openai", APIKeyEnv: "K"}, canary + "\nX: y", "target fast: the key in K has"},
		{"a key with a letter that is none", config.Target{Name: "fast", Provider: "anthropic", APIKeyEnv: "K"}, canary + "é", "target fast: the key in K has"},
		{"one that begins another header", config.Target{Name: "fast", Provider: "openai", Headers: []config.Header{{Name: "X", Env: "TENANT"}}}, canary + "\r\nY: z", "the value of TENANT"},
		{"a program that is not there", config.Target{Name: "own", Provider: "exec", Command: []string{"failproof-no-such-program"}}, "", "target own: command: "},
		{"recordings ask nobody", config.Target{Name: "r", Provider: "recorded"}, "", "provider recorded asks nobody"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := withKey(c.key).UnscheduledClient(c.t)
			if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("New = %v, %v, want %q", got, err, c.want)
			}
			if strings.Contains(err.Error(), canary) {
				t.Errorf("the error tells the key: %v", err)
			}
		})
	}
}
