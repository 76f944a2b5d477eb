package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
)

type doctorOptions struct {
	Config, Repository string
	Offline, JSON      bool
}

func newDoctor(sys System) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what here lets a change past the gate, and what to change",
		Long: `Looks at workflows, CODEOWNERS, configuration and recordings, and, where GitHub can be asked, at the rules of the
default branch. Says what a stranger could do, or what does not work, and what to change. Exit code 1 when something
is open. GITHUB_TOKEN, else GH_TOKEN, is the token that GitHub is asked with; it needs to read only.`,
		Example: "  failproof doctor\n  failproof doctor --offline\n  failproof doctor --repository acme/support --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd, "config", "repository"); err != nil {
				return err
			}
			return examine(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	cmd.Flags().StringVar(&o.Repository, "repository", "", "OWNER/NAME on GitHub (default: GITHUB_REPOSITORY, else the remote origin)")
	cmd.Flags().BoolVar(&o.Offline, "offline", false, "ask nobody: leave out the rules of the default branch")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the findings as JSON to standard output")
	return cmd
}

func examine(ctx context.Context, sys System, o doctorOptions) error {
	in, err := newInputs(sys, runOptions{Config: o.Config, Scope: run.ScopeAll})
	if err != nil {
		return err
	}
	setup, err := run.ReadSetup(in)
	if err != nil {
		return err
	}
	if root, below, err := source.Within(sys.Dir); err == nil {
		if setup.Files, err = source.Worktree(root); err != nil {
			return fault.Inputf("open the repository: %w", err)
		}
		setup.Folder = below
	}
	if setup.Guard, err = readGuard(ctx, sys, o); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		setup.Unseen = err.Error()
	}
	findings := doctor.Examine(setup)
	if err := printFindings(sys, o, findings); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f doctor.Finding) bool { return f.Open }) {
		return verdictError{verdict: report.Failed}
	}
	return nil
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// readGuard asks GitHub what the default branch requires. Its error says why that is not known.
func readGuard(ctx context.Context, sys System, o doctorOptions) (*github.Guard, error) {
	if o.Offline {
		return nil, fmt.Errorf("--offline was given")
	}
	name := cmp.Or(o.Repository, sys.Getenv("GITHUB_REPOSITORY"))
	if name == "" {
		host := strings.TrimPrefix(cmp.Or(sys.Getenv("GITHUB_SERVER_URL"), "https://github.com"), "https://")
		origin, err := source.Origin(sys.Dir)
		if err != nil {
			return nil, err
		}
		if name = onHost(origin, host); name == "" {
			return nil, fmt.Errorf("the remote origin is not a repository on %s; name one with --repository", host)
		}
	}
	if !repositoryName.MatchString(name) {
		return nil, fmt.Errorf("%q is no OWNER/NAME", name)
	}
	client, err := github.NewClient(github.Options{BaseURL: cmp.Or(sys.Getenv("GITHUB_API_URL"), "https://api.github.com"),
		Token: cmp.Or(sys.Getenv("GITHUB_TOKEN"), sys.Getenv("GH_TOKEN")), UserAgent: "failproof/" + Version(), Sleep: sys.Sleep})
	if err != nil {
		return nil, err
	}
	owner, repo, _ := strings.Cut(name, "/")
	guard, err := github.ReadGuard(ctx, client, owner, repo)
	if err != nil {
		return nil, err
	}
	return &guard, nil
}

// onHost returns OWNER/NAME of a remote's address on a host, "" for any other address.
func onHost(address, host string) string {
	for _, form := range []string{"https://", "ssh://git@", "git@", "git://", "http://"} {
		rest, is := strings.CutPrefix(address, form)
		if !is {
			continue
		}
		if _, after, found := strings.Cut(rest, "@"); found && strings.HasPrefix(form, "http") {
			rest = after // whoever's credentials these are, they are not looked at
		}
		rest, is = strings.CutPrefix(rest, host)
		is = is && strings.IndexAny(rest, "/:") == 0
		if name := strings.TrimSuffix(strings.Trim(rest, "/:"), ".git"); is && repositoryName.MatchString(name) {
			return name
		}
	}
	return ""
}

func printFindings(sys System, o doctorOptions, findings []doctor.Finding) error {
	if o.JSON {
		encoder := json.NewEncoder(show.JSONWriter(sys.Stdout))
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Findings []doctor.Finding `json:"findings"`
		}{append([]doctor.Finding{}, findings...)})
	}
	open := 0
	for _, f := range findings {
		if f.Open {
			open++
		}
		printFinding(sys.Stdout, f)
	}
	switch notes := text.Count(len(findings)-open, "note"); {
	case len(findings) == 0:
		fmt.Fprintln(sys.Stdout, "Nothing is open.")
	case open == 0:
		fmt.Fprintf(sys.Stdout, "Nothing is open; %s.\n", notes)
	default:
		fmt.Fprintf(sys.Stdout, "%d open, %s.\n", open, notes)
	}
	return nil
}

// printFinding prints what is so, why it matters and what to do. A finding quotes files: each line is made inert here.
func printFinding(w io.Writer, f doctor.Finding) {
	level := "note"
	if f.Open {
		level = "open"
	}
	if place := f.Place(); place != "" {
		level += "  " + place
	}
	fmt.Fprintf(w, "%s  [%s]\n", show.Log(level), f.Rule)
	for _, line := range []string{f.What, f.Why, "→ " + f.Do} {
		fmt.Fprintf(w, "      %s\n", show.Log(line))
	}
	fmt.Fprintln(w)
}
