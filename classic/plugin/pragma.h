/* SPDX-License-Identifier: MIT
 *
 * `#pragma profile on | off | reset`: the state of calls at each place of the text. */
#ifndef DWELL_CLASSIC_PLUGIN_PRAGMA_H
#define DWELL_CLASSIC_PLUGIN_PRAGMA_H

/* A callback of the plugin, at PLUGIN_PRAGMAS: makes the compiler know the pragma. */
void pragma_register(void *, void *);

/* Whether calls are on at a location: by the last change that no reset has taken back; without a change they are on. */
bool pragma_is_on_at(location_t at);

#endif
