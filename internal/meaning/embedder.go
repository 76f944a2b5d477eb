package meaning

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/embed/endpoint"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// embedTimeout limits the time for one answer of an endpoint, with its body.
const embedTimeout = 60 * time.Second

// OpenEmbedder returns the embedder of the configuration in tree, with a cache in the folder cache; "" is no cache. The
// error is an *embed.Fault, or a fault.Unreachable if the tree cannot be read.
func OpenEmbedder(in sides.Inputs, s config.Semantic, tree *source.Tree, cache string) (embed.Embedder, error) {
	keep := func(e embed.Embedder) embed.Embedder {
		if cache == "" {
			return e
		}
		return embed.Keep(e, models.Cache{Dir: cache, Fingerprint: e.Fingerprint()})
	}
	if s.Provider == config.ProviderHTTP {
		client, err := openEndpoint(s, in.Getenv)
		if err != nil {
			return nil, err
		}
		return embed.Gather(keep(client)), nil
	}
	wanted := wantedModel(in, s, tree)
	e, err := models.Open(wanted)
	if lost := tree.Err(); lost != nil {
		return nil, fault.Unreachable{Err: lost}
	}
	if err != nil {
		return nil, err
	}
	if wanted.Kind == encoder.BERT {
		e = keep(e)
	}
	return e, nil // a static model is faster than a disk
}

// wantedModel returns the model that the configuration in tree names. A model in the repository is read from the same
// tree, because a changed model changes the scores. Other models are installed in folders of the machine. If such a
// folder is in the repository and a commit has the model there, it counts as a model in the repository.
func wantedModel(in sides.Inputs, s config.Semantic, tree *source.Tree) models.Spec {
	kind := encoder.Static
	if s.Provider == config.ProviderBERT {
		kind = encoder.BERT
	}
	w := models.Spec{Kind: kind, Model: cmp.Or(s.Model, models.DefaultOf(kind)), SHA256: s.SHA256, Tree: tree,
		Dir: cmp.Or(in.Place, in.Dir), Search: models.Folders(in.Getenv)}
	if strings.ContainsAny(w.Model, `/\`) {
		return w
	}
	for _, folder := range w.Search {
		below, ok := models.Below(w.Dir, folder)
		if dir := path.Join(filepath.ToSlash(below), w.Model); ok && (committed(tree, dir) || committed(in.Head, dir)) {
			w.Model = "./" + dir
			break
		}
	}
	return w
}

func committed(tree *source.Tree, dir string) bool {
	return tree.Revision.Kind == source.KindCommit && models.HasFiles(tree, dir)
}

func openEndpoint(s config.Semantic, getenv func(string) string) (*endpoint.Client, error) {
	key := ""
	if config.Reserved(s.APIKeyEnv) { // such a configuration was rejected before
		return nil, embed.Faultf(embed.KeyMissing,
			"%s, which semantic.api_key_env names, is a variable of the runner, not a key", s.APIKeyEnv)
	}
	if s.APIKeyEnv != "" {
		if key = getenv(s.APIKeyEnv); key == "" {
			return nil, embed.Faultf(embed.KeyMissing,
				"the variable %s, which semantic.api_key_env names, is not set", s.APIKeyEnv)
		}
	}
	return endpoint.New(endpoint.Options{BaseURL: s.Endpoint, Model: s.Model, Key: key, Timeout: embedTimeout})
}

// modelChanges returns the files of the embedding model that the head changes, as changes of rules: they have no effect
// before the merge.
func modelChanges(in sides.Inputs, rules *config.Config, ruling *source.Tree) (changes []config.Change) {
	s := rules.Semantic
	if ruling == in.Head || !s.Embeds() || s.Provider == config.ProviderHTTP {
		return nil
	}
	dir, inTree := wantedModel(in, s, ruling).InTree()
	if !inTree {
		return nil
	}
	var before, after map[string]string
	for _, name := range models.Files() {
		file := path.Join(dir, name)
		if sides.Unchanged(ruling, in.Head, file) {
			continue
		}
		if before == nil {
			before, after = models.Sums(ruling, dir), models.Sums(in.Head, dir)
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
