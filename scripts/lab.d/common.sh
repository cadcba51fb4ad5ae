# shellcheck shell=bash
# Messages, waiting, and processes that are known by a pid file.

# Files are read with `read`, not with $(<FILE): when FILE is missing, the latter ends a script
# under `set -e` even where a failure is expected (bash 5.2).

LIMIT_MS=10000 # how long anything may take to start or to end

warn() { printf 'lab: %s\n' "$*" >&2; }
die() { warn "$@"; exit 1; }
usage_error() { warn "usage: $*"; exit 2; }

# The reason why there can be no lab here. 77 is what test runners take for "skipped".
unavailable() { warn "no lab can be made here: $*"; exit 77; }

# wait_until LIMIT_MS COMMAND… — asks again with growing pauses. `read` from a descriptor that
# never has anything is a sleep that starts no process, which counts with 50 hosts on two cores.
wait_until() {
  local limit=$1 pause=5 deadline
  shift
  deadline=$((${EPOCHREALTIME/[.,]/} / 1000 + limit))
  until "$@"; do
    ((${EPOCHREALTIME/[.,]/} / 1000 < deadline)) || return 1
    nap $pause
    ((pause < 50)) && pause=$((pause + pause / 2 + 1))
  done
  return 0
}

nap() {
  if [[ -z ${nap_fd:-} ]]; then
    exec {nap_fd}<> <(:)
  fi
  local seconds
  printf -v seconds '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
  read -r -t "$seconds" -u "$nap_fd" || true
}

# The state letter of a process (R, S, T, Z …); fails if there is none. A name may hold ") ".
process_state() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  stat=${stat##*) }
  echo "${stat%% *}"
}

alive() {
  local state
  [[ -n ${1:-} ]] && state=$(process_state "$1") && [[ $state != [ZX] ]]
}
gone() { ! alive "$1"; }

# The process id in a pid file, if that process runs.
running_pid() {
  local pid
  { read -r pid <"$1"; } 2>/dev/null && alive "$pid" && echo "$pid"
}

# end_process NAME PIDFILE SIGNAL — and wait until it has gone.
end_process() {
  local pid
  pid=$(running_pid "$2") || { rm -f "$2"; return 0; }
  kill "-$3" "$pid" 2>/dev/null || true
  # One that was frozen gets the signal only when it runs again.
  [[ $3 == KILL ]] || kill -CONT "$pid" 2>/dev/null || true
  wait_until "$LIMIT_MS" gone "$pid" || die "$1 (process $pid) does not end"
  rm -f "$2"
}

# Daemons must not keep the caller's pipes open: whoever reads one would never see its end.
close_other_files() {
  local fd
  for fd in "/proc/$BASHPID/fd"/*; do
    fd=${fd##*/}
    ((fd > 2)) && eval "exec $fd>&-"
  done
  return 0
}

# supervise COMMAND… — runs it as the one child, hands signals on to it, and exits as it does. The
# child is killed when this process dies in whatever way (PDEATHSIG); a background child of a
# script would ignore SIGINT and SIGQUIT, hence --default-signal.
supervise() {
  local child='' status caught signal
  for signal in HUP INT QUIT TERM USR1 USR2; do
    # shellcheck disable=SC2064  # expand the signal now, the child later
    trap "caught=1; [[ -z \$child ]] || kill -$signal \$child 2>/dev/null || true" "$signal"
  done
  setpriv --pdeathsig KILL env --default-signal=INT,QUIT -- "$@" <&0 &
  child=$!
  [[ -z ${report_fd:-} ]] || { echo "$child" >&"$report_fd"; exec {report_fd}>&-; }
  status=127
  while :; do
    caught=0
    local code=0
    wait "$child" || code=$?
    # A trapped signal ends `wait` early; the status of the child comes from the next one. 127
    # then says that the status had been collected already.
    [[ $caught == 1 && $code == 127 ]] || status=$code
    [[ $caught == 1 && $code != 127 ]] || break
  done
  exit "$status"
}
