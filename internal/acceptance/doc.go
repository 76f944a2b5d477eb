// Package acceptance tests failproof from outside, through its command line. Most tests call cli.Main in the test's own
// process. Tests that need a real process start the binary; in the full run, a part of the others does so too
// (start_test.go). There are tests of:
//
//   - attacks that failproof has to withstand, honest pull requests that it must not block, and random histories. Each
//     has a real git repository with real merges, a GitHub in memory, a model on the loopback interface, and a runner's
//     environment in which every secret is a canary. Of failproof's packages, these tests import only the fake GitHub;
//   - scripts, each of which begins with the rule that it proves (script_*, testdata/script);
//   - mistakes that a repository may have (bad_*, testdata/bad);
//   - signals and providers (live_*);
//   - statements of the documentation (docs_*);
//   - random repositories, whose verdicts must not change (equal_test.go, generate_*).
//
// The package contains only tests.
package acceptance
