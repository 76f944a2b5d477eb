package sides

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/source"
)

// ReadConfig reads the configuration of a tree from the file name, or from the usual paths if name is empty. It returns
// nil if there is no configuration or it has errors.
func ReadConfig(tree fs.FS, name string) (*config.Config, []document.Diagnostic) {
	path, found := findConfig(tree, name)
	if name == "" && !found {
		return nil, nil
	}
	return config.Load(tree, path)
}

// findConfig returns the path of a tree's configuration, and whether the file exists. A configuration with errors
// exists too.
func findConfig(tree fs.FS, name string) (path string, found bool) {
	if name == "" {
		return config.Find(tree)
	}
	return name, config.Exists(tree, name)
}

// RequireConfig reads the configuration of a tree of dir's repository as ReadConfig does, but returns an error if there
// is none.
func RequireConfig(dir string, tree fs.FS, name string) (*config.Config, []document.Diagnostic) {
	own, faults := ReadConfig(tree, name)
	if own == nil && !document.HasErrors(faults) {
		faults = append(faults, notFoundError(dir, tree))
	}
	return own, faults
}

// HasConfig reports whether a tree has the configuration name, or one at a usual path if name is empty. A configuration
// with errors counts.
func HasConfig(tree fs.FS, name string) bool {
	_, found := findConfig(tree, name)
	return found
}

// notFoundError returns the error for a tree of dir's repository without a configuration at the usual paths. It
// suggests a misnamed file, folders below that have a configuration, or the default branch.
func notFoundError(dir string, tree fs.FS) document.Diagnostic {
	if other := config.Misnamed(tree); other != "" {
		return configError(other, "this file is not read as the configuration: name it "+strings.TrimSuffix(other,
			".yaml")+".yml, or name it with --config")
	}
	mend := "write one with `failproof init`, or name it with --config"
	if branch, _ := BranchedFrom(dir); branch != "" {
		if main, err := source.Git(dir, branch); err == nil && HasConfig(main, "") {
			return olderError(main)
		}
	}
	if below, alone := config.Services(tree); alone {
		mend = fmt.Sprintf("folder %s has its own: run this there, or in a workflow, with `working-directory`",
			document.Quote(below[0]))
		if len(below) > 1 {
			mend = fmt.Sprintf("folder %s and %d more below have their own: run this command in each, "+
				"or in a workflow, with `working-directory`",
				document.Quote(below[0]), len(below)-1)
		}
	}
	return configError(config.Paths[0], "no configuration; expected "+config.Paths[0]+" or "+
		config.Paths[1]+" in this folder: "+mend)
}

// olderError returns the error for a branch without the configuration that the branch of tree has.
func olderError(tree *source.Tree) document.Diagnostic {
	path, _ := config.Find(tree)
	return configError(path, fmt.Sprintf("this branch has no configuration, and %s has this one: merge %[1]s into the branch",
		tree.Revision.Name))
}

func configError(path, why string) document.Diagnostic {
	return document.NewError(path, document.Position{}, "no-configuration", "%s", why)
}
