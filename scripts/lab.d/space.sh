# shellcheck shell=bash
# The namespaces of a lab: making them, running a command in them, labs in the background.

# What a lab cannot do without, and the Debian package that has it.
NEEDS=(ip:iproute2 dbus-daemon:dbus-daemon dbus-send:dbus-bin avahi-daemon:avahi-daemon
  unshare:util-linux nsenter:util-linux setpriv:util-linux setsid:util-linux mount:mount
  env:coreutils sleep:coreutils awk:mawk)
# What single commands need.
WANTS=("nft:nftables:loss and packets" "tshark:tshark:capture")

missing_packages() {
  local need packages=''
  for need in "${NEEDS[@]}"; do
    command -v "${need%%:*}" >/dev/null || packages+=" ${need##*:}"
  done
  [[ -z $packages ]] || echo "needs$packages: apt-get install$packages"
}

# Sets `unshare_flags`. User namespaces give an ordinary user all of this; where they are refused
# root does without them. There is no --fork: unshare(1) would hold signals back while it waits.
choose_namespaces() {
  local reason
  reason=$(missing_packages)
  [[ -z $reason ]] || unavailable "$reason"
  unshare_flags=(-U -r -n -m -u -p)
  if reason=$(unshare "${unshare_flags[@]}" -- true 2>&1); then return 0; fi
  if [[ $(id -u) == 0 ]]; then
    unshare_flags=(-n -m -u -p)
    local second
    if second=$(unshare "${unshare_flags[@]}" -- true 2>&1); then return 0; fi
    unavailable "namespaces are refused even to root ($second); in a container, run it with" \
      "--privileged, or with --cap-add SYS_ADMIN,NET_ADMIN and no seccomp profile"
  fi
  unavailable "user namespaces are refused to ordinary users ($reason)$(userns_hint)"
}

userns_hint() {
  local value
  if { read -r value </proc/sys/kernel/apparmor_restrict_unprivileged_userns; } 2>/dev/null &&
    [[ $value == 1 ]]; then
    echo "; run it as root, or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
  elif { read -r value </proc/sys/kernel/unprivileged_userns_clone; } 2>/dev/null &&
    [[ $value == 0 ]]; then
    echo "; run it as root, or: sysctl kernel.unprivileged_userns_clone=1"
  elif { read -r value </proc/sys/user/max_user_namespaces; } 2>/dev/null && [[ $value == 0 ]]; then
    echo "; run it as root, or: sysctl user.max_user_namespaces=10000"
  else
    echo "; run it as root"
  fi
}

# Sets host_count, bridges, settled, host_options (for all), no_daemon, no_bus and lab_command.
parse_lab_options() {
  host_count=3 bridges=1 settled=no host_options=() no_daemon=' ' no_bus=' ' lab_command=()
  if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    host_count=$((10#$1))
    shift
  fi
  while [[ $# -gt 0 ]]; do
    case $1 in
      --) shift; lab_command=("$@"); break ;;
      --settled) settled=yes ;;
      --ipv4-only) host_options+=("$1") ;;
      --no-daemon | --no-bus | --interfaces | --config)
        [[ $# -ge 2 ]] || usage_error "$1 needs a value"
        case $1 in
          --no-daemon) no_daemon+="$2 " ;;
          --no-bus) no_bus+="$2 " ;;
          *) host_options+=("$1" "$2") ;;
        esac
        [[ $1 != --interfaces ]] || bridges=$2
        shift
        ;;
      *) usage_error "lab run [N] [OPTIONS] -- CMD…; what is '$1'?" ;;
    esac
    shift
  done
  [[ $bridges =~ ^[1-9]$ ]] || usage_error "--interfaces takes 1 to 9"
  ((host_count <= 1000)) || usage_error "at most 1000 hosts"
  local name
  for name in $no_daemon $no_bus; do
    [[ $name =~ ^h([1-9][0-9]{0,3})$ && ${BASH_REMATCH[1]} -le $host_count ]] ||
      usage_error "there will be no host '$name'"
  done
}

