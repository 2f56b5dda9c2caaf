# The variables of NITRO-SDK and TWL-SDK, for users' makefiles, where these expect the file. What is installed is the file itself.
include $(dir $(lastword $(MAKEFILE_LIST)))../classic/mk/profile.mk
