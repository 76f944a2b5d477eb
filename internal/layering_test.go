package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layer says what a package may import of ours, and whether it is pure: without I/O, clock or chance.
type layer struct {
	pure    bool
	imports []string
}

// layers is the shape of the program. A package that is not in it fails the test, and so does an import that is not.
var layers = map[string]layer{
	"model":             {pure: true, imports: []string{"text"}},
	"model/body":        {pure: true, imports: []string{"document", "model", "text"}},
	"model/journal":     {imports: []string{"model", "regular", "text"}},
	"embed":             {pure: true},
	"embed/safetensors": {pure: true, imports: []string{"text"}},
	"embed/wordpiece":   {pure: true, imports: []string{"embed"}},
	"embed/encoder":     {pure: true, imports: []string{"embed", "embed/safetensors", "embed/wordpiece", "together"}},
	"embed/endpoint":    {imports: []string{"embed", "model/wire", "text"}},
	"embed/models":      {imports: []string{"document", "embed", "embed/encoder", "regular"}},
	"embed/embedtest":   {imports: []string{"text"}},
	"model/recorded":    {pure: true, imports: []string{"document", "model", "suiteid", "text", "together"}},
	"model/schedule":    {pure: true, imports: []string{"config", "model"}},
	"model/shard":       {pure: true, imports: []string{"model", "model/schedule", "text"}},
	"model/wire":        {imports: []string{"config", "model", "redact", "regular", "text"}},
	"model/provider":    {imports: []string{"config", "model", "model/wire"}},
	"model/application": {imports: []string{"config", "expect", "model", "model/wire", "text"}},
	"model/exec":        {imports: []string{"config", "model", "redact", "suiteid"}},
	"model/modeltest":   {imports: []string{"text"}},
	"redact":            {pure: true, imports: []string{"text"}},
	"regular":           {},
	"together":          {pure: true},
	"suiteid":           {pure: true},
	"skill":             {pure: true, imports: []string{"config", "document", "text"}},
	"text":              {pure: true},
	"fault":             {pure: true, imports: []string{"together"}},
	"version":           {pure: true},
	"english":           {pure: true, imports: []string{"text"}},
	"answer":            {pure: true, imports: []string{"english", "text"}},
	"literal":           {pure: true},
	"refusal":           {pure: true, imports: []string{"english", "literal", "text"}},
	"risk":              {pure: true, imports: []string{"english", "literal", "text"}},
	"document":          {pure: true, imports: []string{"redact", "text"}},
	"config":            {pure: true, imports: []string{"document", "expect", "model/body", "redact", "risk", "schemas", "stats", "suiteid", "text"}},
	"script":            {pure: true},
	"expect":            {pure: true, imports: []string{"answer", "document", "literal", "model", "script", "text", "worddiff"}},
	"promptname":        {pure: true},
	"results/rows":      {pure: true, imports: []string{"text"}},
	"results/jsonl":     {pure: true, imports: []string{"results/rows"}},
	"results/junit":     {pure: true, imports: []string{"results/rows"}},
	"results/promptfoo": {pure: true, imports: []string{"results/rows", "text"}},
	"results": {pure: true, imports: []string{"classify", "document", "expect", "model", "report", "results/jsonl", "results/junit",
		"results/promptfoo", "results/rows", "suiteid", "text"}},
	"promptfoo":         {pure: true, imports: []string{"document", "expect", "model", "redact", "results/promptfoo", "text"}},
	"suite":             {pure: true, imports: []string{"classify", "config", "document", "expect", "fact", "label", "model", "risk", "schemas", "score", "script", "skill", "skilleval", "suiteid", "text", "together"}},
	"skilleval":         {pure: true, imports: []string{"document", "skill", "text"}},
	"label":             {pure: true, imports: []string{"answer", "english", "literal", "text"}},
	"fact":              {pure: true, imports: []string{"english", "literal", "text"}},
	"likeness":          {pure: true, imports: []string{"english"}},
	"score":             {pure: true, imports: []string{"answer", "english", "fact", "label", "likeness", "text"}},
	"classify":          {pure: true, imports: []string{"answer", "expect", "model", "refusal", "text"}},
	"report":            {pure: true, imports: []string{"classify", "config", "document", "expect", "model", "observe", "risk", "schemas", "score", "suiteid", "text"}},
	"stats":             {pure: true},
	"observe":           {pure: true, imports: []string{"english", "model", "together"}},
	"drift":             {pure: true, imports: []string{"report", "stats", "suiteid"}},
	"bisect":            {pure: true, imports: []string{"model", "report", "stats", "worddiff"}},
	"noise":             {pure: true, imports: []string{"classify", "report", "stats"}},
	"compare":           {pure: true, imports: []string{"classify", "config", "model", "noise", "report", "score", "stats", "suiteid", "worddiff"}},
	"gate":              {pure: true, imports: []string{"classify", "compare", "config", "model", "noise", "report", "risk", "score", "stats", "text"}},
	"render/show":       {pure: true, imports: []string{"classify", "document", "expect", "redact", "refusal", "report", "score", "suiteid", "text", "worddiff"}},
	"render/story":      {pure: true, imports: []string{"classify", "config", "document", "expect", "gate", "model", "observe", "render/show", "report", "risk", "score", "suiteid", "text", "worddiff"}},
	"render/comment":    {pure: true, imports: []string{"render/show", "render/story", "report"}},
	"render/page":       {pure: true, imports: []string{"classify", "config", "expect", "observe", "render/show", "render/story", "report", "risk", "score", "text", "worddiff"}},
	"render/machine":    {pure: true, imports: []string{"config", "document", "gate", "render/show", "render/story", "report", "text"}},
	"render/terminal":   {pure: true, imports: []string{"render/show", "render/story", "report", "text", "worddiff"}},
	"render":            {pure: true, imports: []string{"output", "render/comment", "render/machine", "render/page", "render/show", "render/story", "report", "text"}},
	"render/rendertest": {imports: []string{"*"}},
	"run/runtest":       {imports: []string{"*"}},
	"worddiff":          {pure: true, imports: []string{"text"}},
	"judge":             {pure: true, imports: []string{"config", "model", "stats", "text"}},
	"evaluate":          {pure: true, imports: []string{"answer", "classify", "config", "embed", "expect", "fault", "judge", "likeness", "model", "redact", "report", "risk", "score", "skilleval", "suite", "suiteid", "text", "together"}},
	"forecast":          {pure: true, imports: []string{"compare", "config", "evaluate", "model/schedule", "report", "suite", "text"}},
	"progress":          {imports: []string{"model/schedule", "text"}},
	"output":            {imports: []string{"fault", "regular", "report"}},
	"live": {imports: []string{"config", "document", "model", "model/application", "model/exec", "model/provider",
		"model/schedule", "model/shard", "model/wire", "redact"}},
	"stored": {imports: []string{"config", "fault", "output", "regular", "report", "suite", "suiteid", "text"}},
	"sides": {imports: []string{"config", "document", "drift", "evaluate", "fault", "judge", "live", "model", "model/recorded",
		"model/shard", "output", "progress", "redact", "regular", "report", "source", "stored", "suite",
		"suiteid", "text", "together"}},
	"asking": {imports: []string{"classify", "config", "document", "evaluate", "expect", "fault", "forecast", "live", "model",
		"model/journal", "model/recorded", "model/schedule", "output", "redact", "refusal", "render/page",
		"report", "risk", "score", "sides", "suite", "suiteid", "text"}},
	"importer": {imports: []string{"classify", "config", "document", "fault", "model", "model/recorded", "output", "promptfoo", "regular", "report", "sides",
		"source", "text", "validate"}},
	"validate": {imports: []string{"config", "doctor", "document", "fact", "meaning", "model", "model/recorded", "record",
		"refusal", "render/show", "score", "sides", "skill", "skilleval", "suite", "suiteid", "text"}},
	"record": {imports: []string{"asking", "compare", "config", "document", "evaluate", "fault", "forecast", "meaning", "model",
		"model/recorded", "output", "regular", "report", "sides", "source", "stats", "suite", "suiteid", "text"}},
	"meaning": {imports: []string{"config", "document", "embed", "embed/encoder", "embed/endpoint", "embed/models", "evaluate",
		"fault", "report", "score", "sides", "source", "suite"}},
	"checks": {imports: []string{"asking", "document", "evaluate", "forecast", "gate", "output", "report", "sides"}},
	"checks/accept": {imports: []string{"asking", "checks", "classify", "document", "evaluate", "expect", "gate", "model", "redact", "report",
		"risk", "score", "sides", "source", "suite", "suiteid", "text"}},
	"checks/coverage": {imports: []string{"checks", "config", "document", "gate", "promptfoo", "promptname", "report", "sides", "skill",
		"source", "suite", "text"}},
	"checks/leak":     {imports: []string{"asking", "checks", "evaluate", "gate", "sides", "suite", "suiteid"}},
	"checks/loosened": {imports: []string{"asking", "checks", "gate", "sides", "suite"}},
	"checks/controls": {imports: []string{"checks", "document", "evaluate", "gate", "judge", "report", "sides"}},
	"checks/announced": {imports: []string{"asking", "checks", "config", "evaluate", "expect", "gate", "model", "report", "score", "sides", "suite",
		"suiteid", "together"}},
	"checks/stale": {imports: []string{"asking", "checks", "compare", "config", "document", "evaluate", "fault", "forecast", "gate",
		"model", "model/recorded", "output", "redact", "report", "sides", "suite", "suiteid", "text"}},
	"checks/verify": {imports: []string{"asking", "checks", "config", "evaluate", "forecast", "gate", "model", "model/recorded", "output", "report",
		"sides", "suite", "suiteid", "text"}},
	"checks/drift": {imports: []string{"asking", "checks", "drift", "evaluate", "gate", "report", "sides", "stats", "suite", "suiteid", "text"}},
	"checks/cause": {imports: []string{"asking", "bisect", "checks", "compare", "document", "evaluate", "fault", "forecast", "gate", "model", "report",
		"risk", "sides", "source", "stats", "suite", "suiteid", "text"}},
	"shards": {imports: []string{"asking", "document", "evaluate", "fault", "model", "model/shard", "output", "regular", "sides", "suite"}},
	"layout": {pure: true, imports: []string{"classify", "fault", "observe", "report", "risk", "suite", "text"}},
	"run": {imports: []string{"asking", "checks", "checks/accept", "checks/announced", "checks/cause", "checks/controls", "checks/coverage",
		"checks/drift", "checks/leak", "checks/loosened", "checks/stale", "checks/verify", "classify", "compare", "config",
		"document", "evaluate", "fault", "forecast", "gate", "layout", "meaning", "model", "output", "redact",
		"refusal", "render", "render/show", "render/story", "report", "results", "risk", "score", "shards",
		"sides", "stored", "suite", "suiteid", "text", "together"}},
	"explain": {imports: []string{"asking", "checks/cause", "config", "document", "evaluate", "fault", "forecast", "meaning", "report", "run",
		"sides", "suite", "suiteid", "text"}},
	"judgecheck": {imports: []string{"asking", "config", "document", "evaluate", "fault", "judge", "model", "output", "regular", "render/show",
		"report", "sides", "stored", "suite"}},
	"action": {imports: []string{"asking", "document", "drift", "fault", "gate", "github", "output", "render/comment",
		"render/machine", "render/show", "render/story", "report", "run", "shards", "sides", "source"}},
	"starter":           {imports: []string{"config", "document", "examples", "fault", "github", "output", "promptname", "regular", "skill", "skilleval", "source", "suite", "suiteid", "text", "validate"}},
	"source":            {imports: []string{"github", "regular", "text"}},
	"github":            {imports: []string{"redact", "regular", "text"}},
	"doctor/shell":      {pure: true},
	"doctor":            {pure: true, imports: []string{"config", "doctor/shell", "document", "gate", "github", "render/show", "report", "suite", "text"}},
	"github/githubtest": {imports: []string{"sharedtest"}},
	"sharedtest":        {},
	"schematest":        {imports: []string{"schemas"}},
	"fulltest":          {},
	"memtest":           {imports: []string{"fulltest"}},
	"texttest":          {},
	"cli":               {imports: []string{"*"}},

	"compare/comparetest": {imports: []string{"classify", "compare", "config", "model", "report", "score"}},

	"acceptance": {}, // tests of the whole, which know failproof by its contract
}

