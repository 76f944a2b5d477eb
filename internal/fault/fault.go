// Package fault has the types of errors that decide the exit code: a wrong input of the user, a resource that cannot be
// reached, and a bug of failproof. An error in a user's file is a document.Diagnostic instead.
package fault

import "fmt"

// Input is an error in a flag, an argument or an input of the action.
type Input struct{ Err error }

func (i Input) Error() string { return i.Err.Error() }
func (i Input) Unwrap() error { return i.Err }

// Inputf returns an Input with an error that is formatted as by fmt.Errorf.
func Inputf(format string, args ...any) error { return Input{fmt.Errorf(format, args...)} }

// Unreachable is an error about something that is unavailable now: GitHub, a provider, or an object missing in a clone.
type Unreachable struct{ Err error }

func (u Unreachable) Error() string { return u.Err.Error() }
func (u Unreachable) Unwrap() error { return u.Err }
