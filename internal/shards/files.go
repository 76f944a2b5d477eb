package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
)

// maxFile is the largest size of the file of a shard, in bytes.
const maxFile = 1 << 30

// Read reads the files of a run's shards. Each path is a file, or a folder with files below it. The error is a
// fault.Input.
func Read(paths []string) (*shard.Answers, error) {
	var files []shard.File
	for _, path := range paths {
		found, err := filesBelow(path)
		if err != nil {
			return nil, fault.Inputf("the shards: %w", err)
		}
		files = append(files, found...)
	}
	answers, err := shard.Read(files)
	if err != nil {
		return nil, fault.Inputf("the shards: %w", err)
	}
	return answers, nil
}

// ReadIn reads the shards in folder. If folder does not exist, it returns no answers.
func ReadIn(folder string) (*shard.Answers, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return Read(nil)
	}
	return Read([]string{folder})
}

// filesBelow reads the file at path. If path is a folder, it reads the files of shards below the folder.
func filesBelow(path string) (files []shard.File, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist; expected a file or a folder that `failproof run --shard` wrote", path)
	}
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || info.IsDir() && (entry.Name() != output.ShardFile || entry.IsDir()) {
			return err
		}
		text, err := regular.Read(name, maxFile)
		files = append(files, shard.File{Name: name, Text: string(text)})
		return err
	})
	return files, err
}
