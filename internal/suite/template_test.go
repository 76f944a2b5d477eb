package suite

import (
	"regexp"
	"strings"
	"testing"
)

func TestTemplateFill(t *testing.T) {
	vars := map[string]string{"name": "Ada", "_x1": "1", "nested": "{{ name }} ${HOME} {{ env.KEY }}", "empty": ""}
	cases := []struct{ rule, text, want string }{
		{"text without variables is sent as it is", "Hello } {x} $HOME ${home} $${}", "Hello } {x} $HOME ${home} $${}"},
		{"a variable is replaced by its value", "Hello {{ name }}!", "Hello Ada!"},
		{"white space inside is optional", "{{name}}{{\tname }}", "AdaAda"},
		{"a name may begin with an underscore and hold digits", "{{_x1}}", "1"},
		{"a value is never searched for variables", "{{ nested }}", "{{ name }} ${HOME} {{ env.KEY }}"},
		{"an empty value is a value", "[{{ empty }}]", "[]"},
		{"closing braces alone are text", `{"a":{"b":"{{ name }}"}}`, `{"a":{"b":"Ada"}}`},
		{"a brace after a variable is text", "{{ name }}}", "Ada}"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			parsed, faults := parseTemplate(c.text)
			if len(faults) > 0 {
				t.Fatalf("parseTemplate(%q): %v", c.text, faults)
			}
			if got := parsed.fill(vars); got != c.want {
				t.Errorf("fill(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestTemplateMistakes(t *testing.T) {
	cases := []struct {
		rule, text string
		offsets    []int
		message    string
	}{
		{"assertions cannot read the environment", "key {{ env.OPENAI_API_KEY }}", []int{4}, "is not a variable"},
		{"there are no functions", `{{ printf "%s" name }}`, []int{0}, "is not a variable"},
		{"what an application computes is what it renders", "{{ question | trim }} {{ q.name }}", []int{0, 22}, "save the text that it renders"},
		{"there are no conditions", "{{#if a}}x{{/if}}", []int{0, 10}, "is not a variable"},
		{"a secret of a workflow is no variable", "${{ secrets.KEY }}", []int{1}, "is not a variable"},
		{"a name does not begin with a digit", "{{ 1a }}", []int{0}, "is not a variable"},
		{"a name is ASCII", "{{ größe }}", []int{0}, "is not a variable"},
		{"an empty variable is a mistake", "{{ }}", []int{0}, "is not a variable"},
		{"a name stands on one line", "{{\nname\n}}", []int{0}, "is not a variable"},
		{"more than two opening braces are a mistake", "a {{{{ name }}}}", []int{2}, "4 opening braces"},
		{"triple braces are a mistake", "{{{ name }}}", []int{0}, "3 opening braces"},
		{"opening braces must be closed", "a {{ name", []int{2}, "never closed"},
		{"a shell's variable is a mistake", "x ${OPENAI_API_KEY} ${HOME}", []int{2, 20}, "never filled from the environment"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, faults := parseTemplate(c.text)
			if len(faults) != len(c.offsets) {
				t.Fatalf("parseTemplate(%q) = %v, want %d mistakes", c.text, faults, len(c.offsets))
			}
			for i, f := range faults {
				if f.offset != c.offsets[i] || !strings.Contains(f.message, c.message) || !strings.Contains(f.message, "put it in a variable") {
					t.Errorf("mistake %d of %q = %+v, want offset %d and %q", i, c.text, f, c.offsets[i], c.message)
				}
			}
		})
	}
}

// FuzzTemplate compares the parser with a substitution by a regular expression. A template that the parser accepts must
// be filled in the same way, and a mistake must have a place.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"", "{{a}}", "x {{ a }} y {{b}}", "{{{{", "{{ env.KEY }}", "${HOME}", "{{a}}}", "}} {{ a", "{{ a }}{{ a }}"} {
		f.Add(seed, "value", "{{ a }}")
	}
	variable := regexp.MustCompile(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*\}\}`)
	f.Fuzz(func(t *testing.T, text, a, b string) {
		vars := map[string]string{"a": a, "b": b}
		parsed, faults := parseTemplate(text)
		for _, m := range faults {
			if m.offset < 0 || m.offset >= len(text) || m.message == "" {
				t.Fatalf("mistake %+v is not in %q", m, text)
			}
		}
		if len(faults) > 0 {
			return
		}
		want := variable.ReplaceAllStringFunc(text, func(hit string) string {
			return vars[variable.FindStringSubmatch(hit)[1]]
		})
		if got := parsed.fill(vars); got != want {
			t.Fatalf("fill(%q) = %q, want %q", text, got, want)
		}
	})
}
