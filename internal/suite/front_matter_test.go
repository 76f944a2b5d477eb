package suite

import "testing"

func TestFrontMatterIsWarnedOf(t *testing.T) {
	for _, c := range []struct{ rule, prompt, want string }{
		{"settings", "---\nmodel: gpt-4o\ntemperature: 0\n---\nSay {{ q }}", "model"},
		{"with a list, a map and a comment", "---\r\n# ours\ninput:\n  schema:\n    q: string\ntags:\n- a\n---\r\nSay {{ q }}", "input"},
		{"behind a byte order mark", "\ufeff---\nmodel: x\n---\n{{ q }}", "model"},

		{"a rule above text", "---\nAnswer in one word.\n---\n{{ q }}", ""},
		{"data that is set apart", "---\nQuestion: {{ q }}\n---\n", ""},
		{"one that does not end", "---\nmodel: x\n{{ q }}", ""},
		{"nothing between", "---\n---\n{{ q }}", ""},
		{"further down", "{{ q }}\n---\nmodel: x\n---\n", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := settings()
			_, ds := loadOpen(tree(map[string]string{
				"prompts/p.md":  c.prompt,
				"suites/s.yaml": "version: 1\ntarget: echo\nprompt: ../prompts/p.md\ncases:\n  - { id: a, vars: { q: Hi }, assert: [{ contains: Hi }] }\n",
			}), cfg, cfg.Suites)
			said := ""
			for _, d := range ds {
				if d.Rule == "front-matter" {
					said += d.Path + " " + d.Message + "\n"
				}
			}
			want := ""
			if c.want != "" {
				want = `prompts/p.md the file begins with front matter ("` + c.want + `", …), which is sent to the model as text and sets nothing: ` +
					"set model and parameters in a target of the configuration, and take these lines out\n"
			}
			if said != want {
				t.Errorf("said %q, want %q\n%v", said, want, ds)
			}
		})
	}
}
