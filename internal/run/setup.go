package run

import (
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/suite"
)

// ReadSetup looks at the head's configuration, suites and recordings for what keeps the gate from working, and leaves out what
// stands elsewhere in the repository. Nothing is asked.
func ReadSetup(in Inputs) (doctor.Setup, error) {
	setup := doctor.Setup{Files: in.Head}
	setup.Config, setup.Faults = RequireConfig(in.Head, in.Config)
	if in.Config == "" && !HasConfig(in.Head, "") && config.Misnamed(in.Head) == "" {
		if setup.Services = servicesBelow(in.Head); len(setup.Services) > 0 {
			setup.Faults = nil // there is a configuration, and more than one
		}
	}
	if setup.Config == nil {
		return setup, nil
	}
	effective := config.Own(setup.Config, config.AskNew)
	suites, faults := suite.Load(in.Head, effective, in.globs(effective.Suites))
	setup.Faults = append(setup.Faults, faults...)
	asked := map[string]bool{}
	for _, s := range suites {
		if effective.Targets[s.Target].Live() {
			asked[s.Target] = true
		}
	}
	setup.Asked = slices.Sorted(maps.Keys(asked))
	setup.Words = withoutModel(in, setup.Config.Semantic)
	if document.HasErrors(setup.Faults) {
		return setup, nil
	}
	stamps, faults, err := ReadStamps(RecordInputs{Inputs: in})
	setup.Faults = append(setup.Faults, faults...)
	setup.Keyless = unbound(stamps.Unstamped)
	return setup, err
}

// unbound counts the answers that do not say what they answer, file by file.
func unbound(unstamped []recorded.Unstamped) (out []doctor.Keyless) {
	answers := map[string]int{}
	for _, u := range unstamped {
		answers[u.File]++
	}
	for _, file := range slices.Sorted(maps.Keys(answers)) {
		out = append(out, doctor.Keyless{Path: file, Answers: answers[file]})
	}
	return out
}

// withoutModel says why the model that the configuration names for likeness is not used; "" where it is, or none is named.
func withoutModel(in Inputs, s config.Semantic) string {
	if s.Provider != config.ProviderStatic && s.Provider != config.ProviderBERT {
		return ""
	}
	if _, err := in.openEmbedder(s, in.Head, ""); err != nil {
		return err.Error()
	}
	return ""
}
