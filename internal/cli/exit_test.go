package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/fault"
)

// A command says that it was canceled only if it was, and by whom. What went wrong otherwise is told as it is,
// whatever kind of error it wraps.
func TestWhoCancelledACommand(t *testing.T) {
	signalled, tell := context.WithCancelCause(context.Background())
	tell(errors.New("terminated signal received"))
	stopped, stop := context.WithCancel(context.Background())
	stop()
	lost := fmt.Errorf("read the base: %w", context.Canceled)
	for _, c := range []struct {
		rule string
		ctx  context.Context
		err  error
		says string
	}{
		{"a signal is named", signalled, lost, "failproof: canceled (terminated signal received): nothing was decided; run the command again\n"},
		{"so it is where something could not be reached because of it", signalled, fault.Unreachable{Err: lost},
			"failproof: canceled (terminated signal received): nothing was decided; run the command again\n"},
		{"who embeds the command need not say why", stopped, lost, "failproof: canceled: nothing was decided; run the command again\n"},
		{"a request that broke off by itself is no cancelled command", context.Background(), fault.Unreachable{Err: lost},
			"failproof: read the base: context canceled\n"},
		{"nor is anything else", context.Background(), lost, "failproof: read the base: context canceled\n"},
		{"another fault is told although a signal came", signalled, errors.New("the disk is full"), "failproof: the disk is full\n"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var said bytes.Buffer
			if code := exitCode(c.ctx, System{Stderr: &said}, c.err); code != ExitUndecided || said.String() != c.says {
				t.Errorf("exitCode() = %d, %q; want %d, %q", code, said.String(), ExitUndecided, c.says)
			}
		})
	}
}
