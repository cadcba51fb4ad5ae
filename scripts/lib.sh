# shellcheck shell=bash
# Functions that the scripts share. This file is sourced, never run; the caller has set `set -euo pipefail`.

# shellcheck disable=SC2034  # for those who source this
ROOT=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

# An ordinary user's PATH does not include sbin, where avahi-daemon and ip are.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# All output except results goes to standard error.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# as_root CMD… — runs a command as root, or says which command needs root.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -- "$@"
  else
    die 69 "this needs root, and there is no sudo: $*"
  fi
}

# can_be_root — succeeds if as_root can work at all.
can_be_root() { [[ $(id -u) == 0 ]] || command -v sudo >/dev/null; }

# present NAME — succeeds if a command exists, or a file if NAME is a path.
present() {
  if [[ $1 == /* ]]; then [[ -e $1 ]]; else command -v "$1" >/dev/null; fi
}

# need CHECK:PACKAGE… — installs the Debian packages whose command or file is missing.
need() {
  local entry packages=()
  for entry in "$@"; do
    present "${entry%%:*}" || packages+=("${entry##*:}")
  done
  [[ ${#packages[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null ||
    die 69 "missing: ${packages[*]} (Debian's names; there is no apt-get here, so install them by hand)"

  # Printed here, because the output of the installation goes to a file.
  can_be_root ||
    die 69 "missing: ${packages[*]}. Installing them needs root, and there is no sudo. As root: apt-get install ${packages[*]}"

  say "installing ${packages[*]}"
  local log
  log=$(mktemp)
  local install=(env DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --quiet --no-install-recommends "${packages[@]}")
  # A machine in use has package lists; a fresh image has none, or old ones.
  if ! as_root "${install[@]}" >"$log" 2>&1 </dev/null; then
    say "reading the package lists first (apt-get update)"
    if ! { as_root apt-get update --quiet && as_root "${install[@]}"; } >"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      rm -f "$log"
      die 69 "these packages could not be installed: ${packages[*]}"
    fi
  fi
  rm -f "$log"
}

# The packages that swift.org lists for Debian 12, without those that are only for debugging.
SWIFT_PACKAGES='binutils-gold ca-certificates gcc git libcurl4-openssl-dev libedit2 libncurses6 libpython3.11 libsqlite3-0
  libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev'
SWIFT_PACKAGES=$(echo $SWIFT_PACKAGES)

# Swift itself is not installed by the scripts: its source is the owner's choice.
need_swift() {
  type -P swift >/dev/null ||
    die 69 "there is no swift on PATH. Install Swift 6.2.3 or later (https://www.swift.org/install/linux/)."
  local answer version
  # If a library is missing, this text comes from the dynamic linker.
  answer=$(swift --version 2>&1) ||
    die 69 "$(type -P swift) cannot start: ${answer%%$'\n'*}. What it needs of Debian 12: $SWIFT_PACKAGES"
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9.]*\).*/\1/p' <<<"$answer" | head -n 1)
  [[ $(printf '%s\n' 6.2.3 "${version:-0}" | sort -V | head -n 1) == 6.2.3 ]] ||
    die 69 "Swift 6.2.3 or later is needed; $(type -P swift) is ${version:-of an unknown version}."
}

# without_dnssd CMD… — runs a command as on a machine without a C library for DNS-SD. The headers and libraries of Avahi
# and Bonjour are hidden from it, so that it can neither compile, link nor load them: folders and files are replaced by
# empty ones.
without_dnssd() {
  local namespaces
  for namespaces in "-U -r -m" -m; do
    # shellcheck disable=SC2086  # these are words
    unshare $namespaces -- true 2>/dev/null || continue
    # shellcheck disable=SC2016,SC2086  # for the inner shell
    unshare $namespaces -- bash -c '
      set -euo pipefail
      shopt -s nullglob
      for path in /usr/include/{avahi-*,dns_sd.h} /usr/lib/{,*/}lib{avahi-*,dns_sd}.{a,so*}; do
        # A link may lead to a file that is already hidden.
        [[ -e $path ]] || continue
        if [[ -d $path ]]; then mount -t tmpfs tmpfs "$path"; else mount --bind /dev/null "$path"; fi
      done
      exec "$@"' without-dnssd "$@"
    return
  done
  say "namespaces are refused here, so the libraries in C stay visible: ${*:1:2}"
  "$@"
}

# swift CMD… — runs Swift. SwiftPM passes the traits of a package to the compiler in the order of a hash table, which
# differs each time: without the variable every other build would recompile everything. Tests keep a random order in
# each run.
swift() {
  if [[ ${1:-} == build ]]; then SWIFT_DETERMINISTIC_HASHING=1 command swift "$@"; else command swift "$@"; fi
}

# Builds to try and to test with: without optimization and without symbols for a debugger, whole modules at a time. The tool
# takes 40 % of the CPU of an optimized build then, and all tests three quarters of that of a debug build.
QUICK=(-c release -debug-info-format none -Xswiftc -Onone -Xcc -O0)

# quick_build OPTION… — `swift build` with these options. The standard library's headers, which each of the 500 C++ files of
# BoringSSL would read again, are parsed once for all of them: that, and no symbols of C, took the CPU of a first build from
# 626 s to 528.
quick_build() {
  local headers=$ROOT/.build/headers.h log status=0
  if ! parse_headers "$headers" 2>/dev/null; then
    swift build "${QUICK[@]}" "$@"
    return
  fi
  log=$(mktemp)
  swift build "${QUICK[@]}" -Xcxx -include-pch -Xcxx "$headers.pch" "$@" 2>&1 | tee "$log" || status=$?
  # A release of a dependency that is compiled as another C++. Each version of clang has other words for it.
  if [[ $status != 0 ]] && grep -qE '(precompiled|PCH|AST) (file|header)|file magic' "$log"; then
    say "the parsed headers do not fit; building without them" 2>&1
    status=0
    swift build "${QUICK[@]}" "$@" || status=$?
  fi
  rm -f "$log"
  return "$status"
}

# parse_headers FILE — makes FILE.pch, unless it is there and fits the compiler and the headers of today.
parse_headers() {
  local file=$1 name all=''
  # The compiler of SwiftPM, and what it compares with the options of a file, which does not include what -D defines. GCC
  # takes no such file.
  local clang=(
    "${CC:-$(dirname -- "$(readlink -f -- "$(type -P swift)")")/clang}"
    -target "$(uname -m)-unknown-linux-gnu" -std=c++17 -O0 -fPIC -fblocks
  )
  # Its version, and the standard library that it takes.
  all="// $("${clang[@]}" -v 2>&1 | tr '\n' ' ')"$'\n'
  for name in algorithm array assert.h atomic ctype.h errno.h initializer_list inttypes.h iterator limits.h memory new \
    optional stdio.h stdlib.h string.h string_view sys/types.h time.h type_traits utility variant; do
    all+="#include <$name>"$'\n'
  done
  if [[ $(cat "$file" 2>/dev/null)$'\n' != "$all" ]] || ! fits_headers "$file" "${clang[@]}"; then
    mkdir -p "$(dirname -- "$file")"
    printf '%s' "$all" >"$file"
    "${clang[@]}" -x c++-header "$file" -o "$file.pch" && fits_headers "$file" "${clang[@]}"
  fi
}

# fits_headers FILE CLANG… — tells whether FILE.pch is of this compiler and of the headers as they are now.
fits_headers() {
  "${@:2}" -Xclang -fmodules-validate-system-headers -include-pch "$1.pch" -fsyntax-only -x c++ /dev/null
}

# The folder of the tests and of the programs that they run. It is not that of scripts/run, which links Swift's libraries in
# and so compiles everything with other flags.
# shellcheck disable=SC2034  # for those who source this
TESTS=$ROOT/.build/tests/release

# build_tests — builds all tests and what they run.
build_tests() { build_in_tests "the tests" --build-tests; }

# build_of_tests PROGRAM — builds a program that the tests run.
build_of_tests() { build_in_tests "$1" --product "$1"; }

build_in_tests() {
  quietly "building $1 (a while the first time)" \
    quick_build --package-path "$ROOT" --scratch-path "$ROOT/.build/tests" -Xswiftc -enable-testing "${@:2}"
}

# quietly WHAT CMD… — runs a command and shows its name and progress; its output is shown only if it fails. The command
# runs in the foreground, so that Ctrl-C reaches it.
quietly() {
  local what=$1 log ticker status=0
  shift
  log=$(mktemp)
  show_progress "$what" "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  [[ $status == 0 ]] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# The share of the time of a build from nothing that had passed at some of its steps when it was measured, such as 150:30 for
# 30 % at step 150; for those who call `quietly`.
SHARES=()

# time_left ELAPSED STEP — prints how long a build from nothing will still take, as far as SHARES tells that from the step
# that it is at, such as [120/868].
time_left() {
  local elapsed=$1 step pair begin=0 from=0 share='' left
  # What is built again after a change has few steps, and is soon done.
  [[ $2 =~ ^\[([0-9]+)/([0-9]+)\]$ ]] && ((BASH_REMATCH[2] > 500 && elapsed >= 20)) || return 0
  step=${BASH_REMATCH[1]}
  for pair in "${SHARES[@]}"; do
    if ((step <= ${pair%:*})); then
      share=$((begin + (${pair#*:} - begin) * (step - from) / (${pair%:*} - from)))
      break
    fi
    from=${pair%:*} begin=${pair#*:}
  done
  ((share >= 5)) || return 0
  left=$((elapsed * (100 - share) / share))
  if ((left < 60)); then printf ', less than a minute left'; else printf ', about %d min left' $(((left + 30) / 60)); fi
}

# show_progress WHAT LOG — on a terminal, redraws one line: the task, its duration, the last build step in the log, and how
# long it will still take. Elsewhere it prints the task once.
show_progress() {
  local what=$1 log=$2 start=$SECONDS step
  # A quick command needs no line. The redirections keep a reader of our output from waiting for `sleep`.
  sleep 2 >/dev/null 2>&1
  if [[ ! -t 2 ]]; then
    say "$what …"
    return
  fi
  while [[ -e $log ]]; do
    step=$({ tail -c 400 "$log" | tr '\r' '\n' | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1; } 2>/dev/null || true)
    printf '\r\033[K%s: %s … %d s %s%s' "${0##*/}" "$what" $((SECONDS - start)) "$step" \
      "$(time_left $((SECONDS - start)) "$step")" >&2
    sleep 1 >/dev/null 2>&1
  done
}

# whole_foundation FOLDER — lists the sources that import all of Foundation, for whose tables packages have no room: see
# package.d/icu.c. Fails if there are none.
whole_foundation() { grep -rlE '^([a-z]+ )?import Foundation$' "$1"; }
