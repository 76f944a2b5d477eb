// Package version returns the version of this build.
package version

import (
	"regexp"
	"runtime/debug"
	"strings"
)

// linked is the version that the linker of a release sets, such as 0.1.0. It is empty in every other build.
var linked string

// Current returns the version of this build. It is 0.1.0 for a release and for `go install …@v0.1.0`, and 1a2b3c4 for a
// checkout of that commit. It is 1a2b3c4-dirty if files changed, and dev if nothing is known.
func Current() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(linked, info)
}

var release = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// Tag returns the git tag of a release build, such as v0.1.0, or "" for every other build.
func Tag() string { return tagOf(Current()) }

func tagOf(version string) string {
	if !release.MatchString(version) {
		return ""
	}
	return "v" + version
}

// pseudoVersion matches a version that Go makes for a commit without a tag. It ends in the id of the commit
// (https://go.dev/ref/mod#pseudo-versions).
var pseudoVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+-(?:.*\.)?\d{14}-([0-9a-f]{12})(?:\+.*)?$`)

// versionOf returns linked if it is not empty. Otherwise it returns the version in info, the build information, which
// may be nil.
func versionOf(linked string, info *debug.BuildInfo) string {
	if linked != "" {
		return linked
	}
	if info == nil {
		return "dev"
	}
	version, dirty := strings.CutSuffix(info.Main.Version, "+dirty")
	commit := ""
	if m := pseudoVersion.FindStringSubmatch(version); m != nil {
		version, commit = "", m[1]
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
		dirty = dirty || s.Key == "vcs.modified" && s.Value == "true"
	}
	const short = 7
	switch tag, tagged := strings.CutPrefix(version, "v"); {
	case tagged && !dirty:
		return tag
	case len(commit) >= short && dirty:
		return commit[:short] + "-dirty"
	case len(commit) >= short:
		return commit[:short]
	}
	return "dev"
}
