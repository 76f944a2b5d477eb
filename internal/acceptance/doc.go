// Package acceptance holds the attacks that failproof has to withstand, the honest pull requests that it must not block, and
// random histories, and tries them on the real binary: a real git repository with real merges, a GitHub in memory, a model
// on the loopback interface, and a runner's environment in which every secret is a canary. It has nothing but tests, and they
// know failproof by its contract alone: of its packages they import the fake GitHub.
package acceptance
