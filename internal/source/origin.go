package source

import (
	"fmt"
)

// Origin is the address of the remote that a clone was made from. Its error is ErrNoRepository, what the disk said, or that there is none.
func Origin(dir string) (address string, err error) {
	r, err := openRepository(dir)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	settings, err := r.store.Config()
	if err != nil {
		return "", fmt.Errorf("read the repository's settings: %w", err)
	}
	if remote := settings.Remotes["origin"]; remote != nil && len(remote.URLs) > 0 {
		return remote.URLs[0], nil
	}
	return "", fmt.Errorf("the repository has no remote %q", "origin")
}
