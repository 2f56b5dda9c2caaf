/* SPDX-License-Identifier: MIT */
/*
 * A GCC plugin: what `mwccarm -profile` does, for any GCC of version 12 or later.
 *
 *	gcc -fplugin=.../profile.so -fplugin-arg-profile-on ...		every function calls __PROFILE_ENTRY("name") before anything
 *									else and __PROFILE_EXIT() before it returns
 *	... -fplugin-arg-profile-plain					the same by ordinary calls, for PROFILE functions in plain C
 *	gcc -fplugin=.../profile.so ...					no calls; the pragma is accepted
 *	gcc -flto -fplugin=.../profile.so *.o				when link-time optimisation compiles; as the objects were
 *
 *	#pragma profile on | off | reset				the state at a function's end decides for it; reset takes
 *									back the last on or off that is still in effect
 *
 * doc/plugin.md is the manual: which functions have calls, what __PROFILE_ENTRY finds on the stack, what the name is.
 *
 * The plugin works at three stages. After a function is parsed, the pragmas decide, and the plugin adds an attribute with the
 * function's name, which copies made by the optimiser inherit. After all inlining, it adds the exits as ordinary calls. After
 * register allocation and all scheduling, it adds the entry in front of the prologue, in assembly, because no register of the
 * caller's may have changed yet.
 */
#define INCLUDE_STRING
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "tree-pass.h"
#include "context.h"
#include "function.h"
#include "basic-block.h"
#include "cfgloop.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-into-ssa.h"
#include "tree-eh.h"
#include "except.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "diagnostic-core.h"
#include "langhooks.h"
#include "fold-const.h"
#include "options.h"
#include "opts.h"
#include "memmodel.h"
#include "tm_p.h"
#include "target.h"
#include "rtl.h"
#include "emit-rtl.h"
#include "cfgrtl.h"
#include "varasm.h"
#include "output.h"
#include "debug.h"
#include "pragma.h"

int plugin_is_GPL_compatible;

static bool on, plain;

/* The attribute that marks functions. The blank in its name keeps user code from writing it as an __attribute__.
 * Its argument is the name for __PROFILE_ENTRY, with a purpose if the calls are plain C; without an argument the
 * function gets no calls. The passes need nothing else, because link-time optimisation may run with other options. */
static const char marked[] = "profile calls";

/* Which functions */

/* Whether the entry reads the registers of the call, in a sequence of this processor's. */
static bool has_sequence();

static bool is_profile_function(tree decl)
{
	return DECL_NAME(decl) && (id_equal(DECL_NAME(decl), "__PROFILE_ENTRY") || id_equal(DECL_NAME(decl), "__PROFILE_EXIT"));
}

/* Functions that the compiler made have no calls; a lambda counts as written by the user. */
static bool may_have_calls(tree decl)
{
	static const char *const never[] = {
		"no_instrument_function", "naked", "interrupt", "isr", "interrupt_handler", "signal", "no_caller_saved_registers"};
	for (const char *attribute : never)
		if (lookup_attribute(attribute, DECL_ATTRIBUTES(decl)) ||
			lookup_attribute(attribute, TYPE_ATTRIBUTES(TREE_TYPE(decl))))
			return false;
	return !is_profile_function(decl) && (!DECL_ARTIFICIAL(decl) || id_equal(DECL_NAME(decl), "operator()"));
}

/* The first attribute of this name counts: an instance of a template
 * inherits its pattern's attribute, and lists share their ends. */
static void mark(tree decl, const char *name)
{
	if (name || lookup_attribute(marked, DECL_ATTRIBUTES(decl)))
		DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(marked),
			name ? build_tree_list(plain ? integer_one_node : NULL_TREE, build_string(strlen(name) + 1, name))
			     : NULL_TREE,
			DECL_ATTRIBUTES(decl));
}

/* Two calls of a const or pure function would become one, and a call whose result nobody uses would vanish. */
static void forget_purity(tree decl)
{
	DECL_PURE_P(decl) = TREE_READONLY(decl) = DECL_LOOPING_CONST_OR_PURE_P(decl) = 0;
}

