// Growth counts the work of all that reads an answer, for texts that are made to be slow: whoever writes an answer must not choose how long a
// run takes. It is built as for a test's coverage, so that each block of the readers counts how often it runs, and writes the counters of each
// text, in three sizes, into a folder of its own. Its test holds them to growing with the text, and not with its square.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/coverage"
	"strconv"
)

// sizes of each text in bytes, each twice the one before.
var sizes = [...]int{2 << 10, 4 << 10, 8 << 10}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: growth FOLDER, built with -cover -covermode=atomic")
		os.Exit(2)
	}
	if err := count(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// count reads each text in each size, and writes how often each block ran into FOLDER/text/size.
func count(folder string) error {
	read("What is read first makes tables.")
	for name, text := range hostile() {
		for _, size := range sizes {
			into := filepath.Join(folder, name, strconv.Itoa(size))
			if err := os.MkdirAll(into, 0o700); err != nil {
				return err
			}
			long := text(size)
			if err := coverage.ClearCounters(); err != nil {
				return err
			}
			read(long)
			if err := coverage.WriteCountersDir(into); err != nil {
				return err
			}
			if err := coverage.WriteMetaDir(into); err != nil {
				return err
			}
		}
	}
	return nil
}
