# A day's use of Perl. Always prints the same.
use strict;
use warnings;
use List::Util qw(sum max shuffle reduce first);
use Data::Dumper;
use Digest::SHA qw(sha256_hex);
use Digest::MD5 qw(md5_hex);
use MIME::Base64;
use Storable qw(freeze thaw dclone);
use Time::Local;
use POSIX qw(floor strftime);
use Encode;
use File::Temp qw(tempdir);
use Math::BigInt;
use Text::Wrap;
use threads;
use threads::shared;
use Scalar::Util qw(blessed weaken);

$Data::Dumper::Sortkeys = 1;
$Data::Dumper::Indent = 1;
my @numbers = map { ($_ * 7919) % 10007 } 1 .. 5000;
my @sorted = sort { $a <=> $b } @numbers;
print "sorted ", md5_hex("@sorted"), " ", sum(@numbers), " ", max(@numbers), " ", (reduce { $a ^ $b } @numbers), "\n";
my %count;
my $text = join " ", map { chr(97 + $_ % 26) x (1 + $_ % 5) } @numbers;
$count{$_}++ for split / /, $text;
print join(",", map { "$_=$count{$_}" } (sort keys %count)[0 .. 9]), "\n";
(my $swapped = $text) =~ s/(\w+) (\w+)/$2 $1/g;
print sha256_hex($swapped), " ", scalar(() = $text =~ /(\w)\1{3,}/g), " ", ($text =~ tr/a-m//), "\n";
my $nested = qr/\((?:[^()]++|(??{ our $nested_again }))*\)/;
our $nested_again = $nested;
print "nested\n" if "(a(b)(c(d)))" =~ /^$nested$/;
print "named $+{year}-$+{month}\n" if "on 2024-03-01" =~ /(?<year>\d{4})-(?<month>\d\d)/;
my $data = { list => [ 1 .. 5 ], hash => { a => undef, b => [ {} ] }, text => "x\n\x{263a}" };
print Dumper(dclone($data)), Dumper(thaw(freeze([ 1, [ 2 ] ])));
print encode_base64(encode("UTF-8", "\x{e9}\x{263a}")), length(decode("UTF-8", "\xc3\xa9")), "\n";
print Math::BigInt->new(2)->bpow(200), " ", Math::BigInt->new(40)->bfac, "\n";

package Shape { sub new { my ($class, %of) = @_; bless {%of}, $class } sub area { die "no area\n" } sub DESTROY { $main::destroyed++ } }
package Square { our @ISA = "Shape"; sub area { $_[0]{side} ** 2 } }
package main;
our $destroyed = 0;
for my $i (1 .. 200) {
	my $shape = $i % 3 ? Square->new(side => $i) : Shape->new;
	my $area = eval { $shape->area };
	$count{failed}++ if $@ eq "no area\n";
	$count{area} += $area // 0;
}
print "objects $count{failed} $count{area} $destroyed\n";
sub deep { no warnings "recursion"; my $n = shift; die { depth => 300 } unless $n; my @x = (1) x 10; deep($n - 1); }
for (1 .. 20) { eval { deep(300); 1 } or $count{died} += $@->{depth}; }
print "died $count{died}\n";
{
	local $SIG{ALRM} = sub { die "signal\n" };
	eval { kill ALRM => $$; sleep 5; };
	print "caught $@";
	local $SIG{__WARN__} = sub { print "warned: ", $_[0] =~ s/ at .*//sr, "\n" };
	my $undefined; my $x = 1 + $undefined;
}
my $shared : shared = 0;
$_->join for map { my $n = $_; threads->create(sub { for (1 .. 50) { lock $shared; $shared += $n } }) } 1 .. 4;
print "threads $shared\n";
my $folder = tempdir(CLEANUP => 1);
open my $file, ">", "$folder/text" or die;
printf $file "%05d %s\n", $_, "line" x ($_ % 5) for 1 .. 500;
close $file;
open $file, "<", "$folder/text" or die;
my @lines = grep { /[27] line/ } <$file>;
close $file;
print scalar @lines, " ", md5_hex(@lines), "\n";
my $pid = fork // die;
if (!$pid) { POSIX::_exit(6) }
waitpid $pid, 0;
print "child ", $? >> 8, " ", `echo from a shell; exit 2`, $? >> 8, "\n";
print strftime("%Y-%m-%d", gmtime timegm(0, 0, 0, 29, 1, 2024)), " ", floor(-3.5), " ", sprintf("%vd %e %s %b", "1.22.333", 12345.678, 1e21, 10), "\n";
print wrap("", "  ", substr $text, 0, 200), "\n";
format STDOUT =
@<<<<<< @>>>>>> @##.##
"left", "right", 3.14159
.
write;
my $code = join "", map { "sub f$_ { return \$_[0] + $_ } " } 1 .. 200;
eval "$code; 1" or die;
print sum(map { no strict "refs"; &{"f$_"}(1) } 1 .. 200), "\n";
my @stack = sub { (caller(0))[3] }->();
print "@stack\n";
warn "to standard error\n";
die "the end\n";
