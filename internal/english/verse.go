package english

import (
	"bytes"
	"strings"
)

// Verse is told from prose by its lines: at least so many in a paragraph, none longer, most of them unfinished.
const (
	verseLines = 3
	verseWidth = 60 // bytes
)

// maskVerse masks poems and songs, whose "I" is not the model.
func maskVerse(b []byte) {
	for start := 0; start < len(b); {
		end := paragraphEnd(b, start)
		if isVerse(bytes.Trim(b[start:end], "\n")) {
			cover(b[start:end], Masked)
		}
		start = end + 2
	}
}

func isVerse(paragraph []byte) bool {
	lines, open := 0, 0
	for start, end := range linesOf(paragraph) {
		line := paragraph[start:end]
		if !verseLine(line) {
			return false
		}
		lines++
		if strings.IndexByte(".!?:", line[len(line)-1]) < 0 {
			open++
		}
	}
	return lines >= verseLines && 2*open >= lines
}

func verseLine(line []byte) bool {
	switch {
	case len(line) == 0, len(line) > verseWidth, line[0] == Masked, line[0] == Coded, listItem(string(line)):
		return false
	}
	return line[len(line)-1] != ':' || len(line) <= verseWidth/2
}
