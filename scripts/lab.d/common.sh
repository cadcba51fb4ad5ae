# shellcheck shell=bash
# Messages, waiting, and processes that are identified by a pid file.

# Files are read with `read`, not with $(<FILE): if FILE is missing, the latter ends a script under `set -e` even where
# a failure is handled (bash 5.2).

LIMIT_MS=10000 # the time limit for anything to start or to end

warn() { printf 'lab: %s\n' "$*" >&2; }
die() { warn "$@"; exit 1; }
usage_error() { warn "usage: $*"; exit 2; }

# Reports why no lab can be made here. Test runners take status 77 for "skipped".
unavailable() { warn "no lab can be made here: $*"; exit 77; }

# wait_until LIMIT_MS COMMAND… — repeats a command with growing pauses until it succeeds. `read` from a descriptor that
# never has data sleeps without starting a process, which matters with 50 hosts on two cores.
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

# Prints the state letter of a process (R, S, T, Z …); fails if there is no such process. A process name may itself
# contain ") ".
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

# Prints the process id in a pid file, if that process is running.
running_pid() {
  local pid
  { read -r pid <"$1"; } 2>/dev/null && alive "$pid" && echo "$pid"
}

# end_process NAME PIDFILE SIGNAL — ends a process and waits until it is gone.
end_process() {
  local pid
  pid=$(running_pid "$2") || { rm -f "$2"; return 0; }
  kill "-$3" "$pid" 2>/dev/null || true
  # A frozen process receives the signal only when it runs again.
  [[ $3 == KILL ]] || kill -CONT "$pid" 2>/dev/null || true
  wait_until "$LIMIT_MS" gone "$pid" || die "$1 (process $pid) does not end"
  rm -f "$2"
}

# close_other_files [FD] — closes all descriptors except 0, 1, 2 and FD. Daemons must not keep the caller's pipes open:
# their readers would never see the end.
close_other_files() {
  local fd keep=${1:-}
  for fd in "/proc/$BASHPID/fd"/*; do
    fd=${fd##*/}
    ((fd > 2)) && [[ $fd != "$keep" ]] && eval "exec $fd>&-"
  done
  return 0
}

# supervise READY_FD COMMAND… — runs a command as the only child, passes signals on to it, and exits with its status.
# The child is killed when this process dies in any way (PDEATHSIG); a background child of a script would ignore SIGINT
# and SIGQUIT, hence --default-signal.
# Process 1 of a pid namespace loses signals for which it has no handler yet. READY_FD is a pipe into which it writes
# once its handlers are installed; until then a signal kills it. READY_FD 0: the child is not process 1.
supervise() {
  local ready_fd=$1 report_fd=${CLAWRADAR_LAB_REPORT_FD:-} child='' pending='' caught='' code status=127 signal
  local terminal=${CLAWRADAR_LAB_TERMINAL:-no}
  shift
  unset CLAWRADAR_LAB_REPORT_FD
  [[ $ready_fd != 0 ]] || unset CLAWRADAR_LAB_TERMINAL
  for signal in HUP INT QUIT TERM USR1 USR2; do
    # shellcheck disable=SC2064  # the signal is meant to be expanded now
    trap "caught=1; hand_on $signal" "$signal"
  done
  setpriv --pdeathsig KILL env --default-signal=INT,QUIT -- "$@" <&0 &
  child=$!
  [[ -z $pending ]] || hand_on "$pending"
  [[ -z $report_fd ]] || { echo "$child" >&"$report_fd"; eval "exec $report_fd>&-"; }
  while :; do
    caught='' code=0
    # 2>: bash would report that a signal killed the child, which the exit status already says.
    { wait "$child"; } 2>/dev/null || code=$?
    # A trapped signal interrupts `wait`; the next `wait` returns the child's status. It returns 127 if the status had
    # already been collected.
    [[ -n $caught && $code == 127 ]] || status=$code
    [[ -n $caught && $code != 127 ]] || break
  done
  exit "$status"
}

# Exits with the status of a process ended by that signal. There is no $(kill -l), because the lab's parent process
# cannot fork any more once process 1 is gone.
exit_by() {
  case $1 in HUP) exit 129 ;; INT) exit 130 ;; QUIT) exit 131 ;; *) exit 143 ;; esac
}

# shellcheck disable=SC2317  # called by traps
hand_on() {
  if [[ -z $child ]]; then
    pending=$1
  elif [[ $ready_fd != 0 ]] && ! read -r -t 0 -u "$ready_fd"; then
    kill -KILL "$child" 2>/dev/null || true
    exit_by "$1"
  else
    [[ $1 == @(INT|QUIT) && $terminal == yes ]] || kill "-$1" "$child" 2>/dev/null || true
  fi
}
