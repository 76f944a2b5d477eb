package label

// Read finds the label of an answer to a question.
func Read(s *Set, question, answer string) Result {
	return s.Find(question, question, s.Text(answer))
}
