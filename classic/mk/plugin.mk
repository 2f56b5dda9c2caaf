# GCC's plugin of the NITRO profiler. Included by the Makefile.
#
# A plugin fits one version of one compiler, and is in a folder of that name: plugin/x86_64-linux-gnu-12.2.0/profile.so. Where the
# compiler's own headers are not installed, there is none. Each row is a folder, a comma, and where these headers are.
plugin_row = $(if $(wildcard $2/gcc-plugin.h),$(shell $1 -dumpmachine)-$(shell $1 -dumpfullversion)$(comma)$2)
PLUGIN_ROWS := $(foreach cc,$(if $(filter plugin%,$(MAKECMDGOALS)),$(PLUGIN_CC)),$(if $(shell command -v $(cc)),$(call \
	plugin_row,$(cc),$(shell $(cc) -print-file-name=plugin)/include)))
PLUGINS := $(foreach row,$(PLUGIN_ROWS),$(BUILD)/plugin/$(firstword $(subst $(comma), ,$(row)))/profile.so)
plugin_headers = $(patsubst $*$(comma)%,%,$(filter $*$(comma)%,$(PLUGIN_ROWS)))

plugin: $(PLUGINS)#             GCC's plugin that gives every function PROFILE calls, for each of PLUGIN_CC that can have it
	@[ $(words $(PLUGINS)) = $(words $(PLUGIN_CC)) ] || { echo "make plugin: not for all of $(PLUGIN_CC):" \
		"no such compiler, or its plugin headers are not installed (gcc-12-plugin-dev)" >&2; $(if $(filter file,$(origin PLUGIN_CC)),true,false); }

# GCC's headers are not as strict as we are.
$(BUILD)/plugin/%/profile.so: classic/plugin/profile.cc classic/plugin/pragma.cc classic/plugin/pragma.h $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CXX)$(CXX) -O1 -Wall -Wextra -fno-rtti -fPIC -shared -isystem $(plugin_headers) $(filter %.cc,$^) -o $@
