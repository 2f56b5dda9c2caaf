/* attached_cpu: CPU time of an attached process and of its child processes, while sampled. Children from before are not sampled. */
#ifndef DWELL_HOST_SAMPLE_ATTACHED_CPU_H
#define DWELL_HOST_SAMPLE_ATTACHED_CPU_H

#include "sample/code/images.h"
#include "sample/running.h"

#define CHILDREN_MAX 256 /* child processes whose CPU time is looked up one by one */

struct attached_cpu {
	pid_t pid;
	bool with_kernel; /* samples cover the kernel */
	bool are_known;   /* the system shows children, and there were no more than CHILDREN_MAX */
	struct running_cpu before, waited; /* of the process before; of children that ended before */
	struct earlier_child {
		pid_t pid;
		struct running_cpu cpu; /* at the last look */
		bool has_ended;
	} earlier[CHILDREN_MAX]; /* children from before */
	size_t earlier_count;
};

/* Before sampling begins. */
void attached_cpu_begin(struct attached_cpu *attached, pid_t pid, bool with_kernel);
/* CPU time since then; 0: the process has ended, or attached is zeroed. An earlier child's time between the last call and the
 * child's end counts, too, so calls should be frequent. images: the sampled processes. */
struct running_cpu attached_cpu_get(struct attached_cpu *attached, const struct images *images);

#endif
