package text

import (
	"fmt"
	"slices"
	"strings"
)

// Patch returns a change of a file as a unified diff for `git apply`. It has one hunk, with context lines around the
// change.
func Patch(path, before, after string, context int) string {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	from := max(0, start-context)
	behind := slices.Clone(old[len(old)-end:][:min(end, context)])
	behind = slices.DeleteFunc(behind, func(line string) bool { return line == "" })
	gone, new := old[start:len(old)-end], now[start:len(now)-end]
	around := start - from + len(behind)
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", path, path)
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", from+1, around+len(gone), from+1, around+len(new))
	write := func(mark string, lines []string) {
		for _, line := range lines {
			b.WriteString(mark + line)
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	write(" ", old[from:start])
	write("-", gone)
	write("+", new)
	write(" ", behind)
	return b.String()
}
