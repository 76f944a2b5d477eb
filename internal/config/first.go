package config

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// configurationKey is the key of a change of the whole file: a first one, or another place.
const configurationKey = "configuration"

// DefaultSuites are where suites are looked for in a tree that has no configuration.
var DefaultSuites = []string{"suites/**/*.{yaml,yml,json,jsonl}", "**/*.prompt.{yml,yaml}"}

// NewTargets says whether live targets are asked, and texts sent to an endpoint, that nothing but the head's configuration
// names: a key would go where the head says.
type NewTargets bool

const (
	AskNew      NewTargets = true // the caller vouches for the head
	WithholdNew NewTargets = false
)

// Own is the head's own configuration in force: of a run that compares with nothing, and of a first run.
func Own(head *Config, targets NewTargets) *Config {
	effective := head.clone()
	if targets == WithholdNew {
		effective.withholdNew()
	}
	return effective
}

// First is what holds for a head whose configuration is the first one: the defaults. What there is to judge, and who answers,
// is the head's; its policies decide the cases that name them, and all else of it is a change that is not obeyed until merged.
func First(head *Config, targets NewTargets) (*Config, []Change) {
	own, effective := Own(head, targets), Default()
	effective.Path, effective.Suites, effective.SuitesAt, effective.DefaultTargets = own.Path, own.Suites, own.SuitesAt, own.DefaultTargets
	effective.Targets, effective.Withheld = own.Targets, own.Withheld
	effective.Judge, effective.NoJudge = own.Judge, own.NoJudge
	for _, p := range own.Policies {
		p.ApplyAll, p.Announced = false, p.ApplyAll
		effective.Policies = append(effective.Policies, p)
	}
	return effective, []Change{{Path: head.Path, Key: configurationKey, Head: head.Path}}
}

const notAgreed = "stands in a configuration that nobody has agreed to: a live target is asked once that is merged, or where the workflow says " +
	"`bootstrap: true` and the default branch has no configuration"

func (c *Config) withholdNew() {
	for _, name := range slices.Sorted(maps.Keys(c.Targets)) {
		if c.Targets[name].Live() {
			c.withhold(name, notAgreed)
			if c.judges(name) {
				c.withoutJudge("%s", notAgreed)
			}
		}
	}
	if c.Semantic.Provider == ProviderHTTP {
		c.Semantic = Semantic{Provider: ProviderOff, OnUnavailable: Review}
	}
}

// Shadows finds a configuration that would take the place of the one before: the head has both, and before there was the
// other alone, which nobody would read any more. path is the one that is new.
func Shadows(before, head fs.FS) (fault document.Diagnostic, found bool) {
	if exists(before, Paths[0]) || !exists(before, Paths[1]) || !exists(head, Paths[0]) || !exists(head, Paths[1]) {
		return document.Diagnostic{}, false
	}
	return document.NewFault(Paths[0], document.Position{}, "two-configurations", "this file would take the place of %s, which is the base's configuration "+
		"and would be read no more; change that one, or remove it here to move it", Paths[1]), true
}

// Moved announces a configuration whose place is another than before; both trees have one.
func Moved(before, head fs.FS) []Change {
	was, _ := Find(before)
	is, _ := Find(head)
	if was == "" || is == "" || was == is {
		return nil
	}
	return []Change{{Path: is, Key: configurationKey, Base: was, Head: is}}
}

func exists(fsys fs.FS, path string) bool {
	_, err := fs.Stat(fsys, path)
	return !errors.Is(err, fs.ErrNotExist)
}
