// Package fault sorts errors by whose they are: the user's, who gave something wrong that is in no file, or the
// world's, when something could not be reached. A fault in a file of the user's is no error, but a document.Diagnostic.
package fault

import "fmt"

// Input is an error in what the user gave: a flag, a revision, a file that a flag names.
type Input struct{ Err error }

func (e Input) Error() string { return e.Err.Error() }
func (e Input) Unwrap() error { return e.Err }

// Inputf makes an Input of words, as fmt.Errorf does.
func Inputf(format string, args ...any) error { return Input{fmt.Errorf(format, args...)} }

// Unreachable is the error of something that cannot be had now: GitHub, a provider, an object that a clone lacks.
type Unreachable struct{ Err error }

func (e Unreachable) Error() string { return e.Err.Error() }
func (e Unreachable) Unwrap() error { return e.Err }
