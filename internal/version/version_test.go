package version

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const commit = "1a2b3c4d5e6f708192a3b4c5d6e7f80910111213"
	checkout := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{
			Main:     debug.Module{Version: version},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: modified}},
		}
	}
	module := func(version string) *debug.BuildInfo { return &debug.BuildInfo{Main: debug.Module{Version: version}} }
	for _, c := range []struct {
		rule, linked string
		info         *debug.BuildInfo
		want         string
	}{
		{"a release knows what its linker was told", "0.1.0", checkout("v0.0.0-20260105090000-1a2b3c4d5e6f+dirty", "true"), "0.1.0"},
		{"go install knows the module's version", "", module("v0.1.0"), "0.1.0"},
		{"a version to try out keeps its whole name", "", module("v0.2.0-rc.1"), "0.2.0-rc.1"},
		{"go install of a commit knows the commit", "", module("v0.0.0-20260105090000-1a2b3c4d5e6f"), "1a2b3c4"},
		{"so it does after a release", "", module("v0.1.1-0.20260105090000-1a2b3c4d5e6f"), "1a2b3c4"},
		{"so it does after a version to try out", "", module("v0.2.0-rc.1.0.20260105090000-1a2b3c4d5e6f"), "1a2b3c4"},
		{"a checkout of a release is the release", "", checkout("v0.1.0", "false"), "0.1.0"},
		{"a changed checkout of a release is not", "", checkout("v0.1.0+dirty", "true"), "1a2b3c4-dirty"},
		{"a checkout of a commit is the commit", "", checkout("v0.0.0-20260105090000-1a2b3c4d5e6f", "false"), "1a2b3c4"},
		{"a changed checkout says so", "", checkout("v0.0.0-20260105090000-1a2b3c4d5e6f+dirty", "true"), "1a2b3c4-dirty"},
		{"a build without version control knows nothing", "", module("(devel)"), "dev"},
		{"a test knows nothing", "", module(""), "dev"},
		{"a program without build information knows nothing", "", nil, "dev"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := versionOf(c.linked, c.info); got != c.want {
				t.Errorf("the version is %q, want %q", got, c.want)
			}
		})
	}
}

func TestOnlyAReleaseHasATag(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0": "v0.1.0", "12.3.45": "v12.3.45", "0.2.0-rc.1": "v0.2.0-rc.1",
		"dev": "", "1a2b3c4": "", "1a2b3c4-dirty": "", "1234567": "", "0.1.0 with: {}": "", "0.1": "",
	} {
		if got := tagOf(version); got != want {
			t.Errorf("the tag of %s is %q, want %q", version, got, want)
		}
	}
}
