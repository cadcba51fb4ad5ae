# shellcheck shell=bash
# shellcheck disable=SC2154  # lab_command and unshare_flags are set in space.sh
# Labs that stay in the background: up, down, status, and access to one from outside.

state_folder() {
  local dir=${CLAWRADAR_LAB_STATE:-${XDG_RUNTIME_DIR:-/tmp}/clawradar-lab-$UID}
  # Somebody else could have made the folder in /tmp first.
  if [[ -e $dir || -L $dir ]]; then
    [[ -d $dir && ! -L $dir && -O $dir ]] || die "$dir is not a folder of yours"
  elif [[ ${1:-} == make ]]; then
    mkdir -m 700 -- "$dir"
  fi
  echo "$dir"
}

start_time() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  read -r -a stat <<<"${stat##*) }"
  echo "${stat[19]}"
}

# Sets `init` and `userns` from the state file; fails if that lab is gone. The start time distinguishes its process from
# a later one with the same number.
background_lab() {
  local dir started
  dir=$(state_folder) || exit 1
  { read -r init started userns <"$dir/lab"; } 2>/dev/null || return 1
  [[ $(start_time "$init") == "$started" ]]
}

lab_up() {
  local dir fd pid word
  parse_lab_options "$@"
  [[ ${#lab_command[@]} == 0 ]] || usage_error "lab up takes no command"
  ! background_lab || die "a lab is up already (process $init); scripts/lab down ends it"
  choose_namespaces
  dir=$(state_folder make) || exit 1
  # The first line comes from the supervisor (the id of process 1), the second from process 1 itself (ready).
  exec {fd}< <(
    exec 3>&1 >"$dir/log" 2>&1 </dev/null
    close_other_files 3
    export CLAWRADAR_LAB_READY_FD=3
    ready_pipe
    CLAWRADAR_LAB_REPORT_FD=3 exec setsid unshare "${unshare_flags[@]}" -- "$BASH" "$LAB" _supervise \
      "$CLAWRADAR_LAB_PIPE" "$BASH" "$LAB" _init "$@" -- sleep infinity
  )
  if ! { read -r -t 120 -u "$fd" pid && read -r -t 120 -u "$fd" word && [[ $word == ready ]]; }; then
    [[ -z ${pid:-} ]] || kill -KILL "$pid" 2>/dev/null || true
    cat "$dir/log" >&2
    # The exit status follows the lab's own message: 77 if no lab can be made here.
    local code=1
    ! grep -q 'no lab can be made here' "$dir/log" || code=77
    rm -f "$dir/log"
    rmdir -- "$dir" 2>/dev/null || true
    exit "$code"
  fi
  echo "$pid $(start_time "$pid") $([[ ${unshare_flags[0]} == -U ]] && echo user || echo root)" \
    >"$dir/lab"
}

lab_down() {
  local dir
  dir=$(state_folder) || exit 1
  if background_lab; then
    kill -TERM "$init"
    wait_until "$LIMIT_MS" gone "$init" || kill -KILL "$init"
    wait_until "$LIMIT_MS" gone "$init" || die "process $init does not end"
  else
    warn "no lab is up"
  fi
  rm -f "$dir/lab" "$dir/log"
  [[ ! -d $dir ]] || rmdir -- "$dir" 2>/dev/null || true
}

lab_status() {
  if ! inside; then
    background_lab || { echo "no lab is up"; exit 3; }
    echo "a lab is up: process $init"
    enter_background_lab "$LAB" status
  fi
  local host
  for host in $(host_names); do
    printf '%-12s %-15s daemon %-8s bus %s\n' "$host" "$(host_address "$host" 2>/dev/null)" \
      "$(daemon_status "$host" || true)" "$(bus_status "$host" || true)"
  done
}

# Runs a command in the lab of `up` and exits with its status. Only a child of a process can be in another pid
# namespace, so there is one process in between: it keeps the caller's id and passes signals on, and its death kills the
# child.
enter_background_lab() {
  background_lab || die "no lab is up, and this is not inside one (scripts/lab up, or lab run)"
  local user=()
  [[ $userns != user ]] || user=(-U --preserve-credentials)
  { true 9<&0; } 2>/dev/null || exec </dev/null
  unset DBUS_SYSTEM_BUS_ADDRESS CLAWRADAR_LAB_HOST
  export CLAWRADAR_LAB=1
  note_terminal
  exec nsenter -t "$init" "${user[@]}" -m -n -u -p -F -- "$BASH" "$LAB" _relay "$PWD" "$@"
}

lab_relay() {
  cd -- "$1" || cd /
  shift
  supervise 0 "$@"
}
