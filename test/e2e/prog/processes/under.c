/* Runs a program under something that forbids the changing of code: under mdwe|deny|kill|user PROGRAM [ARGUMENTS]. Status 77: the
 * system has not got that.
 *
 *     mdwe  memory that was written never becomes executable (PR_SET_MDWE)
 *     deny  mprotect(PROT_EXEC) fails, by a filter of system calls
 *     kill  it ends the program
 *     user  as nobody */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SET_MDWE 65
#define REFUSE_EXEC_GAIN 1
#define NOBODY 65534

static int confine(int kills)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int argc, char **argv)
{
	int failed = 1;

	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "mdwe"))
		failed = prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0);
	else if (!strcmp(argv[1], "user"))
		failed = setgid(NOBODY) || setuid(NOBODY);
	else
		failed = confine(!strcmp(argv[1], "kill"));
	if (failed)
		return 77;
	execv(argv[2], argv + 2);
	return 127;
}
