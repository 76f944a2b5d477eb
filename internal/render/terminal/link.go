package terminal

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
)

// FileLink returns a file's path. If the terminal supports OSC 8 links, the path is such a link
// (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
func FileLink(getenv func(string) string, file string) string {
	text := show.LogLine(file)
	if !supportsLinks(getenv) {
		return text
	}
	slashed := filepath.ToSlash(file)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	return "\x1b]8;;" + (&url.URL{Scheme: "file", Path: slashed}).String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// linkingPrograms are the values of TERM_PROGRAM of terminals with OSC 8 links.
var linkingPrograms = []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed"}

// firstLinkingVTE is the first version of VTE with correct OSC 8 links.
const firstLinkingVTE = 5002

// supportsLinks reports whether a terminal's name or version implies OSC 8 links. A multiplexer may still drop them.
func supportsLinks(getenv func(string) string) bool {
	name := getenv("TERM")
	if name == "dumb" || strings.HasPrefix(name, "screen") || strings.HasPrefix(name, "tmux") {
		return false
	}
	vte, _ := strconv.Atoi(getenv("VTE_VERSION"))
	return vte >= firstLinkingVTE || slices.Contains(linkingPrograms, getenv("TERM_PROGRAM")) ||
		getenv("WT_SESSION") != "" ||
		getenv("KONSOLE_VERSION") != "" || name == "xterm-kitty" || name == "xterm-ghostty" || name == "alacritty" ||
		name == "foot"
}