lab_run() {
  parse_lab_options "$@" # here too, so that mistakes are told before anything is made
  [[ ${#lab_command[@]} -gt 0 ]] || usage_error "lab run [N] [OPTIONS] -- CMD…"
  choose_namespaces
  { true <&0; } 2>/dev/null || exec </dev/null
  # This process keeps its id all along: the caller's signals reach the supervisor, whose first
  # child is process 1 of the lab. When process 1 ends, the kernel ends all that is in the lab,
  # and the mounts and networks go with the last process.
  exec unshare "${unshare_flags[@]}" -- "$BASH" "$LAB" _supervise "$BASH" "$LAB" _init "$@"
}

# A signal to the lab is one to its command, which may take its time to end, but not for ever.
# shellcheck disable=SC2317  # called by traps
forward() {
  [[ -n $child ]] || exit 143 # still being made: nothing to wait for
  kill "-$signalled" "$child" 2>/dev/null || true
  [[ -n ${grace:-} ]] || { (sleep 5; kill -KILL "$child") 2>/dev/null & grace=$!; }
}

# Process 1 of the lab.
lab_init() {
  child='' signalled=''
  local code status=0
  trap 'signalled=HUP; forward' HUP
  trap 'signalled=INT; forward' INT
  trap 'signalled=TERM; forward' TERM
  parse_lab_options "$@"
  make_lab
  make_hosts
  [[ -z ${CLAWRADAR_LAB_READY_FD:-} ]] || {
    echo ready >&"$CLAWRADAR_LAB_READY_FD"
    eval "exec $CLAWRADAR_LAB_READY_FD>&-"
    unset CLAWRADAR_LAB_READY_FD
  }
  env --default-signal=INT,QUIT -- sh -c 'exec "$@"' sh "${lab_command[@]}" <&0 &
  child=$!
  while :; do
    signalled='' code=0
    wait "$child" || code=$?
    # As in supervise: a trapped signal ends `wait` early, and the status comes from the next one.
    [[ -n $signalled && $code == 127 ]] || status=$code
    [[ -n $signalled && $code != 127 ]] || break
  done
  exit "$status"
}

# The lab itself: /run, the users avahi-daemon asks for, the bridges.
make_lab() {
  local why cwd=$PWD
  why=$(mount -t proc proc /proc 2>&1) ||
    unavailable "/proc cannot be mounted ($why); in a container, run it with --privileged" \
      "or --security-opt systempaths=unconfined"
  why=$(mount -t tmpfs -o mode=755 tmpfs /run 2>&1) || unavailable "no tmpfs on /run ($why)"
  mkdir -p "$RUN/.numbers" /run/avahi-daemon /run/dbus
  # Programs may want the folder that XDG_RUNTIME_DIR names; the real one is hidden now.
  [[ ${XDG_RUNTIME_DIR:-} != /run/* ]] || (umask 077; mkdir -p "$XDG_RUNTIME_DIR")
  # avahi-daemon insists that its run-time folder belong to the user "avahi", and a namespace with
  # one user cannot have another: so here "avahi" is one more name of user 0.
  (echo 'avahi:x:0:0:avahi:/run/avahi-daemon:/usr/sbin/nologin'; grep -v '^avahi:' /etc/passwd) \
    >"$RUN/.passwd" || true
  (echo 'avahi:x:0:'; grep -v '^avahi:' /etc/group) >"$RUN/.group" || true
  # "root" must stay the first name of user 0.
  (grep '^root:' /etc/passwd; grep -v '^root:' "$RUN/.passwd") >"$RUN/passwd"
  (grep '^root:' /etc/group; grep -v '^root:' "$RUN/.group") >"$RUN/group"
  rm "$RUN/.passwd" "$RUN/.group"
  mount --bind "$RUN/passwd" /etc/passwd
  mount --bind "$RUN/group" /etc/group
  ip link set lo up
  make_bridges "$bridges" || unavailable "this kernel or container makes no bridge (see above)"
  touch "$RUN/.lab"
  cd -- "$cwd" || cd /
  export CLAWRADAR_LAB=1
  # Nothing in the lab shall reach the bus of the machine.
  unset DBUS_SYSTEM_BUS_ADDRESS CLAWRADAR_LAB_HOST
}

# All hosts, a few at a time: more at once only makes every single one slower.
make_hosts() {
  local number options running=0 failed=0 at_once
  at_once=$(($(nproc) * 4))
  for ((number = 1; number <= host_count; number++)); do
    options=("${host_options[@]}")
    [[ $no_daemon != *" h$number "* ]] || options+=(--no-daemon)
    [[ $no_bus != *" h$number "* ]] || options+=(--no-bus)
    if ((running >= at_once)); then
      wait -n || failed=1
      running=$((running - 1))
    fi
    (trap - HUP INT TERM; host_add "h$number" "${options[@]}") &
    running=$((running + 1))
  done
  while ((running > 0)); do
    wait -n || failed=1
    running=$((running - 1))
  done
  [[ $failed == 0 ]] || die "the lab could not be made"
  [[ $settled == no ]] || for ((number = 1; number <= host_count; number++)); do
    [[ $no_daemon$no_bus == *" h$number "* ]] || daemon_settle "h$number"
  done
}

## Labs in the background

state_folder() {
  local dir=${CLAWRADAR_LAB_STATE:-${XDG_RUNTIME_DIR:-/tmp}/clawradar-lab-$UID}
  # In /tmp somebody else could have made it first.
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

# Sets `init` and `userns` from the state file; fails if that lab has gone. The start time tells
# the process from a later one with the same number.
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
  # The two lines come from the supervisor (the id of process 1) and from process 1 (ready).
  exec {fd}< <(
    exec 3>&1 >"$dir/log" 2>&1 </dev/null
    export CLAWRADAR_LAB_READY_FD=3
    report_fd=3 exec setsid unshare "${unshare_flags[@]}" -- "$BASH" "$LAB" _supervise \
      "$BASH" "$LAB" _init "$@" -- sleep infinity
  )
  if ! { read -r -t 120 -u "$fd" pid && read -r -t 120 -u "$fd" word && [[ $word == ready ]]; }; then
    [[ -z ${pid:-} ]] || kill -KILL "$pid" 2>/dev/null || true
    cat "$dir/log" >&2
    # The lab's own reason decides: 77 if there can be none here.
    grep -q 'no lab can be made here' "$dir/log" && exit 77
    exit 1
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

# Runs a command in the lab of `up` and exits as it does. Only a child of a process can be in
# another pid namespace, so here there is one process in between: it keeps the caller's id, hands
# signals on, and its death kills the child.
enter_background_lab() {
  background_lab || die "no lab is up, and this is not inside one (scripts/lab up, or lab run)"
  local user=()
  [[ $userns != user ]] || user=(-U --preserve-credentials)
  { true <&0; } 2>/dev/null || exec </dev/null
  unset DBUS_SYSTEM_BUS_ADDRESS CLAWRADAR_LAB_HOST
  export CLAWRADAR_LAB=1
  exec nsenter -t "$init" "${user[@]}" -m -n -u -p -F -- "$BASH" "$LAB" _relay "$PWD" "$@"
}

lab_relay() {
  cd -- "$1" || cd /
  shift
  supervise "$@"
}

lab_check() {
  choose_namespaces
  local want rest why
  # The real thing, in small: what a container forbids shows only when it is tried.
  why=$("$BASH" "$LAB" run 1 --no-daemon h1 -- true 2>&1) ||
    unavailable "${why#lab: no lab can be made here: }"
  for want in "${WANTS[@]}"; do
    rest=${want#*:}
    command -v "${want%%:*}" >/dev/null ||
      warn "without ${rest%%:*} there is no: ${rest##*:} (apt-get install ${rest%%:*})"
  done
  echo "a lab can be made here ($([[ ${unshare_flags[0]} == -U ]] &&
    echo "user namespace" || echo "as root, without a user namespace"))"
}
