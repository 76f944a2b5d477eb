package text

import "strings"

// IsPrivate reports whether part, a component of a path, names git's own folder or an environment file. Some file
// systems open the same file under other spellings. They ignore letter case, trailing dots and spaces (Windows, macOS)
// or invisible characters (HFS+). NTFS also knows .git as GIT~1, and .env as ENV~1.
func IsPrivate(part string) bool {
	visible := strings.Map(func(r rune) rune {
		if IsZeroWidth(r) {
			return -1
		}
		return r
	}, part)
	s := strings.TrimRight(strings.ToLower(visible), ". ")
	return s == ".git" || s == "git~1" || strings.HasPrefix(s, ".env") || strings.HasPrefix(s, "env~")
}
