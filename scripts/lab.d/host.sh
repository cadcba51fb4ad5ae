# shellcheck shell=bash
# Hosts: namespaces held by one process each, their interfaces, addresses and files.

# make_bridges COUNT [FIRST] — makes the bridges that do not exist yet.
make_bridges() {
  local k first=${2:-0}
  # Neither bridges nor their ends of the cables are hosts, so they get no IPv6 addresses.
  { echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; } 2>/dev/null || true
  for ((k = first; k < first + $1; k++)); do
    ip link show "br$k" >/dev/null 2>&1 && continue
    # Without snooping the bridge acts as a plain cable. With snooping, and without a multicast querier on the LAN, the
    # delivery of multicast would depend on timers.
    local bridge=("br$k" type bridge mcast_snooping 0 stp_state 0 forward_delay 0)
    # Several hosts can be made at the same time, and another one may have made the bridge first. The second try reports
    # the reason.
    ip link add "${bridge[@]}" 2>/dev/null || ip link show "br$k" >/dev/null 2>&1 ||
      ip link add "${bridge[@]}" || return 1
    ip link set "br$k" up || return 1
  done
}

host_names() {
  local dir
  for dir in "$RUN"/*/; do
    [[ ! -e ${dir}holder.pid ]] || basename "$dir"
  done | sort -V
}

# need_host HOST — fails if there is no such host; sets `dir` (which the caller has declared).
need_host() {
  [[ -n ${1:-} && -e $RUN/$1/holder.pid ]] ||
    die "there is no host '${1:-}' (scripts/lab hosts lists them)"
  dir=$RUN/$1
}

on_host() {
  local holder
  holder=$(<"$RUN/$1/holder.pid")
  shift
  nsenter -t "$holder" -m -n -u -- "$@"
}

# Prints a unique number for the host: N for hN if it is free, otherwise the next free one from 1001 on. mkdir is
# atomic, so several hosts can be made at the same time.
host_number() {
  local number=1001
  if [[ $1 =~ ^h([1-9][0-9]{0,2}|1000)$ ]] && mkdir "$RUN/.numbers/${BASH_REMATCH[1]}" 2>/dev/null
  then
    echo "${BASH_REMATCH[1]}"
    return
  fi
  until mkdir "$RUN/.numbers/$number" 2>/dev/null; do number=$((number + 1)); done
  echo "$number"
}

host_add() {
  local host=${1:-} daemon=yes bus=yes interfaces=1 lan=0 ipv6=yes settings=() dir number
  [[ $host =~ ^[a-z0-9][a-z0-9-]{0,62}$ ]] ||
    usage_error "lab host add HOST [OPTIONS]; a name has a-z, 0-9 and -"
  shift
  while [[ $# -gt 0 ]]; do
    case $1 in
      --no-daemon) daemon=no ;;
      --no-bus) bus=no ;;
      --ipv4-only) ipv6=no ;;
      --interfaces) interfaces=${2:-}; shift ;;
      --lan) lan=${2:-}; shift ;;
      --config) settings+=("${2:-}"); shift ;;
      *) usage_error "lab host add HOST [OPTIONS]; what is '$1'?" ;;
    esac
    shift
  done
  [[ $interfaces =~ ^[1-9]$ ]] || usage_error "--interfaces takes 1 to 9"
  [[ $lan =~ ^([1-9]?[0-9]|1[0-4][0-9])$ ]] || usage_error "--lan takes 0 to 149"
  dir=$RUN/$host
  mkdir "$dir" 2>/dev/null || die "there is a host '$host' already"
  mkdir "$dir/services"
  : >"$dir/hosts"
  number=$(host_number "$host")
  echo "$number" >"$dir/number"
  avahi_defaults "$host" >"$dir/avahi-daemon.conf"
  bus_settings "$host" >"$dir/bus.conf"
  [[ $bus == yes ]] || settings+=(enable-dbus=no)
  [[ ${#settings[@]} == 0 ]] || change_settings "$dir/avahi-daemon.conf" "${settings[@]}"
  make_bridges "$interfaces" "$lan" || die "$host: no bridge"
  hold_host "$host" "$ipv6"
  connect_host "$host" "$number" "$interfaces" "$lan"
  [[ $bus == no ]] || bus_start "$host"
  [[ $daemon == no ]] || daemon_start "$host"
}

# Starts the process that keeps the host's namespaces (network, mounts, host name) alive.
hold_host() {
  local host=$1 ipv6=$2 dir=$RUN/$1 fd word=''
  exec {fd}< <(
    exec </dev/null 2>"$dir/host.log"
    close_other_files
    # setsid: Ctrl-C at a terminal is meant for the command, not for the processes of the lab.
    # shellcheck disable=SC2016  # for the inner shell
    exec setsid unshare -m -n -u -- sh -c '
      set -e
      host=$1 dir=$2 ipv6=$3
      hostname "$host" 2>/dev/null || echo "$host" >/proc/sys/kernel/hostname
      # No duplicate address detection, so that link-local addresses are usable at once.
      for which in all default; do
        conf=/proc/sys/net/ipv6/conf/$which
        [ -d $conf ] || continue
        echo 0 >$conf/accept_dad
        echo 0 >$conf/dad_transmits
        [ "$ipv6" = yes ] || echo 1 >$conf/disable_ipv6
      done
      mount -t tmpfs -o mode=755 tmpfs /run/avahi-daemon
      # For programs that ignore DBUS_SYSTEM_BUS_ADDRESS.
      mount -t tmpfs -o mode=755 tmpfs /run/dbus
      ln -s "$dir/bus" /run/dbus/system_bus_socket
      mount --bind "$dir/avahi-daemon.conf" /etc/avahi/avahi-daemon.conf
      # The host must not publish the services of the machine.
      [ ! -d /etc/avahi/services ] || mount --bind "$dir/services" /etc/avahi/services
      [ ! -e /etc/avahi/hosts ] || mount --bind "$dir/hosts" /etc/avahi/hosts
      # /sys/class/net shows the network namespace in which /sys was mounted; some kernels forbid a new mount.
      mount -t sysfs sysfs /sys 2>/dev/null || :
      ip link set lo up
      echo ready
      exec >/dev/null sleep infinity' sh "$host" "$dir" "$ipv6"
  )
  local holder=$!
  read -r -t $((LIMIT_MS / 1000)) -u "$fd" word || true
  exec {fd}<&-
  if [[ $word != ready ]]; then
    kill -KILL "$holder" 2>/dev/null || true
    die "$host: its namespaces could not be made: $(tail -n 3 "$dir/host.log")"
  fi
  echo "$holder" >"$dir/holder.pid"
}

# The bridge's end of a cable is called b<bridge>h<number>, so that rules can match b0h*.
connect_host() {
  local host=$1 number=$2 interfaces=$3 lan=$4 dir=$RUN/$1 holder k
  holder=$(<"$dir/holder.pid")
  for ((k = 0; k < interfaces; k++)); do
    echo "link add b$((lan + k))h$number master br$((lan + k)) up type veth peer name eth$k netns $holder"
  done >"$dir/ip.batch"
  ip -batch "$dir/ip.batch" || die "$host: the interfaces could not be made"
  for ((k = 0; k < interfaces; k++)); do
    echo "addr add 10.$((99 + lan + k)).$(((number - 1) / 250)).$(((number - 1) % 250 + 1))/16" \
      "brd + dev eth$k"
    echo "link set eth$k up"
  done >"$dir/ip.batch"
  # Many programs send to 224.0.0.251 without naming an interface; the route then selects one.
  echo "route add 224.0.0.0/4 dev eth0" >>"$dir/ip.batch"
  nsenter -t "$holder" -n -- ip -batch "$dir/ip.batch" || die "$host: no addresses"
  rm "$dir/ip.batch"
}

host_address() {
  local host='' interface=eth0 family=-4 dir line seen=0 argument
  for argument in "$@"; do
    case $argument in
      -6 | -4) family=$argument ;;
      *)
        case $((seen++)) in
          0) host=$argument ;;
          1) interface=$argument ;;
          *) usage_error "lab address HOST [IFACE] [-6]" ;;
        esac
        ;;
    esac
  done
  need_host "$host"
  line=$(on_host "$host" ip -o "$family" addr show dev "$interface" 2>/dev/null | head -n 1) || true
  [[ $line =~ inet6?\ ([0-9a-f.:]+) ]] || die "$host has no such address on $interface"
  echo "${BASH_REMATCH[1]}"
}
