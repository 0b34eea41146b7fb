#!/bin/sh
# scripts/install-dependencies where one package cannot be had, on a machine whose apt and dpkg are small programs of this test.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
mkdir machine

# stand_in NAME LINES
stand_in()
{
    printf '#!/bin/sh\n%s\n' "$2" >"machine/$1"
    chmod +x "machine/$1"
}

stand_in id 'echo 0'
stand_in dpkg-query 'for last; do :; done; grep -qx "$last" '"$scratch"'/installed && echo install ok installed'
# As apt does: all or nothing.
stand_in apt-get 'for word; do
  case $word in -* | DPkg* | Acquire* | install | update) ;; chromium) exit 100 ;; *) list="${list-} $word" ;; esac
done
for package in ${list-}; do echo "$package"; done >>'"$scratch"'/installed'

dependencies()
{
    : >installed
    PATH=$scratch/machine:$PATH "$KNOTEN_SOURCE/scripts/install-dependencies" "$@" >out 2>&1
}

dependencies build browser || fail "exit status $? where an optional package cannot be had"
for package in cmake gcc libedit-dev nodejs; do
    grep -qx "$package" installed || fail "chromium, which cannot be had, kept $package out"
done
grep -qx 'could not be installed, what needs them is left out or skipped: chromium' out || fail "says: $(cat out)"

# An npm that did not come from Debian is one.
stand_in npm ''
dependencies pictures || fail "exit status $? with npm"
! grep -q npm installed || fail "installs npm although there is one"
finish