/* An attribute "optimize" turns the flags of plugin_init on again. */
static void forgo_effects(tree decl)
{
	tree options = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);
	if (!options)
		return;
	options = copy_node(options);
	TREE_OPTIMIZATION(options)->x_flag_ipa_modref = TREE_OPTIMIZATION(options)->x_flag_ipa_pure_const =
		TREE_OPTIMIZATION(options)->x_flag_ipa_reference = 0;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) = options;
}

/* A function that is declared here may have PROFILE calls in another file. The state at the declaration decides. */
static void on_declared(void *data, void *)
{
	tree decl = (tree)data;
	if (on && TREE_CODE(decl) == FUNCTION_DECL && DECL_NAME(decl) && !DECL_IN_SYSTEM_HEADER(decl) &&
		!fndecl_built_in_p(decl) && may_have_calls(decl) && pragma_is_on_at(DECL_SOURCE_LOCATION(decl)))
		forget_purity(decl);
}

/* Copies with other parameters (ipa-cp, ipa-sra) would change the registers at the entry. */
static void keep_parameters(tree decl)
{
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("noclone"), NULL_TREE, DECL_ATTRIBUTES(decl));
}

static void on_function_parsed(void *data, void *)
{
	tree decl = (tree)data;
	if (TREE_CODE(decl) != FUNCTION_DECL || !DECL_NAME(decl))
		return;
	/* The passes add the calls after the compiler has decided which functions are used, so keep the PROFILE functions. */
	if (is_profile_function(decl)) {
		DECL_PRESERVE_P(decl) = 1;
		DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("externally_visible"), NULL_TREE, DECL_ATTRIBUTES(decl));
	}
	if (!on || !may_have_calls(decl) || !pragma_is_on_at(DECL_STRUCT_FUNCTION(decl)->function_end_locus)) {
		mark(decl, NULL);
		return;
	}
	mark(decl, lang_hooks.decl_printable_name(decl, 1));
	forget_purity(decl);
	forgo_effects(decl);
	if (!plain && has_sequence())
		keep_parameters(decl);
}

/* The compiler may make several functions of one C++ constructor or destructor, which call each other: the deleting
 * destructor calls the complete one, and variants may share a body ("__ct ", without a suffix). Only one of them gets calls. */
static void on_all_parsed(void *, void *)
{
	cgraph_node *node;
	FOR_EACH_FUNCTION(node)
	if (DECL_NAME(node->decl) && (id_equal(DECL_NAME(node->decl), "__dt_del ") || id_equal(DECL_NAME(node->decl), "__ct ") ||
					     id_equal(DECL_NAME(node->decl), "__dt ")))
		mark(node->decl, NULL);
	/* The linker calls the resolver of an indirect function while it links the program, before there are threads. */
	FOR_EACH_FUNCTION(node)
	if (node->ifunc_resolver && node->alias && node->analyzed)
		mark(node->get_alias_target()->decl, NULL);
}

/* Returns the mark of the current function, or null: the function has no calls. */
static tree find_mark()
{
	tree attribute = lookup_attribute(marked, DECL_ATTRIBUTES(current_function_decl));
	if (!attribute || !TREE_VALUE(attribute))
		return NULL;
	/* The rest of a function whose beginning was inlined, and the body of a parallel region, are parts of calls. */
	cgraph_node *node = cgraph_node::get(current_function_decl);
	if ((node && node->split_part) || strstr(IDENTIFIER_POINTER(DECL_NAME(current_function_decl)), "_omp_"))
		return NULL;
	return TREE_VALUE(attribute);
}

/* Turns off passes. A tail call that becomes a jump would have no exit; recursion that becomes a loop would have no
 * entry. Passes that compute a function's effects would miss the calls that are added later, and leave out calls of
 * functions without an effect of their own. Link-time optimisation cannot tell which objects have calls. */
static void on_gate(void *data, void *)
{
	static const char *const jumps[] = {"tailr", "tailc"};
	static const char *const effects[] = {"modref", "pure-const", "local-pure-const", "static-var"};
	bool *gate = (bool *)data;
	if (!*gate)
		return;
	for (const char *pass : jumps)
		if (strcmp(current_pass->name, pass) == 0 && current_function_decl && find_mark())
			*gate = false;
	for (const char *pass : effects)
		if (strcmp(current_pass->name, pass) == 0 && (on || in_lto_p))
			*gate = false;
}

/* Exits, and plain entries */

/* Whether the entry is an ordinary call: with the option "plain", and on processors without a sequence here. */
static bool entry_is_plain(tree mark);

