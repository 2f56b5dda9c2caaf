#!/bin/bash
# fork, vfork, exec: the first process's trace is its own.
. "$(dirname "$0")/lib.sh"

compile forks forks.c
parent_only()
{
	record "$1" ./forks "$1"
	exits "$1" "$2"
	counts_agree "$1"
	whole "$1"
}
test_that "fork without exec, children that exit, _exit and are killed" parent_only fork 0
test_that "posix_spawn and system" parent_only vfork 0
test_that "fork while another thread makes calls" parent_only threads 0
became_another()
{
	record exec ./forks exec
	exits exec 5
	grep -qx 'became another program' exec.out || fail "$(cat exec.out)"
	counts_agree exec
}
test_that "exec: what was called before it is kept" became_another
done_testing
