package model

import "context"

// Echo answers with the last message it is sent: a target for trying a suite's plumbing without a model.
type Echo struct{}

// Answer returns the content of the request's last message.
func (Echo) Answer(ctx context.Context, r Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	if len(r.Messages) == 0 {
		return Response{}, nil
	}
	last := r.Messages[len(r.Messages)-1]
	return Response{Text: Untrusted(last.Content), Finish: "stop", Model: "echo"}, nil
}
