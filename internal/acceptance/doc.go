// Package acceptance tries failproof from outside, as a process where that matters and in the full run, else by a call
// of its command line (start_test.go):
//
//   - attacks that it has to withstand, honest pull requests that it must not block, and random histories, each on a
//     real git repository with real merges, a GitHub in memory, a model on the loopback interface, and a runner's
//     environment in which every secret is a canary. These know failproof by its contract alone: of its packages they
//     import the fake GitHub;
//   - scripts, each of which opens with the rule that it proves (script_*, testdata/script);
//   - what may be wrong in a repository (bad_*, testdata/bad);
//   - signals and providers (live_*);
//   - what the documentation says (docs_*);
//   - repositories made by chance, which it judges as it did before (equal_test.go, generate_*).
//
// It has nothing but tests.
package acceptance
