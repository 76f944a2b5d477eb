package sides

import (
	"bytes"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
)

// UntrustedTarget is a target that the run would call and that only the head names.
type UntrustedTarget struct {
	Description      string   // describes the head's address and keys, and what the default branch has instead
	Host             string   // with scheme and port; "" for a command
	Keys             []string // the environment variables and files that have the keys
	NothingToCompare bool     // no other configuration is known to compare with
}

// trustedTargets holds the trusted targets, against which the head's targets are compared. They come from the tree of
// the rules or from the default branch.
type trustedTargets struct {
	name      string          // name of the revision; "": the default branch is unknown
	tree      *source.Tree    // nil: the revision has no configuration
	targets   []config.Target // the targets of tree, if it is the default branch's
	effective bool
}

// ConfirmTargets asks a person whether to call the targets that only the head names. It returns an error if they must
// not be called.
func (s *Sides) ConfirmTargets() error {
	if s.Inputs.ConfirmTargets == nil {
		return nil
	}
	reached := slices.Clone(s.Live.Callable)
	if endpoint := s.Rules.Semantic.AsTarget(); endpoint.Address() != "" &&
		live.MissingKey(endpoint, s.Inputs.Getenv) == "" {
		if _, c := s.FirstSemantic(); c != nil {
			reached = append(reached, endpoint)
		}
	}
	reached = slices.DeleteFunc(reached, config.Target.IsLocal)
	if len(reached) == 0 {
		return nil
	}
	trust, untrusted := findTrustedTargets(s), []UntrustedTarget(nil)
	for _, t := range reached {
		target, unknown := trust.difference(t, s.Inputs.Dir)
		if unknown &&
			!slices.ContainsFunc(untrusted,
				func(u UntrustedTarget) bool { return u.Description == target.Description }) {
			untrusted = append(untrusted, target)
		}
	}
	if len(untrusted) == 0 {
		return nil
	}
	return s.Inputs.ConfirmTargets(untrusted)
}

// findTrustedTargets returns the trusted targets. Usually these are the targets of the tree of the rules. If that tree
// is the head, they are the targets of the default branch.
func findTrustedTargets(p *Sides) trustedTargets {
	if p.RulesTree != p.Inputs.Head {
		return trustedTargets{name: p.RulesTree.Revision.Name, tree: p.RulesTree, effective: true}
	}
	branch, err := DefaultBranch(p.Inputs.Dir)
	if err != nil {
		return trustedTargets{}
	}
	tree, err := source.Git(p.Inputs.Dir, branch)
	if err != nil {
		return trustedTargets{}
	}
	out := trustedTargets{name: strings.Replace(path.Base(branch), "HEAD", "the default branch", 1)}
	c := configs{inputs: p.Inputs}
	if read := c.salvage(tree); read.config != nil {
		out.tree, out.targets = tree, append(slices.Collect(maps.Values(read.config.Targets)),
			read.config.Semantic.AsTarget())
	}
	return out
}

// difference returns how target t differs from the trusted targets. It returns false if t does not differ. Commands run
// in the folder dir.
func (v trustedTargets) difference(t config.Target, dir string) (UntrustedTarget, bool) {
	u := UntrustedTarget{Host: hostOf(t), Keys: credentials(t), NothingToCompare: v.tree == nil}
	description, instead := targetWords(t), ""
	at := slices.IndexFunc(v.targets, func(was config.Target) bool { return was.Name == t.Name })
	switch {
	case v.name == "":
		instead = "the default branch is unknown"
	case v.tree == nil:
		instead = v.name + " has no configuration"
	case v.effective || slices.ContainsFunc(v.targets, t.SameDestination):
		file := v.changedFile(t.Command, dir)
		if file == "" {
			return u, false
		}
		instead = v.name + ": another " + strconv.QuoteToASCII(file)
	case at < 0:
		instead = v.name + ": no target " + t.Name
	case targetWords(v.targets[at]) != description:
		instead = v.name + ": " + targetWords(v.targets[at])
	default: // another path or other headers
		description, instead = escapeASCII(t.Address())+" as "+t.Provider, v.name+": otherwise, at "+
			escapeASCII(v.targets[at].Address())
	}
	does := map[bool]string{false: "asks ", true: "runs "}[u.Host == ""]
	u.Description = "this branch " + does + description + " (" + instead + ")"
	return u, true
}

// targetWords returns words that say whom a target calls, and with which keys.
func targetWords(t config.Target) string {
	with := " without a key"
	if keys := credentials(t); len(keys) > 0 {
		with = " with " + strings.Join(keys, ", ")
	}
	if len(t.Command) > 0 {
		return strconv.QuoteToASCII(text.TruncateBytes(strings.Join(t.Command, " "), maxCommandBytes)) + with
	}
	_, host, called := strings.Cut(hostOf(t), "://")
	if !called {
		return "provider " + t.Provider
	}
	return host + with
}

// maxCommandBytes is the largest number of bytes of a command that are shown.
const maxCommandBytes = 500

// hostOf returns the scheme, host and port of a target's address. It returns "" for a command.
func hostOf(t config.Target) string {
	at, err := url.Parse(t.Address())
	if err != nil || at.Host == "" {
		return ""
	}
	return escapeASCII(at.Scheme + "://" + strings.ToLower(at.Host))
}

// escapeASCII returns s with every character outside of printable ASCII escaped, so that no host looks like another.
func escapeASCII(s string) string { return strings.Trim(strconv.QuoteToASCII(s), `"`) }

func credentials(t config.Target) []string {
	keys := t.EnvVars()
	if t.APIKeyFile != "" {
		keys = append(keys, strconv.QuoteToASCII(t.APIKeyFile))
	}
	return keys
}

// changedFile returns the first word of command that names a file of the repository that differs from the trusted
// tree's file. It returns "" if there is none. It compares the local file, because commands run in the working folder
// dir.
func (v trustedTargets) changedFile(command []string, dir string) string {
	for _, word := range command {
		file := PathIn(dir, filepath.FromSlash(word))
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || !live.InRepository(dir, file) {
			continue
		}
		rel, _ := filepath.Rel(dir, file) // both are absolute
		now, err := regular.Read(file, source.MaxFileSize)
		was, missing := v.tree.ReadFile(filepath.ToSlash(rel))
		if err != nil || missing != nil || !bytes.Equal(normalizeLineEnds(now), normalizeLineEnds(was)) {
			return word
		}
	}
	return ""
}

// normalizeLineEnds replaces CRLF line ends, which git may write at a checkout, by LF.
func normalizeLineEnds(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}
