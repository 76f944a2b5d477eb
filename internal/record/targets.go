package record

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// targets returns two configurations: source has live targets in place of the recorded ones, reading has recorded
// targets in place of the live ones.
func (in Inputs) targets(own *config.Config) (source, reading *config.Config, err error) {
	source, reading = config.ResolveAlone(own, config.CallNew), config.ResolveAlone(own, config.CallNew)
	live, hasLive := asking.OnlyLiveTarget(own)
	if in.Target != "" {
		live = own.Targets[in.Target]
		if hasLive = live.Live(); !hasLive {
			names := slices.DeleteFunc(slices.Sorted(maps.Keys(own.Targets)),
				func(name string) bool { return !own.Targets[name].Live() })
			return nil, nil, fault.Inputf("--target %q is no live target of the configuration, which has %s%s",
				in.Target, cmp.Or(text.List(names, "and"), "none"), withheldTargets(own))
		}
	}
	replay, hasRecorded := asking.OnlyTarget(own, func(t config.Target) bool { return t.Provider == model.Recorded })
	if !hasRecorded {
		replay = own.RecordingTarget("replay", defaultRecordings)
	}
	for name, t := range own.Targets {
		switch {
		case t.Live():
			recordedTarget,
				found := asking.OnlyTarget(own, func(t config.Target) bool { return t.RecordedFrom == name })
			if !found { // no recorded target names it
				recordedTarget = replay
			}
			reading.Targets[name] = in.withPath(recordedTarget)
			if in.Target != "" {
				source.Targets[name] = live
			}
		case t.Provider == model.Recorded:
			from, known := own.Targets[t.RecordedFrom], t.RecordedFrom != ""
			if known && in.Target != "" && t.RecordedFrom != in.Target {
				continue // another target is to be recorded
			}
			reading.Targets[name] = in.withPath(t)
			if !known {
				from, known = live, hasLive
			}
			if known {
				source.Targets[name] = from
			}
		}
	}
	return source, reading, nil
}

// withPath returns a recorded target with the caller's path, if there is one.
func (in Inputs) withPath(t config.Target) config.Target {
	if in.To != "" {
		t.Path = path.Clean(filepath.ToSlash(in.To))
	}
	return t
}

// filterSuites drops the other targets of each suite that lists several, if the caller named the target to record.
func (in Inputs) filterSuites(own *config.Config, suites []*suite.Suite) []*suite.Suite {
	if in.Target == "" {
		return suites
	}
	return slices.DeleteFunc(suites, func(s *suite.Suite) bool {
		_, listed := suiteid.Split(s.ID)
		t := own.Targets[s.Target]
		return listed != "" && (t.Live() && t.Name != in.Target || t.RecordedFrom != "" && t.RecordedFrom != in.Target)
	})
}

// checkOverwrite returns an error if a file to write is not below the current folder, or if it exists and is no
// recording, but a suite for example.
func (r *recording) checkOverwrite(asked []*suite.Suite) error {
	for _, s := range asked {
		name := r.results[s.ID].Path
		if _, err := filepath.Localize(name); err != nil {
			return fault.Inputf("write the recordings %s: it is not below the current folder", name)
		}
		text, err := fs.ReadFile(r.in.Inputs.Head, name)
		if err == nil && !recorded.IsRecording(text) {
			return fault.Inputf("%s holds something else than recorded answers, and nothing was asked: name another "+
				"file with --to", name)
		}
	}
	return nil
}

// oneEachFile returns the suites without those whose answers another one brings: if a suite lists a live target and the
// recorded target that holds its answers, the recorded target's is asked, because only its cases flip. own is the
// effective configuration, and live has the live target of each suite. oneEachFile returns an error if the answers of
// two live targets would be written to one file.
func (r *recording) oneEachFile(own *config.Config, asked []*suite.Suite, live map[string]string) (out []*suite.Suite,
	err error) {
	first := map[[2]string]int{}
	for _, s := range asked {
		file := [2]string{suiteid.AuthorID(s.ID), r.results[s.ID].Path}
		i, known := first[file]
		if !known {
			first[file], out = len(out), append(out, s)
			continue
		}
		switch other := out[i]; {
		case live[other.ID] == live[s.ID] && own.Targets[other.Target].Live():
			out[i] = s
		case live[other.ID] != live[s.ID]:
			return nil, fault.Inputf("suite %s is answered by %s and %s, and the answers of both would be written to %s, "+
				"where nothing tells them apart: add a recorded target "+
				"for each, such as replay-%[3]s: { provider: recorded, records: %[3]s, path: "+
				"\"recordings/%[3]s/{suite}.jsonl\" }", file[0], live[other.ID], live[s.ID], file[1])
		}
	}
	return out, nil
}

// noTargetError returns the error that there is no live target for a recorded suite.
func (in Inputs) noTargetError(own *config.Config, s *suite.Suite) error {
	names, id := slices.Sorted(maps.Keys(sides.RecordedTargets(own))), suiteid.AuthorID(s.ID)
	names = slices.DeleteFunc(names, own.IsOnlyJudge)
	switch {
	case len(names) == 0:
		return fault.Inputf("suite %s is answered from recordings, and %s has no live target to record from; add "+
			"one below targets, such as "+
			"fast: { provider: openai, model: gpt-5-mini, api_key_env: OPENAI_API_KEY }; or write the answers "+
			"yourself, then `failproof record --stamp`%s", id, own.Path, withheldTargets(own))
	case own.Targets[s.Target].RecordedFrom != "":
		return fault.Inputf("suite %s is answered from recordings of %s, and --target names %s", id,
			own.Targets[s.Target].RecordedFrom, in.Target)
	}
	return fault.Inputf("suite %s is answered from recordings, and the configuration has several live targets: name "+
		"the one to ask with --target, of %s; "+
		"or say whose they are, as %s", id, strings.Join(names, ", "),
		fmt.Sprintf("`records: %s` in target %s", names[0], s.Target))
}

// withheldTargets returns which of the head's targets must not be called, and why; "" for none.
func withheldTargets(own *config.Config) (words string) {
	for _, name := range slices.Sorted(maps.Keys(own.Withheld)) {
		words += fmt.Sprintf("; target %s %s", name, own.Withheld[name])
	}
	return words
}
