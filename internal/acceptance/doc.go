// Package acceptance tests failproof from outside: as a process where that matters and in the full run, otherwise by a
// call of its command line (start_test.go). It has tests of:
//
//   - attacks that failproof has to withstand, honest pull requests that it must not block, and random histories. Each
//     has a real git repository with real merges, a GitHub in memory, a model on the loopback interface, and a runner's
//     environment in which every secret is a canary. These tests know failproof only by its contract: of its packages
//     they import the fake GitHub;
//   - scripts, each of which begins with the rule that it proves (script_*, testdata/script);
//   - mistakes that a repository may have (bad_*, testdata/bad);
//   - signals and providers (live_*);
//   - statements of the documentation (docs_*);
//   - random repositories, whose verdicts must not change (equal_test.go, generate_*).
//
// It has nothing but tests.
package acceptance
