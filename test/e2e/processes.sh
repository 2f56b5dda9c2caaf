#!/bin/bash
# fork, vfork, exec: every process has its own calls, and nobody disturbs the first one.
. "$(dirname "$0")/lib.sh"

compile forks forks.c
all_of_them()
{
	record "$1" ./forks "$1"
	exits "$1" "$2"
	counts_agree "$1"
	whole "$1"
}
test_that "fork without exec, children that exit, _exit and are killed" all_of_them fork 0
test_that "posix_spawn and system" all_of_them vfork 0
test_that "fork while another thread makes calls" all_of_them threads 0
became_another()
{
	record exec ./forks exec
	exits exec 5
	grep -qx 'became another program' exec.out || fail "$(cat exec.out)"
	counts_agree exec
}
test_that "exec: what was called before it is kept" became_another
done_testing
