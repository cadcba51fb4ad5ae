# shellcheck shell=bash
# What the scripts share. Sourced, never run; the caller has `set -euo pipefail`.

# shellcheck disable=SC2034  # for those who source this
ROOT=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

# An ordinary user's PATH has no sbin, and that is where avahi-daemon and ip are.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# Everything but results goes to standard error.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# Runs a command as root, or says what has to be done by root.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -- "$@"
  else
    die 69 "this needs root, and there is no sudo: $*"
  fi
}

# Whether as_root can work at all.
can_be_root() { [[ $(id -u) == 0 ]] || command -v sudo >/dev/null; }

# Is it there? A command, or a file when it is a path.
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

  # Said here: what the installation says goes to a file.
  can_be_root ||
    die 69 "missing: ${packages[*]}. Installing them needs root, and there is no sudo. As root: apt-get install ${packages[*]}"

  say "installing ${packages[*]}"
  local log
  log=$(mktemp)
  local install=(env DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --quiet --no-install-recommends "${packages[@]}")
  # The package lists of a machine in use are there; a fresh image has none, or old ones.
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

# What swift.org lists for Debian 12, without what is only for debugging.
SWIFT_PACKAGES='binutils-gold ca-certificates gcc git libcurl4-openssl-dev libedit2 libncurses6 libpython3.11 libsqlite3-0
  libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev'
SWIFT_PACKAGES=$(echo $SWIFT_PACKAGES)

# Swift itself is not installed by us: where it comes from is the owner's choice.
need_swift() {
  type -P swift >/dev/null ||
    die 69 "there is no swift on PATH. Install Swift 6.2 or later (https://www.swift.org/install/linux/)."
  local answer version
  # Where a library is missing, it is the dynamic linker that speaks.
  answer=$(swift --version 2>&1) ||
    die 69 "$(type -P swift) cannot start: ${answer%%$'\n'*}. What it needs of Debian 12: $SWIFT_PACKAGES"
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$answer" | head -n 1)
  [[ $(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1) == 6.2 ]] ||
    die 69 "Swift 6.2 or later is needed; $(type -P swift) is ${version:-of an unknown version}."
}

# without_dnssd CMD… — runs a command as on a machine that has no DNS-SD library in C: Avahi's and
# Bonjour's headers and libraries are hidden from it, so that it can neither compile, link nor load
# them. What is a folder is empty there, and what is a file is empty too.
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
        # A link may lead to what is hidden by now.
        [[ -e $path ]] || continue
        if [[ -d $path ]]; then mount -t tmpfs tmpfs "$path"; else mount --bind /dev/null "$path"; fi
      done
      exec "$@"' without-dnssd "$@"
    return
  done
  say "namespaces are refused here, so the libraries in C stay visible: ${*:1:2}"
  "$@"
}

# swift CMD… — SwiftPM hands the traits of a package to the compiler in the order of a hash table, which is another one each
# time: every other build would compile everything anew. Tests keep their own order at each run.
swift() {
  if [[ ${1:-} == build ]]; then SWIFT_DETERMINISTIC_HASHING=1 command swift "$@"; else command swift "$@"; fi
}

# quietly WHAT CMD… — runs a command, shows that and how far it is, and shows its output only when
# it fails. It runs in the foreground, so that Ctrl-C reaches it.
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

# On a terminal one line that is redrawn: what is done, for how long, and the last step that the log
# tells of. Elsewhere, what is done.
show_progress() {
  local what=$1 log=$2 start=$SECONDS step
  # What is quick needs no line. The redirections: who waits for our output must not wait for a sleep.
  sleep 2 >/dev/null 2>&1
  if [[ ! -t 2 ]]; then
    say "$what …"
    return
  fi
  while [[ -e $log ]]; do
    step=$({ tail -c 400 "$log" | tr '\r' '\n' | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1; } 2>/dev/null || true)
    printf '\r\033[K%s: %s … %d s %s' "${0##*/}" "$what" $((SECONDS - start)) "$step" >&2
    sleep 1 >/dev/null 2>&1
  done
}
