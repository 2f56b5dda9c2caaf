#!/bin/sh
# A program of some size that is not ours, for tests and figures: SQLite's amalgamation, as the npm package better-sqlite3 ships it.
#
#   tools/get-sqlite.sh FOLDER     leaves sqlite3.c and sqlite3.h there; nothing to do when they are
#
# Status 77, and why on standard error, where it cannot be had: no npm, no network. What came is compared with the checksums below.
set -eu
package=better-sqlite3@12.11.1
folder=${1:?usage: tools/get-sqlite.sh FOLDER}
mkdir -p "$folder"
cd "$folder"

is_right()
{
	sha256sum --status -c - 2> /dev/null <<-EOF
	60d2f39a3726cd6b9021da6f4e868608d66fbb6528a9f513dc8ffcc640493422  sqlite3.c
	9e69a1353a4288450b0d5239ede11fc7f1f4c8e5eb07491fc8317eacb5b7de7e  sqlite3.h
	EOF
}
absent()
{
	echo "tools/get-sqlite.sh: $*" >&2
	exit 77
}

# Tests run side by side, and more than one wants it.
if command -v flock > /dev/null; then
	exec 9> lock
	flock -w 120 9
fi
is_right && exit 0
command -v npm > /dev/null || absent "npm is not installed"
rm -rf fetched
mkdir fetched
(cd fetched && timeout 60 npm pack --silent "$package" > /dev/null 2>&1) || absent "$package cannot be fetched"
tar -xzf fetched/*.tgz -C fetched package/deps/sqlite3 || absent "$package does not hold what is expected"
mv fetched/package/deps/sqlite3/sqlite3.[ch] .
rm -rf fetched
is_right || { echo "tools/get-sqlite.sh: $package is not what it was: its checksum differs" >&2; exit 1; }
