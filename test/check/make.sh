#!/bin/bash
# Does make rebuild what changed, and nothing else? One object in a build folder of its own.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
folder=${BUILD#"$ROOT"/}/test/make # as make spells it
rm -rf "$folder"
object=${folder#"$ROOT"/}/obj/core/pair.o # as make calls it
bad=0
build() { make --no-print-directory BUILD="$folder" "$@" "$object" 2>&1; }
# expect WORD WHAT ARGUMENTS: "compiles" or "nothing"
expect()
{
	local want=$1 what=$2 output got=nothing
	shift 2
	output=$(build "$@") || { echo "$what: $output"; bad=1; }
	[[ $output == *"CC $object"* ]] && got=compiles
	[ "$got" = "$want" ] || { echo "$what: $got, expected $want: $output"; bad=1; }
}
expect compiles "a fresh folder"
expect nothing "the second time"
expect compiles "a header that it includes" -W core/pair.h
expect nothing "and again"
expect compiles "other flags" CFLAGS=-O1
expect nothing "the same other flags" CFLAGS=-O1
expect compiles "back to the old flags"
expect nothing "an unrelated file" -W host/main.c
rm -rf "$folder"
exit $bad