static tree profile_function(const char *name, tree parameters)
{
	tree decl = build_fn_decl(name, parameters);
	TREE_NOTHROW(decl) = 1;
	return decl;
}

static gcall *exit_call(location_t where)
{
	gcall *call = gimple_build_call(profile_function("__PROFILE_EXIT", build_function_type_list(void_type_node, NULL_TREE)), 0);
	gimple_set_location(call, where);
	return call;
}

/* Inserts an ordinary call of __PROFILE_ENTRY. Without the option "plain", which is for the user's own
 * functions, it has a second argument: the return address, which the callee cannot find behind the prologue. */
static void insert_entry(tree mark)
{
	const bool asked = TREE_PURPOSE(mark);
	tree name = TREE_VALUE(mark),
	     type = build_function_type_list(void_type_node, const_ptr_type_node, ptr_type_node, NULL_TREE);
	gimple_seq calls = NULL;
	auto_vec<tree> arguments;
	arguments.safe_push(build_string_literal(TREE_STRING_LENGTH(name), TREE_STRING_POINTER(name)));
	if (asked) {
		type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
	} else {
		gcall *where = gimple_build_call(builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1, integer_zero_node);
		arguments.safe_push(make_ssa_name(ptr_type_node, where));
		gimple_call_set_lhs(where, arguments.last());
		gimple_seq_add_stmt(&calls, where);
	}
	gcall *call = gimple_build_call_vec(profile_function("__PROFILE_ENTRY", type), arguments);
	gimple_seq_add_stmt(&calls, call);
	gimple_set_location(call, DECL_SOURCE_LOCATION(current_function_decl));
	gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), calls);
}

/* An exception that leaves the function passes a landing pad, which makes the
 * call and resumes. The pad's region contains all regions of the function. */
/* make_eh_edges until GCC 13; from GCC 14 on make_eh_edge, with one edge
 * for all. The template calls the function that the headers declare. */
template <class Statement> static auto make_edges(Statement statement, int) -> decltype(make_eh_edges(statement), void())
{
	make_eh_edges(statement);
}
template <class Statement> static void make_edges(Statement statement, long)
{
	make_eh_edge(statement);
}

static void insert_exit_on_unwind()
{
	auto_vec<gimple *> leaving;
	basic_block bb;
	FOR_EACH_BB_FN(bb, cfun)
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (stmt_can_throw_external(cfun, gsi_stmt(i)))
			leaving.safe_push(gsi_stmt(i));
	if (leaving.is_empty())
		return;

	eh_region others = cfun->eh->region_tree;
	cfun->eh->region_tree = NULL;
	eh_region region = gen_eh_region_cleanup(NULL);
	region->inner = others;
	for (; others; others = others->next_peer)
		others->outer = region;
	eh_landing_pad pad = gen_eh_landing_pad(region);
	pad->post_landing_pad = create_artificial_label(UNKNOWN_LOCATION);
	EH_LANDING_PAD_NR(pad->post_landing_pad) = pad->index;

	bb = create_empty_bb(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb);
	bb->count = profile_count::zero();
	if (current_loops)
		add_bb_to_loop(bb, current_loops->tree_root);
	gimple_stmt_iterator end = gsi_last_bb(bb);
	gsi_insert_after(&end, gimple_build_label(pad->post_landing_pad), GSI_NEW_STMT);
	gsi_insert_after(&end, exit_call(cfun->function_end_locus), GSI_NEW_STMT);
	gsi_insert_after(&end, gimple_build_resx(region->index), GSI_NEW_STMT);

	for (gimple *statement : leaving) {
		basic_block from = gimple_bb(statement);
		if (gsi_stmt(gsi_last_bb(from)) != statement)
			from = split_block(from, statement)->src;
		add_stmt_to_eh_lp(statement, pad->index);
		make_edges(statement, 0);
	}
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
}

/* Summaries learn which function calls them: an innermost open call of another one was left by longjmp. So OS_CalcStatistics(x)
 * becomes OS_CalcStatisticsIn(x, name), and OS_TryCalcStatistics likewise. */
