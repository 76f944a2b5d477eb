package comment

// For tests outside of the package, which may import package render.
var (
	Faults  = faults
	StoryOf = storyOf
)
