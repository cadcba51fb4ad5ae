# shellcheck shell=bash
# The namespaces of a lab: making them, and running a command in them.

# The commands that a lab needs, with their Debian packages.
NEEDS=(ip:iproute2 dbus-daemon:dbus-daemon dbus-send:dbus-bin avahi-daemon:avahi-daemon
  unshare:util-linux nsenter:util-linux setpriv:util-linux setsid:util-linux mount:mount
  env:coreutils sleep:coreutils awk:mawk)
# The commands that only some subcommands need.
WANTS=("nft:nftables:loss and packets" "tshark:tshark:capture")

missing_packages() {
  local need packages=''
  for need in "${NEEDS[@]}"; do
    command -v "${need%%:*}" >/dev/null || packages+=" ${need##*:}"
  done
  [[ -z $packages ]] || echo "needs$packages: apt-get install$packages"
}

# Sets `unshare_flags`. User namespaces give an ordinary user everything that a lab needs; where they are refused, root
# does without them. There is no --fork: unshare(1) would hold signals back while it waits.
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

# Sets host_count, bridges, settled, host_options (for all hosts), no_daemon, no_bus and lab_command.
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
  parse_lab_options "$@" # also here, so that mistakes are reported before anything is made
  [[ ${#lab_command[@]} -gt 0 ]] || usage_error "lab run [N] [OPTIONS] -- CMD…"
  choose_namespaces
  { true 9<&0; } 2>/dev/null || exec </dev/null
  # This process keeps its id throughout: the caller's signals reach the supervisor, whose first child is process 1 of
  # the lab. When process 1 ends, the kernel ends everything in the lab, and the mounts and networks go with the last
  # process.
  ready_pipe
  note_terminal
  exec unshare "${unshare_flags[@]}" -- "$BASH" "$LAB" _supervise "$CLAWRADAR_LAB_PIPE" \
    "$BASH" "$LAB" _init "$@"
}

# Ctrl-C at a terminal reaches every process of the foreground group, including the command: passing it on would deliver
# it two or three times. Recorded here, because /proc no longer shows this process after `unshare`.
note_terminal() {
  local stat
  read -r stat </proc/self/stat
  read -r -a stat <<<"${stat##*) }"
  export CLAWRADAR_LAB_TERMINAL=no
  [[ ${stat[2]} != "${stat[5]}" ]] || CLAWRADAR_LAB_TERMINAL=yes
}

# Makes a pipe on which process 1 reports that its signal handlers are installed (see supervise).
ready_pipe() {
  local fd
  exec {fd}<> <(:)
  export CLAWRADAR_LAB_PIPE=$fd
}

# Passes a signal to the lab on to its command, which may take some time to end, but not for ever.
# shellcheck disable=SC2317  # called by traps
forward() {
  [[ -n $child ]] || exit_by "$signalled" # the lab is still being made
  [[ $signalled == INT && $terminal == yes ]] || kill "-$signalled" "$child" 2>/dev/null || true
  [[ -n ${grace:-} ]] || { (sleep 5; kill -KILL "$child") 2>/dev/null & grace=$!; }
}

# Runs as process 1 of the lab.
lab_init() {
  child='' signalled='' terminal=${CLAWRADAR_LAB_TERMINAL:-no}
  unset CLAWRADAR_LAB_TERMINAL
  local code status=0
  trap 'signalled=HUP; forward' HUP
  trap 'signalled=INT; forward' INT
  trap 'signalled=TERM; forward' TERM
  echo >&"$CLAWRADAR_LAB_PIPE"
  eval "exec $CLAWRADAR_LAB_PIPE>&-"
  unset CLAWRADAR_LAB_PIPE
  parse_lab_options "$@"
  make_lab
  make_hosts
  [[ -z ${CLAWRADAR_LAB_READY_FD:-} ]] || {
    echo ready >&"$CLAWRADAR_LAB_READY_FD"
    eval "exec $CLAWRADAR_LAB_READY_FD>&-"
    unset CLAWRADAR_LAB_READY_FD
  }
  env --default-signal=INT,QUIT -- sh -c 'exec "$@"' lab "${lab_command[@]}" <&0 &
  child=$!
  while :; do
    signalled='' code=0
    { wait "$child"; } 2>/dev/null || code=$?
    # As in supervise: a trapped signal interrupts `wait`, and the next `wait` returns the status.
    [[ -n $signalled && $code == 127 ]] || status=$code
    [[ -n $signalled && $code != 127 ]] || break
  done
  exit "$status"
}

# Makes the lab itself: /run, the user that avahi-daemon looks for, and the bridges.
make_lab() {
  local why cwd=$PWD
  why=$(mount -t proc proc /proc 2>&1) ||
    unavailable "/proc cannot be mounted ($why); in a container, run it with --privileged" \
      "or --security-opt systempaths=unconfined"
  why=$(mount -t tmpfs -o mode=755 tmpfs /run 2>&1) || unavailable "no tmpfs on /run ($why)"
  mkdir -p "$RUN/.numbers" /run/avahi-daemon /run/dbus
  # Programs may use the folder that XDG_RUNTIME_DIR names; the real one is now hidden.
  [[ ${XDG_RUNTIME_DIR:-} != /run/* ]] || (umask 077; mkdir -p "$XDG_RUNTIME_DIR")
  # Without that variable, an agent and gateways have their sockets here: those of another lab must not be found.
  why=$( (umask 077; mkdir -p "/tmp/clawradar-$UID") && mount -t tmpfs -o mode=700 tmpfs "/tmp/clawradar-$UID" 2>&1) ||
    unavailable "no tmpfs on /tmp/clawradar-$UID ($why)"
  # avahi-daemon requires that its run-time folder belongs to the user "avahi", but a namespace with one user cannot
  # have another: here "avahi" is a second name of user 0. Its entry comes last, so that "root" stays the first name.
  { grep -v '^avahi:' /etc/passwd; echo 'avahi:x:0:0::/:/usr/sbin/nologin'; } >"$RUN/passwd"
  { grep -v '^avahi:' /etc/group; echo 'avahi:x:0:'; } >"$RUN/group"
  mount --bind "$RUN/passwd" /etc/passwd
  mount --bind "$RUN/group" /etc/group
  ip link set lo up
  make_bridges "$bridges" || unavailable "this kernel or container makes no bridge (see above)"
  touch "$RUN/.lab"
  cd -- "$cwd" || cd /
  export CLAWRADAR_LAB=1
  # Nothing in the lab may reach the machine's bus.
  unset DBUS_SYSTEM_BUS_ADDRESS CLAWRADAR_LAB_HOST
}

# Makes all hosts, a few at a time: more at once would only slow down each of them.
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

lab_check() {
  choose_namespaces
  local want rest why
  # Makes a small lab, because a container's restrictions show only in an attempt.
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