// forbidden are packages that the program must not import. The root of go-git needs an SSH client and 38 packages in
// all; its package object needs OpenPGP and 55.
var forbidden = []string{"github.com/go-git/go-git/v5", "github.com/go-git/go-git/v5/plumbing/object"}

// impure are packages that a pure one must not import.
var impure = []string{"os", "os/exec", "net", "net/http", "log", "log/slog", "flag", "math/rand", "math/rand/v2", "syscall", "crypto/rand"}

const module = "github.com/failproof/failproof/"

func TestImportsFollowTheData(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		at := path.Dir(filepath.ToSlash(name))
		if at == "." {
			return nil
		}
		seen[at] = true
		l, known := layers[at]
		if !known {
			t.Errorf("package %s is not in the table of layers: give it a line there", at)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			checkImport(t, name, l, imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 10 {
		t.Fatalf("only %d packages were found; the walk is broken", len(seen))
	}
	for at := range layers {
		if !seen[at] {
			t.Errorf("package %s is in the table of layers and not in the tree: remove its line", at)
		}
	}
}

func checkImport(t *testing.T, name string, l layer, imported string) {
	t.Helper()
	if own, ok := strings.CutPrefix(imported, module); ok {
		own = strings.TrimPrefix(own, "internal/")
		if !slices.Contains(l.imports, own) && !slices.Contains(l.imports, "*") {
			t.Errorf("%s imports %s, which its layer may not", name, own)
		}
		return
	}
	if slices.Contains(forbidden, imported) && !strings.HasPrefix(name, "github/githubtest/") {
		t.Errorf("%s imports %s, which only tests may", name, imported)
	}
	if l.pure && slices.Contains(impure, imported) {
		t.Errorf("%s imports %s, and its package is pure", name, imported)
	}
}
