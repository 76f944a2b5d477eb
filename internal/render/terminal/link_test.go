package terminal

import "testing"

func TestAPathIsALinkOnlyWhereTheTerminalSaysItCan(t *testing.T) {
	const (
		plain  = "/home/a b/.failproof/out/report.html"
		linked = "\x1b]8;;file:///home/a%20b/.failproof/out/report.html\x1b\\" + plain + "\x1b]8;;\x1b\\"
	)
	for _, c := range []struct {
		rule string
		env  map[string]string
		want string
	}{
		{"a terminal that says nothing", nil, plain},
		{"one of a common name", map[string]string{"TERM": "xterm-256color"}, plain},
		{"iTerm", map[string]string{"TERM_PROGRAM": "iTerm.app"}, linked},
		{"Apple's, which prints it as text", map[string]string{"TERM_PROGRAM": "Apple_Terminal"}, plain},
		{"GNOME's of today", map[string]string{"VTE_VERSION": "7200"}, linked},
		{"GNOME's of long ago", map[string]string{"VTE_VERSION": "4600"}, plain},
		{"Windows Terminal", map[string]string{"WT_SESSION": "8b1f"}, linked},
		{"kitty", map[string]string{"TERM": "xterm-kitty"}, linked},
		{"a multiplexer in a terminal that knows links", map[string]string{"TERM": "tmux-256color", "VTE_VERSION": "7200"}, plain},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := FileLink(func(name string) string { return c.env[name] }, plain); got != c.want {
				t.Errorf("FileLink(%q) = %q, want %q", plain, got, c.want)
			}
		})
	}
}

// A folder may have any name. It is no way to write to the terminal.
func TestANameOfAFolderIsNoCommandToTheTerminal(t *testing.T) {
	got := FileLink(func(string) string { return "" }, "/tmp/\x1b]0;x\x07\n::error::/report.html")
	for _, r := range got {
		if r < ' ' || r == 0x7f {
			t.Errorf("FileLink leaves %U in %q", r, got)
		}
	}
	linked := FileLink(func(name string) string { return map[string]string{"WT_SESSION": "1"}[name] }, "/tmp/\x1b\\\x07/report.html")
	if want := "\x1b]8;;file:///tmp/%1B%5C%07/report.html\x1b\\"; len(linked) < len(want) || linked[:len(want)] != want {
		t.Errorf("FileLink = %q, want it to begin with %q", linked, want)
	}
}
