package config

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestServicesAreFoundAtAnyDepth(t *testing.T) {
	tree := fstest.MapFS{
		".gitignore":      {Data: []byte("# built\r\n/made/\r\n")},
		"kept/.gitignore": {Data: []byte("*\n!src\n")},
	}
	for _, name := range []string{"z/failproof.yml", "z/.github/failproof.yml", "a/b/c/d/.github/failproof.yml", "made/failproof.yml", "kept/made/failproof.yml",
		"kept/src/failproof.yml", "a/made/failproof.yml", "a/docs/failproof.yml", "a/node_modules/b/failproof.yml", ".tool/failproof.yml", "a/failproof.yaml",
		".github/workflows/failproof.yml", "a/.github/workflows/failproof.yml"} {
		tree[name] = &fstest.MapFile{}
	}
	want := []string{"a/b/c/d", "a/docs", "a/made", "kept/src", "z"}
	if got, alone := Services(tree); !slices.Equal(got, want) || !alone {
		t.Errorf("Services returns %q, %v; want %q alone", got, alone, want)
	}
	for _, name := range []string{".github/failproof.yml", "failproof.yml", "failproof.yaml"} {
		tree[name] = &fstest.MapFile{}
		if got, alone := Services(tree); !slices.Equal(got, want) || alone {
			t.Errorf("Services beside %s returns %q, %v; want %q beside the root", name, got, alone, want)
		}
		delete(tree, name)
	}
	deep := fstest.MapFS{strings.Repeat("d/", maxDepth) + "failproof.yml": {}, strings.Repeat("d/", maxDepth+1) + "failproof.yml": {}}
	if got, _ := Services(deep); len(got) != 1 {
		t.Errorf("Services returns %q, want the folder of depth %d", got, maxDepth)
	}
	if got, alone := Services(fstest.MapFS{}); len(got) > 0 || alone {
		t.Errorf("Services of an empty folder returns %q, %v", got, alone)
	}
}
