package output

import (
	"errors"
	"os"
	"path"
	"path/filepath"
)

// WriteNew writes a file that is not there yet, with the folders on the way; name is a path of slashes below root. Of one that is there the error is fs.ErrExist,
// and nothing is written over.
func WriteNew(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	to, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Close()); err != nil {
		_ = root.Remove(filepath.FromSlash(name)) // half of it, on a full disk, would be kept the next time
	}
	return err
}
