#!/bin/bash
# What shells complete, in the shells themselves.
. "$(dirname "$0")/../lib.sh"
mkdir files
cd files || exit 2
touch app.dwell other.dwell

# In a bash as it is used: complete WORDS ...: the last one is what was typed so far.
cat > ../complete.bash <<'END'
source <(dwell completion bash)
compopt() { :; } # which is for a real command line
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_dwell
printf '%s\n' "${COMPREPLY[@]}"
END
bash_completes()
{
	bash --norc ../complete.bash "$@" | sort -u > got
}
# has WORD ...; and nothing else
only()
{
	printf '%s\n' "$@" | sort -u | diff - got || fail "(< expected, > completed)"
}
in_bash()
{
	rm -f got
	bash_completes dwell rep && only report
	bash_completes dwell c && only c6000 callees callers calls cflags completion
	bash_completes dwell report --so && only --sort
	bash_completes dwell report --sort p && only p50 p99 page_faults preempted
	bash_completes dwell export --to = per && only perfetto
	bash_completes dwell record --engine = && only perf timer
	bash_completes dwell calls --order '' && only entry exit
	bash_completes dwell report a && only app.dwell
	bash_completes dwell report -o && only ''
	bash_completes dwell record a && only app.dwell
	bash_completes dwell completion '' && only bash zsh fish
	bash_completes dwell help tu && only tui
	bash_completes dwell report --limit '' && only ''
	bash_completes dwell report --program o && only other.dwell
	rm -f got
}
test_that "bash: commands, options, values, files" in_bash

# What is offered is taken: each option, by each command.
taken()
{
	local command option
	rm -f got
	for command in $(dwell help | sed -n 's/^  \([a-z0-9]*\) .*/\1/p'); do
		bash_completes dwell "$command" -
		cp got options
		case $command in
		completion | snapshot | profile) ;; # those of profile are not of this kind: f=100
		*) [ "$(wc -l < options)" -gt 1 ] || fail "$command: no options" ;;
		esac
		while read -r option; do
			option=${option%=}
			dwell "$command" "$option" /nobody/has/this < /dev/null > /dev/null 2> err || true
			! grep -q 'no such option' err || fail "$command $option: $(cat err)"
		done < options
		# and what the help lists is offered
		dwell help "$command" | sed -n 's/^  \(--*[a-zA-Z][^ ,=[]*\).*/\1/p' | while read -r option; do
			grep -qxE -- "$option=?" options || fail "$command: $option is not offered"
		done
	done
	rm -f got options err
}
test_that "every option that the help lists is offered, and every one that is offered is taken" taken

# shell_shows KEYS REGEX: in a shell on a terminal
if command -v tmux > /dev/null; then
	by_hand()
	{
		on_terminal 100 30
		types "source <(dwell completion bash); clear; echo rea''dy" Enter
		shows '^ready *$'
		shows '^prompt> *$' # what is typed before the shell reads it shows twice
		types "dwell repo" Tab "--sor" Tab "p9" Tab "ap" Tab
		shows '^prompt> dwell report --sort p99 app.dwell *$'
		types C-u "dwell record --eng" Tab "t" Tab
		shows '^prompt> dwell record --engine=timer *$'
		types C-u "exit" Enter
	}
	test_that "bash, by hand" by_hand
fi
if command -v tmux > /dev/null && command -v zsh > /dev/null; then
	in_zsh()
	{
		mkdir -p functions
		dwell completion zsh > functions/_dwell
		zsh -n functions/_dwell || fail "syntax"
		on_terminal 100 30
		types "zsh -f" Enter
		types "PS1='zsh> '; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D; clear" Enter
		shows '^zsh>'
		types "dwell repo" Tab "--sor" Tab
		shows '^zsh> dwell report --sort'
		types C-u "dwell report --sort p9" Tab "ap" Tab
		shows '^zsh> dwell report --sort p99 app.dwell *$'
		types C-u "dwell export --to per" Tab
		shows '^zsh> dwell export --to perfetto *$'
		types C-u "dwell record --engine=t" Tab
		shows '^zsh> dwell record --engine=timer *$'
		types C-u "dwell calls --or" Tab
		shows '^zsh> dwell calls --order'
		types C-u "dwell report -" Tab Tab
		shows 'sort.*by function, calls, total'
		types C-c C-u "dwell call" Tab Tab
		shows 'callers +-- Shows who calls a function'
		types C-c "exit" Enter
		rm -r functions
	}
	test_that "zsh" in_zsh
else
	skip "zsh" "no zsh"
fi
if command -v fish > /dev/null; then
	# What begins with the last word: fish 4 goes on with words that only hold its letters.
	fish_completes()
	{
		HOME=$work fish -N -c "dwell completion fish | source; complete -C '$1'" 2> fish.err | cut -f 1 |
			awk -v word="${1##* }" 'index($0, word) == 1' | LC_ALL=C sort -u > got || fail "$(cat fish.err)"
	}
	in_fish()
	{
		fish_completes 'dwell repo' && only report
		fish_completes 'dwell report --so' && only --sort
		fish_completes 'dwell report --sort p' && only p50 p99 page_faults preempted
		fish_completes 'dwell export --to=per' && only --to=perfetto
		fish_completes 'dwell report app' && only app.dwell
		fish_completes 'dwell completion z' && only zsh
		fish_completes 'dwell help tu' && only tui
		HOME=$work fish -N -c "dwell completion fish | source; complete -C 'dwell report --lin'" | grep -q 'where each function begins' ||
			fail "no description"
		rm -f got fish.err
	}
	test_that "fish" in_fish
else
	skip "fish" "no fish"
fi
done_testing
