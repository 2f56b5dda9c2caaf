/* attached_cpu: adds up the process, children that ended, and children that run. */
#include "sample/attached_cpu.h"

void attached_cpu_begin(struct attached_cpu *attached, pid_t pid, bool with_kernel)
{
	pid_t pids[CHILDREN_MAX];
	size_t count = running_list_children(pid, pids, CHILDREN_MAX);

	*attached = (struct attached_cpu){.pid = pid,
		.with_kernel = with_kernel,
		.are_known = count <= CHILDREN_MAX,
		.before = running_get_cpu(pid, with_kernel),
		.waited = running_get_waited_cpu(pid, with_kernel)};
	for (size_t i = 0; attached->are_known && i < count; i++)
		attached->earlier[attached->earlier_count++] =
			(struct earlier_child){.pid = pids[i], .cpu = running_get_cpu(pids[i], with_kernel)};
}

/* The whole time of ended earlier children. */
static struct running_cpu look_at_earlier(struct attached_cpu *attached)
{
	struct running_cpu sum = {0};

	for (size_t i = 0; i < attached->earlier_count; i++) {
		struct earlier_child *child = &attached->earlier[i];
		struct running_cpu cpu = {0};

		if (!child->has_ended)
			cpu = running_get_cpu(child->pid, attached->with_kernel);
		child->has_ended = !cpu.ns && !cpu.kernel_ns;
		if (child->has_ended)
			sum = running_cpu_sum(sum, child->cpu);
		else
			child->cpu = cpu;
	}
	return sum;
}

static struct running_cpu get_running(const struct attached_cpu *attached, const struct images *images)
{
	struct running_cpu sum = {0};
	uint32_t pids[CHILDREN_MAX];
	size_t count = images_list_alive(images, pids, CHILDREN_MAX);

	for (size_t i = 0; i < count && i < CHILDREN_MAX; i++)
		if ((pid_t)pids[i] != attached->pid)
			sum = running_cpu_sum(sum, running_get_cpu((pid_t)pids[i], attached->with_kernel));
	return sum;
}

static struct running_cpu get_children(struct attached_cpu *attached, const struct images *images)
{
	struct running_cpu ended;

	if (!attached->are_known)
		return (struct running_cpu){0};
	ended = running_cpu_since(attached->waited, running_get_waited_cpu(attached->pid, attached->with_kernel));
	return running_cpu_sum(running_cpu_since(look_at_earlier(attached), ended), get_running(attached, images));
}

struct running_cpu attached_cpu_get(struct attached_cpu *attached, const struct images *images)
{
	struct running_cpu own = {0};

	if (attached->pid)
		own = running_cpu_since(attached->before, running_get_cpu(attached->pid, attached->with_kernel));
	return own.ns || own.kernel_ns ? running_cpu_sum(own, get_children(attached, images)) : own;
}
