package action

import (
	"context"
	"errors"
	"fmt"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
)

// handleComment carries out the command of the comment that started the job. It returns the job to run. The result
// judge is false if there is nothing to judge: the comment has no command, the command is refused, or it is a command
// other than "run".
//
// Anybody can comment. Until the author is known to have write access, handleComment only replies with a fixed text.
func (j Job) handleComment(ctx context.Context) (_ Job, judge bool, err error) {
	c := j.repo.Comment
	command, ok, wrong := github.ParseCommand(c.GetBody())
	if !ok || j.repo.Action != "created" || j.repo.Number == 0 || !github.IsPerson(c.User) {
		j.log("the comment is not a command; a command is the first line of a person's new comment on a pull " +
			"request, such as /failproof help")
		return j, false, nil
	}
	often, err := j.repo.CommandLimitReached(ctx)
	switch {
	case err != nil:
		return j, false, fault.Unreachable{Err: err}
	case often:
		j.log("the same person gave %d commands on this pull request within an hour; this one is ignored", github.CommandsAnHour)
		return j, false, nil
	}
	var pull *github.Repository
	reaction, answer := github.ReactionRefused, ""
	switch {
	case wrong != nil:
		answer = sentence(wrong) + " Nothing was run or accepted.\n\n" + github.Usage
	case command.Verb == github.VerbHelp:
		reaction, answer = github.ReactionDone, github.Usage
	default:
		if pull, answer, err = j.authorize(ctx, command); err != nil {
			j.react(ctx, reaction)
			return j, false, fault.Unreachable{Err: err}
		}
	}
	if answer != "" {
		j.reply(ctx, reaction, answer)
		return j, false, nil
	}
	if command.Verb == github.VerbAccept {
		j.rerunGate(ctx, pull)
		return j, false, nil
	}
	j.react(ctx, github.ReactionSeen)
	j.repo, j.asked, j.in.ByComment = pull, j.repo, true
	return j, true, nil
}

// authorize returns the pull request of the comment with the command. If the command may not be carried out, refusal
// says why.
func (j Job) authorize(ctx context.Context, command github.Command) (pull *github.Repository, refusal string,
	err error) {
	who := j.repo.Comment.GetUser()
	may, err := j.repo.MayWrite(ctx, who.GetLogin())
	if err != nil || !may {
		return nil, fmt.Sprintf("`%s` needs write access to the repository.", command.Verb), err
	}
	pull, open, err := j.repo.CommentedPull(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case !open:
		return nil, "The pull request is closed.", nil
	case pull.HeadSHA != command.Head:
		return nil, fmt.Sprintf("The comment names another commit; the head is `%s` now. Look at the new "+
			"changes, then repeat the command with this commit.", pull.HeadSHA), nil
	case command.Verb == github.VerbRun:
		return pull, "", nil
	}
	why, err := pull.WhyMayNotAccept(ctx, who)
	switch {
	case errors.Is(err, github.ErrNobody):
		return nil, sentence(err), nil
	case why != "":
		return nil, "You cannot accept your own change: " + why + ".", nil
	}
	return pull, "", err
}

// rerunGate reruns the gate of the pull request. The acceptance is not stored: the rerun reads it from the comment.
func (j Job) rerunGate(ctx context.Context, pull *github.Repository) {
	err := pull.RerunGate(ctx)
	if err == nil {
		j.react(ctx, github.ReactionDone)
		j.log("the gate runs again and uses this acceptance")
		return
	}
	j.logError(err)
	why := "it could not be started"
	if errors.Is(err, github.ErrNoGate) {
		why = "the job could not be identified"
	}
	j.reply(ctx, github.ReactionDone, "Now rerun the gate’s job: "+why+" (the reason is in the log of this run). "+
		"The comment above accepts the cases and rules that it names as the result writes them, until the head "+
		"changes or somebody edits it.")
}

// MarkDone reacts to the comment that asked for the run, to mark the end of the run. If no comment asked for the run,
// MarkDone does nothing. reaction says how the run ended.
func (j Job) MarkDone(ctx context.Context, reaction string) {
	if j.asked == nil {
		return
	}
	ctx, cancel := publishContext(ctx)
	defer cancel()
	j.logError(j.asked.React(ctx, reaction))
}

// reply reacts to the command, replies to it, and adds the reply to the job's summary. The reply is Markdown that
// failproof wrote.
func (j Job) reply(ctx context.Context, reaction, text string) {
	j.react(ctx, reaction)
	j.logError(j.repo.Reply(ctx, text))
	j.logError(j.runner.Summary(text + "\n"))
}

// react reacts to the comment of the event.
func (j Job) react(ctx context.Context, reaction string) {
	j.logError(j.repo.React(ctx, reaction))
}

// sentence returns the text of err with a capital and a full stop. The text must begin with a lower-case ASCII letter.
func sentence(err error) string {
	text := err.Error()
	return string(text[0]-'a'+'A') + text[1:] + "."
}
