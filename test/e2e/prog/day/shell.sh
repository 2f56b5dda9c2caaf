# A day's use of bash: expansions, functions, arrays, here-documents, pipes, traps, jobs, substitutions. Always prints the same.
shopt -s extglob nullglob
declare -A count
declare -a squares
for ((i = 0; i < 300; i++)); do
	squares[i]=$((i * i))
	((count[$((i % 7))] += squares[i]))
done
for key in $(printf '%s\n' "${!count[@]}" | sort); do
	echo "$key ${count[$key]}"
done
fib()
{
	local n=$1
	if ((n < 2)); then
		echo "$n"
	else
		echo $(($(fib $((n - 1))) + $(fib $((n - 2)))))
	fi
}
echo "fib 8: $(fib 8)"
text="The quick brown fox jumps over the lazy dog"
echo "${text^^}" "${text//o/0}" "${text%% *}" "${text##* }" "${text:4:5}" "${#text}"
[[ $text =~ (q[a-z]+)\ (b[a-z]+) ]] && echo "${BASH_REMATCH[@]}"
case $text in
*+(x|y|z)\ jumps*) echo "an extended pattern" ;;
*) echo "no pattern" ;;
esac
while IFS=: read -r name _ number rest; do
	echo "$name=$number"
done <<-EOF
	one:x:1:first
	two:x:2:second
	three:x:3:third
EOF
mapfile -t lines < <(seq 1 200 | sed 's/^/line /')
echo "${#lines[@]} ${lines[-1]}"
printf '%5d|%-8s|%08.3f|%q|%b\n' 42 left 3.14159 'a b$c' 'tab\tend'
trap 'echo "caught USR1"' USR1
kill -USR1 $BASHPID
(
	trap 'echo "subshell ends"' EXIT
	exit 3
)
echo "status $?"
set -o pipefail
false | true
echo "pipe $?"
for i in 1 2 3 4; do
	(exit "$i") &
	pids[i]=$!
done
for i in 1 2 3 4; do
	wait "${pids[i]}"
	echo "job $i: $?"
done
coproc CAT { cat; }
echo "to the coprocess" >&"${CAT[1]}"
read -r answer <&"${CAT[0]}"
echo "$answer"
eval "exec ${CAT[1]}>&-"
wait
declare -n alias=text
alias=changed
echo "$text"
echo {a..e}{1..3} $((0x1f ** 2 % 97)) "$(printf 'x%.0s' {1..50})"
diff <(seq 5) <(seq 2 6)
sort_numbers()
{
	local -n list=$1
	local i j t
	for ((i = 0; i < ${#list[@]}; i++)); do
		for ((j = i + 1; j < ${#list[@]}; j++)); do
			if ((list[j] < list[i])); then t=${list[i]} list[i]=${list[j]} list[j]=$t; fi
		done
	done
}
numbers=()
for ((i = 0, x = 17; i < 60; i++)); do numbers+=($((x = (x * 75 + 74) % 65537))); done
sort_numbers numbers
echo "${numbers[*]}"
no_such_command_anywhere 2> /dev/null
echo "not found: $?"
set -u
echo "$unset_variable"
