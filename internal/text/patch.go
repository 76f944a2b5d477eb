package text

import (
	"fmt"
	"slices"
	"strings"
)

// Patch returns the change of a file from before to after as a unified diff for `git apply`. It has one hunk, with the
// given number of context lines before and after the change.
func Patch(path, before, after string, context int) string {
	old, now := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	first, skipped := max(0, start-context), max(0, end-context) // lines before and after the hunk
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n@@ -%s +%s @@\n", path, path, span(first+1, len(old)-skipped-first),
		span(first+1, len(now)-skipped-first))
	write := func(mark string, lines []string) {
		for _, line := range lines {
			if out.WriteString(mark + line); !strings.HasSuffix(line, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	write(" ", old[first:start])
	write("-", old[start:len(old)-end])
	write("+", now[start:len(now)-end])
	write(" ", old[len(old)-end:len(old)-skipped])
	return out.String()
}

// span returns the lines of a hunk in the form of its header. The hunk has n lines and begins at line first. An empty
// hunk is numbered by the line before it.
func span(first, n int) string {
	if n == 0 {
		first--
	}
	return fmt.Sprintf("%d,%d", first, n)
}
