#!/bin/bash
# Makes the pictures of the documentation, doc/pictures: page.png (dwell html in Chromium) and terminal.svg (dwell tui). Both show one
# recording: dwell itself, as it is, while it writes a page.
#
#   tools/pictures.sh          needs chromium, node, tmux and python3, and what `make all tests` builds
#
# `make check` does not call it, as not everybody has these; tools/check-docs.sh looks whether the pictures are there. Look at them before
# you commit them.
set -eu
cd "$(dirname "$0")/.."
root=$PWD build=${BUILD:-$PWD/build}
for command in chromium node tmux python3; do
	command -v $command > /dev/null || { echo "tools/pictures.sh: $command is not installed" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-pictures.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PATH=$build:$PATH LC_ALL=C.UTF-8
mkdir -p doc/pictures
cd "$work"
tracegen --program "$build/dwell" --functions 30 --depth 8 --events 200000 --threads 2 --seed 1 -o large.dwell > /dev/null
objcopy --strip-debug "$build/dwell" dwell # source lines would be in folders of whoever builds it
dwell record --trace -o dwell.dwell -- ./dwell html --jobs 2 -o large.html large.dwell > /dev/null 2>&1
dwell html -o page.html dwell.dwell

cat > shoot.mjs <<'END'
import { launch } from '@ROOT@/test/e2e/read/html/browser.mjs'
const browser = await launch()
const page = await browser.open(`file://${process.argv[2]}`, { width: 1280, height: 760, dark: false })
await page.key('2')
await page.until('document.querySelector("canvas")?.width > 300', 'the flame graph')
await page.run('window.scrollTo(0, 0)')
await page.screenshot(process.argv[3])
await browser.close()
END
sed -i "s|@ROOT@|$root|" shoot.mjs
node shoot.mjs "$work/page.html" "$work/page.png"
# Few colours: a palette of 64 makes a quarter of the size, where Pillow is there.
python3 - "$work/page.png" "$root/doc/pictures/page.png" <<'END'
import shutil, sys
try:
	from PIL import Image
	Image.open(sys.argv[1]).convert("RGB").quantize(64).save(sys.argv[2], optimize=True)
except ImportError:
	shutil.copy(sys.argv[1], sys.argv[2])
END

session=dwell-pictures-$$
tmux -L $session new-session -d -x 100 -y 26 "NO_COLOR= dwell tui dwell.dwell"
sleep 3
tmux -L $session send-keys Down Down
sleep 1
tmux -L $session capture-pane -p -e > screen
tmux -L $session kill-server
python3 - screen "$root/doc/pictures/terminal.svg" <<'END'
# The text of a terminal as a picture: bold and reversed parts, nothing else of what a terminal can do.
import html, re, sys
WIDTH, HEIGHT, COLUMNS = 8.4, 19, 100
rows = open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n")
out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * WIDTH + 24:.0f}" height="{len(rows) * HEIGHT + 24}" '
	'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
	'<rect width="100%" height="100%" rx="6" fill="#fafafa" stroke="#c8c8c8"/>']
bold = reverse = False
for number, row in enumerate(rows):
	column, y = 0, 12 + number * HEIGHT
	for part in re.split(r"(\033\[[0-9;]*m)", row):
		code = re.fullmatch(r"\033\[([0-9;]*)m", part)
		if code:
			for value in (code.group(1) or "0").split(";"):
				bold, reverse = {"0": (False, False), "1": (True, reverse), "7": (bold, True), "27": (bold, False),
					"22": (False, reverse)}.get(value, (bold, reverse))
			continue
		if not part:
			continue
		x, length = 12 + column * WIDTH, len(part) * WIDTH
		if reverse:
			out.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{HEIGHT}" fill="#2f4f74"/>')
		if part.strip():
			weight = ' font-weight="bold"' if bold else ""
			out.append(f'<text x="{x:.1f}" y="{y + 14}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"'
				f' fill="{"#ffffff" if reverse else "#202020"}"{weight}>{html.escape(part)}</text>')
		column += len(part)
out.append("</svg>")
open(sys.argv[2], "w", encoding="utf-8").write("\n".join(out) + "\n")
END
ls -l "$root/doc/pictures"
