package suite

import "github.com/failproof/failproof/internal/model"

// Asked says what a file is to a case. What is greater counts for more.
type Asked int

const (
	NotAsked   Asked = iota // the case is sent nothing of it
	Told                    // words of the assistant are read from it, and no others
	Instructed              // it is the prompt of the case, part of it, or its tools
)

// sending is a file whose text is sent in messages, or as tools.
type sending struct {
	path string
	as   Asked
}

// sendings are the files that messages are read from, one for each message.
func sendings(messages []message) (out []sending) {
	for i := range messages {
		if m := &messages[i]; m.from.Path != "" {
			as := Instructed
			if m.role == model.RoleAssistant {
				as = Told
			}
			out = append(out, sending{m.from.Path, as})
		}
	}
	return out
}

func askedBy(path string, files []sending) (most Asked) {
	for _, f := range files {
		if f.path == path {
			most = max(most, f.as)
		}
	}
	return most
}

// AllAskedBy says what the file at a path is to every case at least: what they share.
func (s *Suite) AllAskedBy(path string) Asked {
	if s.prompts && path == s.Path {
		return Instructed
	}
	return askedBy(path, s.shared)
}

// AskedBy says what the file at a path is to a case of the suite.
func (s *Suite) AskedBy(c *Case, path string) Asked {
	all := s.AllAskedBy(path)
	if all == Instructed || !s.ownFiles {
		return all
	}
	return max(all, askedBy(path, c.Open().files))
}
