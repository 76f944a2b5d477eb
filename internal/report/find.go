package report

import "github.com/failproof/failproof/internal/suiteid"

// Find returns a case by its name; nil if the side has no such case.
func (s *Side) Find(name suiteid.Name) *Case {
	if one := s.Suite(name.Suite); one != nil {
		return one.Case(name.Case)
	}
	return nil
}
