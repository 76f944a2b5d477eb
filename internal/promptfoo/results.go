package promptfoo

// Answer is one of promptfoo's stored answers.
type Answer struct {
	Suite, Case, Target string
	Text                string
}

func (im *importer) results() {}
