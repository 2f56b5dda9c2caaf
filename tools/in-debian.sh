#!/bin/sh
# Runs a command in another release of Debian, in a clean checkout of HEAD. Status 77, and a line with the reason, where that cannot be had.
#
#   tools/in-debian.sh SUITE [COMMAND ...]      SUITE as debootstrap knows it: trixie, testing; without a command: ./check
#
# It needs root, debootstrap and a mirror: that of this system's apt, with the same settings. The release is set up in DEBIANS/SUITE (by default
# build/debian/SUITE), and stays there for the next time; the checkout is its folder dwell. What is mounted there is mounted in a namespace of its
# own, so nothing is left to unmount.
set -eu
cd "$(dirname "$0")/.."
suite=${1:?usage: tools/in-debian.sh SUITE [COMMAND ...]}
shift
[ $# -gt 0 ] || set -- ./check
folder=$(realpath -m "${DEBIANS:-build/debian}/$suite")

cannot()
{
	echo "tools/in-debian.sh: no Debian $suite here: $*" >&2
	exit 77
}

# Where this system's apt has its Debian from. Nothing on Ubuntu, or before apt-get update: debootstrap knows a mirror then.
mirror()
(
	. /etc/os-release
	[ "$ID" != debian ] || apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
		awk -v release="$VERSION_CODENAME" '$1 == release { print $2; exit }'
)

set_up()
{
	echo "tools/in-debian.sh: setting up Debian $suite in $folder" >&2
	rm -rf "$folder.new"
	mkdir -p "$folder.new"
	# shellcheck disable=SC2046
	debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$folder.new" $(mirror) > "$folder.log" 2>&1 ||
		cannot "debootstrap failed: $(tail -n 1 "$folder.log")"
	# No daemon begins; and what is lost by a crash can be made again.
	printf '#!/bin/sh\nexit 101\n' > "$folder.new/usr/sbin/policy-rc.d"
	chmod +x "$folder.new/usr/sbin/policy-rc.d"
	echo force-unsafe-io > "$folder.new/etc/dpkg/dpkg.cfg.d/unsafe-io"
	mv "$folder.new" "$folder"
}

# Names, proxies and certificates by which this system's packages come.
copy_settings()
{
	cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
	apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries|ForceIP|Languages)' > "$folder/etc/apt/apt.conf.d/90as-outside" || true
	[ ! -d /etc/apt/auth.conf.d ] || cp -r /etc/apt/auth.conf.d "$folder/etc/apt/"
	[ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp -L /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
}

[ "$(id -u)" = 0 ] || cannot "it takes root to set it up"
command -v debootstrap > /dev/null || cannot "debootstrap is not installed (tools/deps.sh release)"
unshare --mount true 2> /dev/null || cannot "nothing may be mounted"
[ -d "$folder" ] || set_up
copy_settings
rm -rf "$folder/dwell"
git clone --quiet --no-hardlinks . "$folder/dwell"

exec unshare --mount sh -euc '
	folder=$1
	shift
	for what in proc sys dev; do
		mount --rbind /$what "$folder/$what"
	done
	mount -t tmpfs none "$folder/dev/shm"
	exec chroot "$folder" env -u CC -u CXX -u TMPDIR -u MAKEFLAGS -u MAKELEVEL HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c "cd /dwell && exec \"\$@\"" sh "$@"
' sh "$folder" "$@"