static void name_caller(gimple_stmt_iterator *at, gcall *call, tree mark)
{
	tree callee = gimple_call_fndecl(call), name = TREE_VALUE(mark), type;
	if (!callee || !DECL_NAME(callee) || !DECL_EXTERNAL(callee) || gimple_call_num_args(call) != 1)
		return;
	const bool tries = id_equal(DECL_NAME(callee), "OS_TryCalcStatistics");
	if (!tries && !id_equal(DECL_NAME(callee), "OS_CalcStatistics"))
		return;
	type = build_function_type_list(gimple_call_return_type(call), ptr_type_node, const_ptr_type_node, NULL_TREE);
	gcall *named = gimple_build_call(build_fn_decl(tries ? "OS_TryCalcStatisticsIn" : "OS_CalcStatisticsIn", type), 2,
		gimple_call_arg(call, 0), build_string_literal(TREE_STRING_LENGTH(name), TREE_STRING_POINTER(name)));
	gimple_call_set_lhs(named, gimple_call_lhs(call));
	gimple_move_vops(named, call);
	gimple_set_location(named, gimple_location(call));
	gsi_replace(at, named, true);
}

static void insert_exits(tree mark)
{
	basic_block bb;
	FOR_EACH_BB_FN(bb, cfun)
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (gcall *call = dyn_cast<gcall *>(gsi_stmt(i))) {
			gimple_call_set_tail(call, false);
			gimple_call_set_must_tail(call, false);
			name_caller(&i, call, mark);
		}
	edge out;
	edge_iterator i;
	FOR_EACH_EDGE(out, i, EXIT_BLOCK_PTR_FOR_FN(cfun)->preds)
	{
		gimple_stmt_iterator last = gsi_last_bb(out->src);
		if (gsi_end_p(last) || gimple_code(gsi_stmt(last)) != GIMPLE_RETURN)
			continue;
		/* An empty barrier: nothing is scheduled across it. */
		gasm *barrier = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);
		gimple_asm_set_volatile(barrier, true);
		gsi_insert_before(&last, barrier, GSI_SAME_STMT);
		gsi_insert_before(&last, exit_call(gimple_location(gsi_stmt(last))), GSI_SAME_STMT);
	}
}

static const pass_data calls_data = {
	GIMPLE_PASS, "profile_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, TODO_update_ssa};

struct calls_pass : gimple_opt_pass {
	calls_pass() : gimple_opt_pass(calls_data, g)
	{
	}
	unsigned int execute(function *) override
	{
		tree mark = find_mark();
		/* TER would move the computation of a result to its only use, behind the exit, where the
		 * caller is charged. The flag stays set for later functions, so each function sets it. */
		flag_tree_ter = mark ? 0 : opt_for_fn(current_function_decl, flag_tree_ter);
		if (!mark)
			return 0;
		insert_exits(mark);
		if (flag_exceptions)
			insert_exit_on_unwind();
		if (entry_is_plain(mark))
			insert_entry(mark);
		mark_virtual_operands_for_renaming(cfun);
		return 0;
	}
};

/* The entry in front of the prologue */

/* Makes one piece of assembly, without its lines for the unwinder (".cfi_") if the function has no unwind table. */
static rtx assembly(const char *text)
{
	const bool has_cfi = dwarf2out_do_cfi_asm() && dwarf2out_do_frame();
	std::string kept;
	while (*text) {
		const size_t length = strcspn(text, "\n");
		if (has_cfi || strncmp(text, ".cfi_", 5) != 0)
			kept.append(kept.empty() ? "" : "\n\t").append(text, length);
		text += length + (text[length] == '\n');
	}
	rtx body = gen_rtx_ASM_OPERANDS(VOIDmode, ggc_strdup(kept.c_str()), "", 0, rtvec_alloc(0), rtvec_alloc(0), rtvec_alloc(0),
		DECL_SOURCE_LOCATION(current_function_decl));
	MEM_VOLATILE_P(body) = 1;
	return body;
}

/* The same for assembly with a call. It lists the registers that __PROFILE_ENTRY, and the linker's stubs
 * on the way, may destroy, because with -fipa-ra callers rely on what this function leaves unchanged. */
static ATTRIBUTE_UNUSED rtx calling(const char *text, machine_mode mode, const unsigned *destroyed, unsigned n)
{
	rtvec parts = rtvec_alloc(n + 1);
	RTVEC_ELT(parts, 0) = assembly(text);
	for (unsigned i = 0; i < n; i++)
		RTVEC_ELT(parts, i + 1) = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(mode, destroyed[i]));
	return gen_rtx_PARALLEL(VOIDmode, parts);
}

