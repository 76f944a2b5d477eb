package config

import "testing"

func TestWhatHappensWithoutAnEmbedder(t *testing.T) {
	for _, c := range []struct {
		in                             Semantic
		embeds, appliesLexical, failsW bool
	}{
		{Semantic{Provider: ProviderAuto, OnUnavailable: Review}, true, false, false},
		{Semantic{Provider: ProviderHTTP, OnUnavailable: Lexical}, true, true, false},
		{Semantic{Provider: ProviderStatic, OnUnavailable: Fail}, true, false, true},
		{Semantic{Provider: ProviderOff, OnUnavailable: Fail}, false, false, true},
		{Semantic{Provider: ProviderLexical, OnUnavailable: Fail}, false, true, false},
		{Semantic{Provider: ProviderLexical, OnUnavailable: Review}, false, true, false},
	} {
		if c.in.Embeds() != c.embeds || c.in.AppliesLexical() != c.appliesLexical || c.in.FailsWithout() != c.failsW {
			t.Errorf("%+v: embeds %v, applies the lexical similarity %v, fails without %v; want %v, %v, %v",
				c.in, c.in.Embeds(), c.in.AppliesLexical(), c.in.FailsWithout(), c.embeds, c.appliesLexical, c.failsW)
		}
	}
}

func TestAnEndpointOfEmbeddingsGoesWhereATargetWithItsAddressGoes(t *testing.T) {
	s := Semantic{Provider: ProviderHTTP, Endpoint: "https://api.example.com/v1", APIKeyEnv: "KEY"}
	target := s.AsTarget()
	if target.Name != "semantic" || target.Address() != s.Endpoint || target.APIKeyEnv != "KEY" || !target.Live() {
		t.Errorf("the endpoint as a target: %+v", target)
	}
}

func TestFaultsOfSemantic(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       []string
	}{
		{"a folder of Windows may be absolute", `{ provider: bert, model: 'C:\models\x' }`, nil},
		{"a folder with a backslash may not be relative", `{ provider: bert, model: 'models\x' }`, []string{"2:36 path: …backslash"}},
		{"a name with two characters and a slash is a folder", `{ provider: bert, model: 'x/../..' }`, []string{"2:36 path: …\"..\""}},
		{"a name may have a colon", `{ provider: http, model: "a:b", endpoint: "https://x.org" }`, nil},
		{"a provider that is none is told alone", "{ provider: magic, model: m, endpoint: x }", []string{"2:23 enum: "}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := load("version: 1\nsemantic: " + c.text + "\n")
			matches(t, ds, c.want...)
		})
	}
}
