package page

import (
	"github.com/failproof/failproof/internal/render/show"
)

// place is a line of a file; URL is "" where it cannot be linked.
type place struct{ Name, URL string }

func (v printer) placeOf(sha, path string, line, column int) place {
	if path == "" {
		return place{}
	}
	return place{show.Named(show.PlaceName(v.Links.Path(path), line, column)), v.Links.File(sha, path, line)}
}

// revisionOf names a commit by its first seven characters, and else by its name.
func (v printer) revisionOf(sha, name string) place {
	if show.ShaForm.MatchString(sha) {
		return place{sha[:7], v.Links.Commit(sha)}
	}
	return place{show.Ends(name, show.NameRunes), ""}
}