#if defined FIRST_MMX_REG /* x86 */

static bool has_sequence()
{
	return TARGET_64BIT;
}

static void emit_sequence(rtx name)
{
	static const unsigned destroyed[] = {AX_REG, R11_REG};
	/* In a function with variable arguments al holds the number of vector registers in use; in a nested function r10 points
	 * to the outer frame. __PROFILE_ENTRY may destroy rax, and the dynamic linker r10, so both are pushed. Then follow a
	 * word that keeps the stack aligned, and the return address again, so that the stack is as __PROFILE_ENTRY expects. */
	const bool more = cfun->stdarg || DECL_STATIC_CHAIN(current_function_decl);
	if (ix86_cmodel == CM_LARGE || ix86_cmodel == CM_LARGE_PIC)
		sorry("profile calls with %<-mcmodel=large%>");
	if (more)
		emit_insn(assembly("push{q\t%%|\t}rax\n.cfi_adjust_cfa_offset 8\n"
				   "push{q\t%%|\t}r10\n.cfi_adjust_cfa_offset 8\n"
				   "push{q\t%%|\t}rax\n.cfi_adjust_cfa_offset 8\n"
				   "push{q\t24(%%rsp)|\tQWORD PTR [rsp+24]}\n.cfi_adjust_cfa_offset 8\n"));
	const std::string label = targetm.strip_name_encoding(XSTR(name, 0)), plt = flag_pic ? "@PLT" : "";
	emit_insn(calling(("push{q\t%%|\t}rdi\n.cfi_adjust_cfa_offset 8\n"
			   "lea{q\t" +
				  label + "(%%rip), %%rdi|\trdi, " + label +
				  "[rip]}\n"
				  "call\t__PROFILE_ENTRY" +
				  plt +
				  "\n"
				  "pop{q\t%%|\t}rdi\n.cfi_adjust_cfa_offset -8\n")
				  .c_str(),
		DImode, destroyed, ARRAY_SIZE(destroyed)));
	if (more)
		emit_insn(assembly("add{q\t$16, %%rsp|\trsp, 16}\n.cfi_adjust_cfa_offset -16\n"
				   "pop{q\t%%|\t}r10\n.cfi_adjust_cfa_offset -8\n"
				   "pop{q\t%%|\t}rax\n.cfi_adjust_cfa_offset -8\n"));
}

#elif defined TARGET_THUMB1 /* ARM */

static bool has_sequence()
{
	return true;
}

/* An ordinary instruction loads the name's address, so that the compiler finds a literal pool
 * in reach. In a nested function ip points to the outer frame: it is pushed below, together
 * with lr. Thumb without Thumb-2 cannot pop lr, nor push ip, so r4 keeps ip: calls preserve r4. */
static void emit_sequence(rtx name)
{
	static const unsigned destroyed[] = {R0_REGNUM, IP_REGNUM, LR_REGNUM};
	const bool nested = DECL_STATIC_CHAIN(current_function_decl);
	if (nested)
		emit_insn(assembly(TARGET_THUMB1 ? "push\t{r4, lr}\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset 4, 0\nmov\tr4, ip\n"
						 : "push\t{ip, lr}\n.cfi_adjust_cfa_offset 8\n"));
	emit_insn(assembly("push\t{r0, lr}\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset 14, 4\n"));
	rtx r0 = gen_rtx_REG(SImode, R0_REGNUM);
	if (flag_pic) {
		const std::string label = targetm.strip_name_encoding(XSTR(name, 0));
		emit_insn(calling(("ldr\tr0, 1f\n0:\nadd\tr0, pc, r0\nbl\t__PROFILE_ENTRY(PLT)\nb\t2f\n.align 2\n1:\n.word\t" +
					  label + (TARGET_ARM ? " - (0b + 8)\n2:\n" : " - (0b + 4)\n2:\n"))
					  .c_str(),
			SImode, destroyed, ARRAY_SIZE(destroyed)));
	} else {
		emit_insn(gen_rtx_SET(r0, TARGET_THUMB1 ? force_const_mem(SImode, name) : name));
		emit_insn(calling("bl\t__PROFILE_ENTRY\n", SImode, destroyed, ARRAY_SIZE(destroyed)));
	}
	emit_insn(assembly(
		TARGET_THUMB1
			? "ldr\tr0, [sp, #4]\nmov\tlr, r0\n.cfi_restore 14\npop\t{r0}\n.cfi_adjust_cfa_offset -4\n"
			  "add\tsp, #4\n.cfi_adjust_cfa_offset -4\n"
			: "pop\t{r0, lr}\n.cfi_restore 14\n.cfi_adjust_cfa_offset -8\n"));
	if (nested)
		emit_insn(
			assembly(TARGET_THUMB1 ? "mov\tip, r4\npop\t{r4}\n.cfi_restore 4\n.cfi_adjust_cfa_offset -4\n"
						 "add\tsp, #4\n.cfi_adjust_cfa_offset -4\n"
					       : "pop\t{ip, lr}\n.cfi_adjust_cfa_offset -8\n"));
}

