package meaning_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/meaning"
)

// An endpoint that does not answer is nobody's input: the run has no verdict.
func TestAnOutageOfTheEndpointIsNoWrongInput(t *testing.T) {
	down := embed.Faultf(embed.StatusReason(503), "the embedding endpoint answered with status 503")
	err := meaning.RunError(down)
	if _, input := errors.AsType[fault.Input](err); input || !errors.Is(err, down) ||
		!strings.Contains(err.Error(), "run again when the endpoint answers") {
		t.Errorf("RunError() = %v, want an outage", err)
	}
	if err := meaning.RunError(context.Canceled); err != context.Canceled {
		t.Errorf("RunError() = %v, want a cancel as it is", err)
	}
}
