package meaning

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/embed/endpoint"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// OpenEmbedder returns the embedder of the configuration in tree, with a cache in the folder cache; "" is no cache. The
// error is an *embed.Fault, or a fault.Unreachable if the tree cannot be read.
func OpenEmbedder(inputs sides.Inputs, s config.Semantic, tree *source.Tree, cache string) (embed.Embedder, error) {
	withCache := func(e embed.Embedder) embed.Embedder {
		if cache == "" {
			return e
		}
		return embed.WithStore(e, models.Cache{Dir: cache, Fingerprint: e.Fingerprint()})
	}
	if s.Provider == config.ProviderHTTP {
		client, err := openEndpoint(s, inputs.Getenv)
		if err != nil {
			return nil, err
		}
		return embed.WithBatching(withCache(client)), nil
	}
	spec := modelSpec(inputs, s, tree)
	e, err := models.Open(spec)
	if treeErr := tree.Err(); treeErr != nil {
		return nil, fault.Unreachable{Err: treeErr}
	}
	if err != nil {
		return nil, err
	}
	if spec.Kind == encoder.BERT {
		e = withCache(e)
	}
	return e, nil // a static model is faster than a disk
}

// modelSpec returns the model that the configuration in tree names. A model in the repository is read from the same
// tree, because a changed model changes the scores. Other models are installed in folders of the machine. If such a
// folder is in the repository and a commit has the model there, it counts as a model in the repository.
func modelSpec(inputs sides.Inputs, s config.Semantic, tree *source.Tree) models.Spec {
	kind := encoder.Static
	if s.Provider == config.ProviderBERT {
		kind = encoder.BERT
	}
	spec := models.Spec{Kind: kind, Model: cmp.Or(s.Model, models.DefaultModel(kind)), SHA256: s.SHA256, Tree: tree,
		Dir: cmp.Or(inputs.ConfigDir, inputs.Dir), Search: models.Folders(inputs.Getenv)}
	if strings.ContainsAny(spec.Model, `/\`) {
		return spec
	}
	for _, folder := range spec.Search {
		below, ok := models.RelativeTo(spec.Dir, folder)
		if dir := path.Join(filepath.ToSlash(below), spec.Model); ok &&
			(committed(tree, dir) || committed(inputs.Head, dir)) {
			spec.Model = "./" + dir
			break
		}
	}
	return spec
}

func committed(tree *source.Tree, dir string) bool {
	return tree.Revision.Kind == source.KindCommit && models.HasFiles(tree, dir)
}

func openEndpoint(s config.Semantic, getenv func(string) string) (*endpoint.Client, error) {
	key := ""
	if config.IsReservedVar(s.APIKeyEnv) { // such a configuration was rejected before
		return nil, embed.Faultf(embed.ReasonKeyMissing,
			"%s, which semantic.api_key_env names, is a variable of the runner, not a key", s.APIKeyEnv)
	}
	if s.APIKeyEnv != "" {
		if key = getenv(s.APIKeyEnv); key == "" {
			return nil, embed.Faultf(embed.ReasonKeyMissing,
				"the variable %s, which semantic.api_key_env names, is not set", s.APIKeyEnv)
		}
	}
	return endpoint.New(endpoint.Options{BaseURL: s.Endpoint, Model: s.Model, Key: key})
}

// modelChanges returns the files of the embedding model that the head changes, as changes of rules: they have no effect
// before the merge.
func modelChanges(inputs sides.Inputs, rules *config.Config, rulesTree *source.Tree) (changes []config.Change) {
	s := rules.Semantic
	if rulesTree == inputs.Head || !s.Embeds() || s.Provider == config.ProviderHTTP {
		return nil
	}
	dir, inTree := modelSpec(inputs, s, rulesTree).InTree()
	if !inTree {
		return nil
	}
	var before, after map[string]string
	for _, name := range models.FileNames() {
		file := path.Join(dir, name)
		if sides.SameFile(rulesTree, inputs.Head, file) {
			continue
		}
		if before == nil {
			before, after = models.Checksums(rulesTree, dir), models.Checksums(inputs.Head, dir)
		}
		if before[name] != after[name] {
			changes = append(changes, config.Change{Path: file, Key: "semantic.model (" + name + ")",
				Base: shortSum(before[name]), Head: shortSum(after[name])})
		}
	}
	return changes
}

// shortSum returns the beginning of a SHA-256, enough for a reader to compare two files.
func shortSum(sum string) string {
	if sum == "" {
		return ""
	}
	return "SHA-256 " + sum[:12]
}
