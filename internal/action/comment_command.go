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
	often, err := github.CommandLimitReached(ctx, j.client, j.event)
	switch {
	case err != nil:
		return j, false, fault.Unreachable{Err: err}
	case often:
		j.log("the same person gave %d commands on this pull request within an hour; this one is ignored", github.CommandsAnHour)
		return j, false, nil
	}
	if wrong != nil {
		reply(ctx, j, github.ReactionRefused, sentence(wrong)+" Nothing was run or accepted.\n\n"+github.Usage)
		return j, false, nil
	}
	if command.Verb == github.VerbHelp {
		reply(ctx, j, github.ReactionDone, github.Usage)
		return j, false, nil
	}
	pull, refusal, err := authorize(ctx, j, command)
	switch {
	case err != nil:
		react(ctx, j, j.event, github.ReactionRefused)
		return j, false, fault.Unreachable{Err: err}
	case refusal != "":
		reply(ctx, j, github.ReactionRefused, refusal)
		return j, false, nil
	case command.Verb == github.VerbAccept:
		rerunGate(ctx, j, pull)
		return j, false, nil
	}
	react(ctx, j, j.event, github.ReactionSeen)
	asked := j.event
	j.event, j.commandEvent, j.in.ByComment = pull, &asked, true
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
	why, err := j.github.WhyMayNotAccept(ctx, pull, *j.event.Comment)
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

// rerunGate reruns the gate of the pull request. The acceptance is not stored: the rerun reads it from the comment.
func rerunGate(ctx context.Context, j Job, pull github.Event) {
	err := github.RerunGate(ctx, j.client, pull)
	if err == nil {
		react(ctx, j, j.event, github.ReactionDone)
		j.log("the gate runs again and uses this acceptance")
		return
	}
	j.logError(err)
	why := "it could not be started"
	if errors.Is(err, github.ErrNoGate) {
		why = "the job could not be identified"
	}
	reply(ctx, j, github.ReactionDone, "Now rerun the gate’s job: "+why+" (the reason is in the log of this run). "+
		"The comment above accepts the cases and rules that it names as the result writes them, until the head "+
		"changes or somebody edits it.")
}

// MarkDone reacts to the comment that asked for the run, to mark the end of the run. If no comment asked for the run,
// MarkDone does nothing. judged is false if nothing was judged.
func (j Job) MarkDone(ctx context.Context, judged bool) {
	if j.commandEvent == nil {
		return
	}
	ctx, cancel := publishContext(ctx)
	defer cancel()
	reaction := github.ReactionDone
	if !judged {
		reaction = github.ReactionRefused
	}
	react(ctx, j, *j.commandEvent, reaction)
}

// reply reacts to the command, replies to it, and adds the reply to the job's summary. The reply is Markdown that
// failproof wrote.
func reply(ctx context.Context, j Job, reaction github.Reaction, text string) {
	react(ctx, j, j.event, reaction)
	j.logError(github.Reply(ctx, j.client, j.event, text))
	j.logError(j.runner.Summary(text + "\n"))
}

func react(ctx context.Context, j Job, e github.Event, reaction github.Reaction) {
	j.logError(github.React(ctx, j.client, e, reaction))
}

// sentence returns the text of err with a capital and a full stop. The text must begin with a lower-case ASCII letter.
func sentence(err error) string {
	text := err.Error()
	return string(text[0]-'a'+'A') + text[1:] + "."
}