#else

static bool has_sequence()
{
	return false;
}

static void emit_sequence(rtx)
{
}

#endif

static bool entry_is_plain(tree mark)
{
	return TREE_PURPOSE(mark) || !has_sequence();
}

static const pass_data entry_data = {RTL_PASS, "profile_entry", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

struct entry_pass : rtl_opt_pass {
	entry_pass() : rtl_opt_pass(entry_data, g)
	{
	}
	unsigned int execute(function *) override
	{
		tree mark = find_mark();
		if (!mark || entry_is_plain(mark))
			return 0;
		/* The string is written now, and needs a type for that. */
		tree string = TREE_VALUE(mark);
		TREE_TYPE(string) =
			build_array_type_nelts(build_qualified_type(char_type_node, TYPE_QUAL_CONST), TREE_STRING_LENGTH(string));
		TREE_READONLY(string) = TREE_STATIC(string) = 1;
		start_sequence();
		emit_sequence(XEXP(output_constant_def(string, 0), 0));
		rtx_insn *sequence = get_insns();
		end_sequence();
		/* The sequence has the prologue's line, so that a debugger steps over both. If a
		 * loop begins the function, its repetitions must not execute the sequence again. */
		basic_block bb = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun));
		if (!single_pred_p(bb))
			bb = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
		emit_insn_after_setloc(sequence, bb_note(bb), prologue_location);
		return 0;
	}
};

static void insert_pass(const char *plugin, opt_pass *pass, const char *after)
{
	register_pass_info info = {pass, after, 1, PASS_POS_INSERT_AFTER};
	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("plugin %qs was built for GCC %s (%s), and this is %s: build it with %<make plugin PLUGIN_CC=...%>",
			plugin->full_name, gcc_version.basever, gcc_version.datestamp, version->basever);
		return 1;
	}
	for (int i = 0; i < plugin->argc; i++) {
		bool *option = strcmp(plugin->argv[i].key, "on") == 0	   ? &on
			       : strcmp(plugin->argv[i].key, "plain") == 0 ? &plain
									   : NULL;
		if (!option || plugin->argv[i].value) {
			error("%<-fplugin-arg-%s-%s%>: there are %<on%> and %<plain%>, without a value", plugin->base_name,
				plugin->argv[i].key);
			return 1;
		}
		*option = true;
	}
	/* Merges equal names to one string. */
	if (on && !OPTION_SET_P(flag_merge_constants))
		flag_merge_constants = 1;
	/* As in on_gate, for what the compiler notes of a function before these passes. */
	if (on)
		flag_ipa_modref = flag_ipa_pure_const = flag_ipa_reference = 0;
	register_callback(plugin->base_name, PLUGIN_PRAGMAS, pragma_register, NULL);
	register_callback(plugin->base_name, PLUGIN_FINISH_DECL, on_declared, NULL);
	register_callback(plugin->base_name, PLUGIN_FINISH_PARSE_FUNCTION, on_function_parsed, NULL);
	register_callback(plugin->base_name, PLUGIN_ALL_IPA_PASSES_START, on_all_parsed, NULL);
	register_callback(plugin->base_name, PLUGIN_OVERRIDE_GATE, on_gate, NULL);
	insert_pass(plugin->base_name, new calls_pass, "sanopt");
	insert_pass(plugin->base_name, new entry_pass, "vartrack");
	return 0;
}
