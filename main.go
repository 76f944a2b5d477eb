// Command failproof is a gate for prompt changes: a GitHub Action, a pre-merge bot and a command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	// Root certificates for a system without any, such as a FROM scratch image.
	_ "golang.org/x/crypto/x509roots/fallback"

	"github.com/failproof/failproof/internal/cli"
)

func main() {
	os.Exit(run())
}

func run() int {
	if os.Getenv("GOMEMLIMIT") == "" {
		// more garbage collection above this limit, so that 100,000 answers with a base fit in 400 MB
		debug.SetMemoryLimit(360 << 20)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a run takes a tenth less processor time, and up to a third more memory below that limit
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	dir, _ := os.Getwd()
	user, _ := os.UserConfigDir() // without one, nothing is remembered
	return cli.Main(ctx, os.Args[1:], cli.System{
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv,
		Now:    time.Now,
		Dir:    dir,

		UserDir: user,
	})
}
