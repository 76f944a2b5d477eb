package output

import (
	"os"

	"github.com/failproof/failproof/internal/fault"
)

// WriteFiles writes recordings below the folder dir. text returns the new content of the recording with the given name.
// On an error, WriteFiles also returns the names of the files already written.
func WriteFiles(dir string, names []string, text func(root *os.Root, name string) ([]byte,
	error)) (written []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.Inputf("open the working folder: %w", err)
	}
	defer root.Close()
	for _, name := range names {
		made, err := text(root, name)
		if err == nil {
			err = Replace(root, name, made)
		}
		if err != nil {
			return written, fault.Inputf("write the recordings %s: %w", name, err)
		}
		written = append(written, name)
	}
	return written, nil
}
