// Picture draws comments as GitHub shows them, one below the other, for a README or to look at.
//
//	go run ./tools/picture [-width 900] comment.md... picture.png
//
// It needs chromium and no network.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
)

func main() {
	width := flag.Int("width", 900, "of the picture, in pixels")
	flag.Parse()
	last := flag.NArg() - 1
	if last < 1 {
		fmt.Fprintln(os.Stderr, "name the comments and the picture to write, such as comment.md picture.png")
		os.Exit(2)
	}
	if err := run(flag.Args()[:last], flag.Arg(last), *width); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(comments []string, output string, width int) error {
	page := []byte("<!doctype html><meta charset=utf-8><style>" + style + "</style>")
	for _, name := range comments {
		markdown, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		comment, err := commentHTML(markdown)
		if err != nil {
			return err
		}
		page = append(page, comment...)
	}
	work, err := os.MkdirTemp("", "picture")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	source, screenshot := filepath.Join(work, "comment.html"), filepath.Join(work, "comment.png")
	if err := os.WriteFile(source, page, 0o600); err != nil {
		return err
	}
	out, err := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		fmt.Sprintf("--window-size=%d,%d", width, min(maxCommentHeight*len(comments), maxPictureHeight)), "--screenshot="+screenshot, source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("draw the comments: %w\n%s", err, out)
	}
	return crop(screenshot, output)
}

// maxCommentHeight is how much of one comment is drawn, and maxPictureHeight how much chromium draws at most, in
// pixels.
const maxCommentHeight, maxPictureHeight = 6000, 16000

// style resembles GitHub's style of a comment.
const style = `
body { margin: 0; font: 14px/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; color: #1f2328; background: #fff }
section { padding: 16px 20px 2px }
section + section { border-top: 2px solid #1f2328 }
h2 { font-size: 21px; margin: 0 0 14px; padding-bottom: 6px; border-bottom: 1px solid #d1d9e0b3 }
p, blockquote, pre, table, details { margin: 0 0 14px }
blockquote { padding: 0 14px; color: #59636e; border-left: 4px solid #d1d9e0 }
blockquote p:last-child { margin: 0 }
code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; background: #818b981f; border-radius: 6px; padding: 2px 5px }
pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: hidden }
pre code { background: none; padding: 0; white-space: pre-wrap }
pre span { display: block; white-space: pre-wrap; margin: 0 -12px; padding: 0 12px }
.added { background: #dafbe1; color: #116329 }
.removed { background: #ffebe9; color: #82071e }
table { border-collapse: collapse }
td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
`

// signs draws the signs, because a machine may have no font for them.
var signs = strings.NewReplacer(
	"❌", sign(`<path d="M2 2 12 12M12 2 2 12" stroke="#dd2e44"/>`),
	"✅", sign(`<rect width="14" height="14" rx="3" fill="#77b255"/><path d="M3 7 6 10 11 4" stroke="#fff"/>`),
	"⚠️", sign(`<path d="M7 1 13 13H1Z" fill="#ffcc4d" stroke="#ffcc4d"/><path d="M7 5V9M7 11V12" stroke="#231f20"/>`),
	"⏸️", sign(`<rect width="14" height="14" rx="3" fill="#3b88c3"/><path d="M5 4V10M9 4V10" stroke="#fff"/>`))

func sign(drawing string) string {
	return `<svg width="1em" height="1em" viewBox="0 0 14 14" fill="none" stroke-width="2" style="vertical-align:-.1em">` +
		drawing + `</svg>`
}

var diffBlock = regexp.MustCompile(`(?s)<pre><code class="language-diff">(.*?)</code></pre>`)

// commentHTML returns a comment as HTML, with the lines of its diffs in color.
func commentHTML(markdown []byte) ([]byte, error) {
	var body bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	if err := convert.Convert(markdown, &body); err != nil {
		return nil, err
	}
	colored := diffBlock.ReplaceAllFunc(body.Bytes(), func(found []byte) []byte {
		var out strings.Builder
		out.WriteString("<pre>")
		for line := range strings.Lines(html.UnescapeString(string(diffBlock.FindSubmatch(found)[1]))) {
			class := map[byte]string{'+': "added", '-': "removed"}[line[0]]
			fmt.Fprintf(&out, `<span class="%s"><code>%s</code></span>`, class,
				html.EscapeString(strings.TrimSuffix(line, "\n")))
		}
		return []byte(out.String() + "</pre>")
	})
	return []byte("<section>" + signs.Replace(string(colored)) + "</section>"), nil
}

// crop writes a picture without the white at its end.
func crop(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	drawn, err := png.Decode(file)
	if err != nil {
		return err
	}
	all := drawn.Bounds()
	bottom := all.Max.Y
	for bottom > all.Min.Y && isBlankRow(drawn, bottom-1) {
		bottom--
	}
	const margin = 16
	cropped := image.NewRGBA(image.Rect(0, 0, all.Dx(), min(bottom+margin, all.Max.Y)))
	draw.Draw(cropped, cropped.Bounds(), drawn, all.Min, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, cropped); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o666)
}

// isBlankRow reports whether a row of a picture has one color.
func isBlankRow(p image.Image, y int) bool {
	left := p.Bounds().Min.X
	for x := left + 1; x < p.Bounds().Max.X; x++ {
		if p.At(x, y) != p.At(left, y) {
			return false
		}
	}
	return true
}
