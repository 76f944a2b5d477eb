package refusal

import "strings"

// Verse is told from prose by its lines: at least so many in a paragraph, none longer, most of them unfinished.
const (
	verseLines = 3
	verseWidth = 60 // bytes
)

// maskVerse masks poems and songs, whose "I" is not the model.
func maskVerse(b []byte) {
	for start := 0; start < len(b); {
		end := paragraphEnd(b, start)
		if isVerse(strings.Trim(string(b[start:end]), "\n")) {
			cover(b[start:end], masked)
		}
		start = end + 2
	}
}

func isVerse(paragraph string) bool {
	lines := strings.Split(paragraph, "\n")
	if len(lines) < verseLines {
		return false
	}
	open := 0
	for _, line := range lines {
		if line == "" || line[0] == masked || line[0] == codeMark || len(line) > verseWidth || listItem(line) || line[len(line)-1] == ':' && len(line) > verseWidth/2 {
			return false
		}
		if !strings.ContainsRune(".!?:", rune(line[len(line)-1])) {
			open++
		}
	}
	return 2*open >= len(lines)
}
