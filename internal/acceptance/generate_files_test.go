package acceptance_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v4"
)

// clone is a draft that can be changed alone.
func (d *draft) clone() *draft {
	out := &draft{config: fill(d.config, 0).(map[string]any), more: maps.Clone(d.more)}
	for _, s := range d.suites {
		copied := *s
		copied.says, copied.cases = fill(s.says, 0).(map[string]any), nil
		for _, c := range s.cases {
			other := *c
			other.says, other.lines = maps.Clone(c.says), nil
			for _, line := range c.lines {
				other.lines = append(other.lines, maps.Clone(line))
			}
			copied.cases = append(copied.cases, &other)
		}
		out.suites = append(out.suites, &copied)
	}
	return out
}

// files are the draft as files.
func (d *draft) files() tree {
	out := tree{}
	add := func(name, text string) { out[name] = file{"100644", text} }
	add("failproof.yml", yamlText(d.config))
	recordings := map[string]string{}
	for _, s := range d.suites {
		for name, text := range s.files() {
			add(name, text)
		}
		for _, c := range s.cases {
			for _, line := range c.lines {
				if s.form == "promptyml" { // whose cases have no names
					line = maps.Clone(line)
					line["case_id"] = rowID(c.says["question"])
				}
				recordings[s.id] += jsonLine(line)
				if text, is := line["raw_response"].(string); is && s.second != "" {
					line = maps.Clone(line)
					line["raw_response"] = s.second + text
				}
				recordings["second/"+s.id] += jsonLine(line)
			}
		}
		if !d.answersTwice(s) {
			delete(recordings, "second/"+s.id)
		}
	}
	for id, text := range recordings {
		add("recordings/"+id+".jsonl", text)
	}
	for name, text := range d.more {
		if text == "" {
			delete(out, name)
			continue
		}
		add(name, text)
	}
	return out
}

// place is where a suite stands: under its id, but for its ending, unless the suite says an id of its own.
func (s *suiteDraft) place() string {
	switch s.form {
	case "contract":
		return "suites/" + s.id + ".jsonl"
	case "promptyml":
		return s.id + ".prompt.yml"
	}
	return "suites/" + strings.TrimPrefix(s.id, "named/") + "." + s.form
}

func (s *suiteDraft) files() map[string]string {
	switch s.form {
	case "contract":
		return map[string]string{s.place(): s.contract()}
	case "promptyml":
		return map[string]string{s.place(): s.promptFile()}
	}
	says, files := maps.Clone(s.says), map[string]string{}
	up := strings.Repeat("../", strings.Count(s.place(), "/"))
	says["messages"] = []any{map[string]any{"role": "system", "content": "Be brief."}, map[string]any{"role": "user", "content": "{{ question }}"}}
	if s.prompt != "" {
		delete(says, "messages")
		name := "prompts/" + strings.ReplaceAll(s.id, "/", "-") + ".md"
		says["prompt"], files[name] = up+name, s.prompt
	}
	var cases []any
	for _, c := range s.cases {
		row := maps.Clone(c.says)
		row["id"], row["vars"] = c.id, map[string]any{"question": row["question"]}
		delete(row, "question")
		if format, is := row["expected_format"].(map[string]any); is && format["schema"] != nil {
			row["expected_format"] = map[string]any{"type": "json", "schema": up + "suites/refund.schema.json", "strict": format["strict"]}
		}
		cases = append(cases, row)
	}
	says["cases"] = cases
	if s.form == "json" {
		text, _ := json.MarshalIndent(says, "", "  ")
		files[s.place()] = string(text) + "\n"
	} else {
		files[s.place()] = yamlText(says)
	}
	return files
}

func (s *suiteDraft) contract() (text string) {
	for _, c := range s.cases {
		row := map[string]any{"suite_id": s.id, "case_id": c.id, "prompt": "Question {{ n }}: " + fmt.Sprint(c.says["question"]), "prompt_vars": map[string]any{"n": c.id}}
		maps.Copy(row, c.says)
		delete(row, "question")
		text += jsonLine(row)
	}
	return text
}

// rowID is what a row of a prompt file is called that asks this and no more.
func rowID(question any) string {
	return fmt.Sprintf("case-%x", sha256.Sum256([]byte(jsonText(map[string]any{"question": question}))))[:len("case-")+12]
}

// jsonText is a value as the standard encoder writes it.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a draft holds plain values alone
	}
	return string(text)
}

func (s *suiteDraft) promptFile() string {
	var data []any
	for _, c := range s.cases {
		data = append(data, map[string]any{"question": c.says["question"], "expected": c.says["expected"]})
	}
	return yamlText(map[string]any{"name": "Reviews", "model": "openai/gpt-5-mini", "modelParameters": map[string]any{"temperature": 0},
		"messages": []any{map[string]any{"role": "user", "content": "{{question}}"}}, "testData": data,
		"evaluators": []any{map[string]any{"name": "leaks", "string": map[string]any{"contains": "kettle leaks"}},
			map[string]any{"name": "like", "uses": "github/similarity"}}})
}

func yamlText(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(err) // a draft holds plain values alone
	}
	return string(text)
}

func jsonLine(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // a draft holds plain values alone
	}
	return out.String()
}
