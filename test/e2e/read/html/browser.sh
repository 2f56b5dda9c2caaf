# Sourced by the drivers of pages, behind lib.sh: one Chromium for all looks of a driver.
#
#     look WHAT PAGE [ARGUMENTS]      look.mjs; status 1 and a line for what is not so
#     $shots                          a folder for screenshots
shots=$BUILD/screenshots
mkdir -p "$shots"

# The browser ends with the driver, whose end of the pipe closes then.
mkfifo "$work/answers"
exec {browser}> >(exec node "$ROOT/test/e2e/read/html/looks.mjs" > "$work/answers")
exec {answers}< "$work/answers"
look()
{
	local LC_ALL=C prints why status
	printf '%s\0' $# "$@" >&"$browser"
	if IFS= read -r -t 400 -d '' prints && IFS= read -r -d '' why && IFS= read -r -d '' status; then
		printf %s "$prints"
		printf %s "$why" >&2
		return "$status"
	fi <&"$answers"
	echo "look $*: the browser does not answer" >&2
	return 1
}
