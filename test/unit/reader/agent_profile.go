// agent_profile writes a profile as agents do that sample whole machines and leave the names to a server (Parca): by the package of
// pprof itself, with mappings and build-ids, names for the kernel alone, no default type, and a label for each process:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run agent_profile.go > ../../trace/good/agent.pprof
package main

import (
	"os"

	"github.com/google/pprof/profile"
)

func main() {
	app := &profile.Mapping{ID: 1, Start: 0x401000, Limit: 0x402000, Offset: 0x1000, File: "/usr/bin/app", BuildID: "2d9c0ad3d6a1b1d5"}
	libc := &profile.Mapping{ID: 2, Start: 0x7f0000026000, Limit: 0x7f000017c000, Offset: 0x26000, File: "/usr/lib/libc.so.6", BuildID: "93ac"}
	kernel := &profile.Mapping{ID: 3, File: "[kernel.kallsyms]"}
	read := &profile.Function{ID: 1, Name: "vfs_read"}
	at := func(id uint64, mapping *profile.Mapping, address uint64) *profile.Location {
		return &profile.Location{ID: id, Mapping: mapping, Address: address}
	}
	run, work, wrapper := at(1, app, 0x401185), at(2, app, 0x401141), at(3, libc, 0x7f00000f8a1d)
	inside := &profile.Location{ID: 4, Mapping: kernel, Line: []profile.Line{{Function: read}}}
	label := map[string][]string{"comm": {"app"}, "pid": {"4711"}}
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1000000000 / 19,
		TimeNanos:     1764532800000000000,
		DurationNanos: 10000000000,
		Sample: []*profile.Sample{
			{Value: []int64{17}, Location: []*profile.Location{work, run}, Label: label},
			{Value: []int64{2}, Location: []*profile.Location{inside, wrapper, run}, Label: label},
		},
		Mapping:  []*profile.Mapping{app, libc, kernel},
		Location: []*profile.Location{run, work, wrapper, inside},
		Function: []*profile.Function{read},
	}
	if err := p.Write(os.Stdout); err != nil {
		panic(err)
	}
}
