#!/bin/bash
# Measures time: how many samples there are in a second.
# The Nintendo 64's osProfile… as a Linux program uses it: how often it takes samples, in all and in parts of a frame.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"
. "$ROOT/test/e2e/machines/ultra/linux.sh"

# sampled_percent: of the periods, by what the program says in out. A busy machine takes samples from every program.
sampled_percent()
{
	awk '$1 == "left" { print 100 * $2 / $4 }' out
}
# Parts of a frame, each a tenth of a period: as many samples as their sum has periods, but for what starting and stopping takes.
windows()
{
	local whole
	run PROF 100
	./fetch until=1000 for=60 bye "$port" > copied
	ends
	whole=$(sampled_percent)
	run PROF 100 1000 0 20000
	./fetch until=1000 for=60 bye "$port" > copied
	ends
	function_counts copied PROF nm "$(bias copied PROF)" > counts
	three_to_one counts 100
	between "$(awk "BEGIN { print $whole * 0.7 }")" "$(sampled_percent)" "$(awk "BEGIN { print $whole * 1.2 }")" "percent of the periods have a sample"
}
test_that "parts of a frame, each shorter than a period" windows

# No interrupts come while it is stopped: the time is that of the target's clock, and the period the one that was.
achieved_period()
{
	local begun
	begun=$(date +%s%N)
	run PROF 100 50
	sleep 0.5
	kill -STOP $program
	sleep 2
	kill -CONT $program
	sleep 0.2
	dwell gperf --link "tcp:localhost:$port" -o period.dwell ./PROF > period
	dwell report period.dwell > kept
	for _ in period kept; do
		head -3 $_
		perl -e 'use strict; my ($file, $most) = @ARGV; open my $f, "<", $file; local $/; my $text = <$f>;
			my ($time, $count) = $text =~ /^([\d.]+) s of wall time, ([\d,]+) samples/m or die "no time\n";
			$count =~ tr/,//d;
			my ($got, $each, $unit) = $text =~ /asked for 20000 samples a second of wall time, got ([\d.]+): one each ([\d.]+) ([mu])s, of 50.00 us asked for/
				or die "no period\n";
			$each *= $unit eq "m" ? 1e-3 : 1e-6;
			die "$time s of $most\n" if $time < 2.5 || $time > $most;
			die "$count samples\n" if abs($got - $count / $time) > 0.01 * $got || abs($each * $got - 1) > 0.01 || $each < 60e-6' \
			$_ "$(awk -v begun="$begun" -v now="$(date +%s%N)" 'BEGIN { print (now - begun) / 1e9 }')"
	done
	ends
}
test_that "dwell gperf tells the period that was achieved" achieved_period

done_testing
