package action

import (
	"context"
	"errors"
	"fmt"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
)

// HandleComment carries out the command of the comment that started the job. It returns the job to run. If no comment
// started the job, HandleComment returns the job unchanged. The result judge is false if there is nothing to judge: the
// comment has no command, the command is refused, or it is a command other than "run".
//
// Anybody can comment. Until the author is known to have write access, HandleComment only replies with a fixed text.
func (j Job) HandleComment(ctx context.Context) (_ Job, judge bool, err error) {
	c := j.event.Comment
	if c == nil {
		return j, true, nil
	}
	command, ok, wrong := github.ParseCommand(c.Body)
	if !ok || j.event.Action != "created" || j.event.Number == 0 || !c.Person {
		j.log("the comment is not a command; a command is the first line of a person's new comment on a pull " +
			"request, such as /failproof help")
		return j, false, nil
	}
	often, err := github.AskedTooOften(ctx, j.client, j.event)
	switch {
	case err != nil:
		return j, false, fault.Unreachable{Err: err}
	case often:
		j.log("the same person gave %d commands on this pull request within an hour; this one is ignored", github.CommandsAnHour)
		return j, false, nil
	}
	if wrong != nil {
		answer(ctx, j, github.ReactionRefused, sentence(wrong)+"\n\n"+github.Usage)
		return j, false, nil
	}
	if command.Verb == github.VerbHelp {
		answer(ctx, j, github.ReactionDone, github.Usage)
		return j, false, nil
	}
	pull, refusal, err := authorize(ctx, j, command)
	switch {
	case err != nil:
		react(ctx, j, j.event, github.ReactionRefused)
		return j, false, fault.Unreachable{Err: err}
	case refusal != "":
		answer(ctx, j, github.ReactionRefused, refusal)
		return j, false, nil
	case command.Verb == github.VerbAccept:
		accept(ctx, j, pull)
		return j, false, nil
	}
	react(ctx, j, j.event, github.ReactionSeen)
	asked := j.event
	j.event, j.request, j.in.Asked = pull, &asked, true
	j.github = github.NewRepository(j.client, pull, j.run, j.sleep)
	return j, true, nil
}

// authorize returns the pull request of the comment with the command. If the command may not be carried out, refusal
// says why.
func authorize(ctx context.Context, j Job, command github.Command) (pull github.Event, refusal string, err error) {
	may, err := github.MayWrite(ctx, j.client, j.event, j.event.Comment.Author)
	if err != nil {
		return pull, "", err
	}
	if !may {
		return pull, fmt.Sprintf("`%s` needs write access to the repository.", command.Verb), nil
	}
	pull, open, err := github.PullEvent(ctx, j.client, j.event)
	switch {
	case err != nil:
		return pull, "", err
	case !open:
		return pull, "The pull request is closed.", nil
	case pull.HeadSHA != command.Head:
		return pull, fmt.Sprintf("The comment names another commit; the head is `%s` now. Look at the new "+
			"changes, then repeat the command with this commit.", pull.HeadSHA), nil
	case command.Verb == github.VerbRun:
		return pull, "", nil
	}
	why, err := j.github.WhyNot(ctx, pull, *j.event.Comment)
	switch {
	case errors.Is(err, github.ErrNobody):
		return pull, sentence(err), nil
	case err != nil:
		return pull, "", err
	case why != "":
		return pull, "You cannot accept your own change: " + why + ".", nil
	}
	return pull, "", nil
}

// accept reruns the gate of the pull request. The acceptance is not stored: the rerun reads it from the comment.
func accept(ctx context.Context, j Job, pull github.Event) {
	err := github.RerunGate(ctx, j.client, pull)
	if err == nil {
		react(ctx, j, j.event, github.ReactionDone)
		j.log("the gate runs again and uses this acceptance")
		return
	}
	j.report(err)
	why := "it could not be started"
	if errors.Is(err, github.ErrNoGate) {
		why = "the job could not be identified"
	}
	answer(ctx, j, github.ReactionDone, "Noted. Now rerun the gate’s job: "+why+" (the reason is in the log of this run). The comment "+
		"above counts until the head changes or somebody edits the comment.")
}

// Done reacts to the comment that asked for the run, to mark the end of the run. If no comment asked for the run, Done
// does nothing. The parameter well is false if nothing was judged.
func (j Job) Done(ctx context.Context, well bool) {
	if j.request == nil {
		return
	}
	ctx, cancel := publishing(ctx)
	defer cancel()
	with := github.ReactionDone
	if !well {
		with = github.ReactionRefused
	}
	react(ctx, j, *j.request, with)
}

// answer reacts to the command, replies to it, and adds the reply to the job's summary. The reply is Markdown that
// failproof wrote.
func answer(ctx context.Context, j Job, with github.Reaction, text string) {
	react(ctx, j, j.event, with)
	j.report(github.Reply(ctx, j.client, j.event, text))
	j.report(j.runner.Summary(text + "\n"))
}

func react(ctx context.Context, j Job, e github.Event, with github.Reaction) {
	j.report(github.React(ctx, j.client, e, with))
}

// sentence returns the text of err with a capital and a full stop. The text must begin with a lower-case ASCII letter.
func sentence(err error) string {
	text := err.Error()
	return string(text[0]-'a'+'A') + text[1:] + "."
}
