package text

import (
	"fmt"
	"slices"
	"strings"
)

// PatchLine is a line of a unified diff.
type PatchLine struct {
	Mark byte   // ' ', '-' or '+'
	Text string // the line with its line break, which the last line of a file may lack
}

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
	var lines []PatchLine
	add := func(mark byte, texts []string) {
		for _, text := range texts {
			lines = append(lines, PatchLine{mark, text})
		}
	}
	add(' ', old[:start])
	add('-', old[start:len(old)-end])
	add('+', now[start:len(now)-end])
	add(' ', old[len(old)-end:])
	return fmt.Sprintf("--- a/%s\n+++ b/%s\n%s", path, path, Hunks(lines, context))
}

// Hunks returns the hunks of a unified diff. lines are all lines of a file. Each hunk has a header with line numbers
// and the changed lines, with the given number of context lines before and after them.
func Hunks(lines []PatchLine, context int) string {
	var out strings.Builder
	count := func(lines []PatchLine) (olds, news int) {
		for _, l := range lines {
			if l.Mark != '+' {
				olds++
			}
			if l.Mark != '-' {
				news++
			}
		}
		return olds, news
	}
	oldAt, newAt := 1, 1
	for {
		isChange := func(l PatchLine) bool { return l.Mark != ' ' }
		last := slices.IndexFunc(lines, isChange)
		if last < 0 {
			return out.String()
		}
		first := max(0, last-context)
		for i := last + 1; i < len(lines) && i <= last+1+2*context; i++ { // a near change is in the same hunk
			if isChange(lines[i]) {
				last = i
			}
		}
		skipped, hunk := lines[:first], lines[first:min(len(lines), last+1+context)]
		lines = lines[first+len(hunk):]
		olds, news := count(skipped)
		oldAt, newAt = oldAt+olds, newAt+news
		olds, news = count(hunk)
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(oldAt, olds), span(newAt, news))
		oldAt, newAt = oldAt+olds, newAt+news
		for _, l := range hunk {
			out.WriteString(string(l.Mark) + l.Text)
			if !strings.HasSuffix(l.Text, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
}

// span returns the lines of a hunk in the form of its header. The hunk has n lines and begins at line first. An empty
// hunk is numbered by the line before it.
func span(first, n int) string {
	if n == 0 {
		first--
	}
	return fmt.Sprintf("%d,%d", first, n)
}
