package config

// provider is what a name under `provider` of a target stands for.
type provider struct {
	needs     []string // the keys that it cannot do without
	asks      bool     // it asks somebody
	costs     bool     // its answers may say what they cost, whatever the target's configuration
	toolless  bool     // it is sent no tools
	keyHeader string   // where the key goes, in small letters; "" for none
	address   string   // where it is asked unless the target says; "" for none
	mostOut   int      // tokens that an answer may have where the target sets no limit; 0: as many as the model likes
}

// providers lists all providers. The schema has their names too, and each that asks somebody has a package.
var providers = map[string]provider{
	"recorded":   {needs: []string{"path"}},
	"echo":       {},
	"openai":     {needs: []string{"model"}, asks: true, keyHeader: "authorization", address: "https://api.openai.com/v1"},
	"anthropic":  {needs: []string{"model"}, asks: true, keyHeader: "x-api-key", address: "https://api.anthropic.com", mostOut: 4096}, // the API asks for a limit
	ProviderHTTP: {needs: []string{"url", "body", "answer"}, asks: true, keyHeader: "authorization", toolless: true},
	"exec":       {needs: []string{"command"}, asks: true, costs: true, toolless: true},
}

// Live reports whether the target asks a model or runs a command, which costs money or trust. The zero Target does not.
func (t Target) Live() bool { return providers[t.Provider].asks }

// TellsCost reports whether answers of the target may say themselves what they cost.
func (t Target) TellsCost() bool { return providers[t.Provider].costs || t.HTTP.Answer.Usage != nil }

// Toolless reports a target that is sent no tools.
func (t Target) Toolless() bool { return providers[t.Provider].toolless }

// MostOut returns how many tokens a provider's answer may have if the target sets no limit; 0 if nothing bounds it.
func MostOut(name string) int { return providers[name].mostOut }
