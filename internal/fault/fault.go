// Package fault has two kinds of errors: wrong input by the user outside of files, and something that could not be
// reached. An error in a user's file is a document.Diagnostic instead.
package fault

import "fmt"

// Input is an error in a flag, an argument or an input of the action.
type Input struct{ Err error }

func (e Input) Error() string { return e.Err.Error() }
func (e Input) Unwrap() error { return e.Err }

// Inputf formats an Input as fmt.Errorf does.
func Inputf(format string, args ...any) error { return Input{fmt.Errorf(format, args...)} }

// Unreachable is the error of something that is unavailable now: GitHub, a provider, an object missing in a clone.
type Unreachable struct{ Err error }

func (e Unreachable) Error() string { return e.Err.Error() }
func (e Unreachable) Unwrap() error { return e.Err }
