# shellcheck shell=bash
# A host's avahi-daemon, its system bus and its settings.

# Prints Debian 12's avahi-daemon.conf with the name of a host. The settings that are commented out there have the
# program's defaults: cache-entries-max 4096, objects-per-client-max 1024, clients-max 4096, entries-per-entry-group-max
# 32.
avahi_defaults() {
  cat <<CONF
[server]
host-name=$1
use-ipv4=yes
use-ipv6=yes
enable-dbus=yes
ratelimit-interval-usec=1000000
ratelimit-burst=1000

[wide-area]
enable-wide-area=yes

[publish]
publish-hinfo=no
publish-workstation=no

[reflector]

[rlimits]
CONF
}

# There is no <limit> on purpose: a bus of type "system" then has the built-in limits of a stock system bus (128 pending
# replies and 512 match rules per connection, 256 connections per user). The policy is wider than the stock one, which
# has a file for each service.
bus_settings() {
  cat <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$RUN/$1/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_type="method_return"/>
    <allow send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
CONF
}

failed_to_start() {
  local log=$RUN/$1/$3
  warn "$1: $2; the end of $log:"
  tail -n 8 "$log" >&2 || true
  exit 1
}

## The system bus

bus_start() {
  local host=$1 dir=$RUN/$1 fd address='' pid
  ! running_pid "$dir/bus.pid" >/dev/null || return 0
  rm -f "$dir/bus"
  # The bus prints its address once it listens, so that nobody has to poll.
  exec {fd}< <(
    exec </dev/null 2>>"$dir/dbus.log"
    close_other_files
    exec setsid nsenter -t "$(<"$dir/holder.pid")" -m -n -u -- \
      dbus-daemon --config-file="$dir/bus.conf" --nofork --nopidfile --print-address
  )
  pid=$!
  echo "$pid" >"$dir/bus.pid"
  read -r -t $((LIMIT_MS / 1000)) -u "$fd" address || true
  exec {fd}<&-
  [[ -n $address ]] || failed_to_start "$host" "its system bus did not start" dbus.log
}

bus_status() {
  if running_pid "$RUN/$1/bus.pid" >/dev/null; then echo running; else echo stopped; return 3; fi
}

bus_command() {
  local dir
  [[ $# == 2 ]] || usage_error "lab bus HOST start|stop|status"
  need_host "$1"
  case $2 in
    start) bus_start "$1" ;;
    stop)
      end_process "$1's system bus" "$dir/bus.pid" TERM
      rm -f "$dir/bus"
      ;;
    status) bus_status "$1" ;;
    *) usage_error "lab bus HOST start|stop|status" ;;
  esac
}

## avahi-daemon

# Prints the server's state: 0 invalid, 1 registering, 2 running, 3 collision, 4 failure.
daemon_state() {
  local answer
  answer=$(dbus-send --bus="unix:path=$RUN/$1/bus" --reply-timeout=1000 --print-reply=literal \
    --dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetState 2>/dev/null) || return 1
  echo "${answer##* }"
}

daemon_answers() {
  # A process that has already ended needs no more waiting: the caller distinguishes the two cases.
  alive "$2" || return 0
  if [[ $3 == yes ]]; then
    daemon_state "$1" >/dev/null
  else
    [[ -S /proc/$(<"$RUN/$1/holder.pid")/root/run/avahi-daemon/socket ]]
  fi
}

daemon_settled() {
  [[ $(daemon_state "$1") == 2 ]] || ! running_pid "$RUN/$1/avahi.pid" >/dev/null
}

daemon_settle() {
  wait_until "$LIMIT_MS" daemon_settled "$1" ||
    failed_to_start "$1" "its avahi-daemon did not claim a host name" avahi.log
  running_pid "$RUN/$1/avahi.pid" >/dev/null ||
    failed_to_start "$1" "its avahi-daemon does not run" avahi.log
}

daemon_start() {
  local host=$1 dir=$RUN/$1 pid bus=yes
  ! running_pid "$dir/avahi.pid" >/dev/null || return 0
  ! grep -q '^enable-dbus=no' "$dir/avahi-daemon.conf" || bus=no
  (
    close_other_files
    export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$dir/bus
    exec setsid nsenter -t "$(<"$dir/holder.pid")" -m -n -u -- avahi-daemon \
      -f /etc/avahi/avahi-daemon.conf --no-chroot --no-drop-root --no-rlimits
  ) </dev/null >>"$dir/avahi.log" 2>&1 &
  pid=$!
  echo "$pid" >"$dir/avahi.pid"
  wait_until "$LIMIT_MS" daemon_answers "$host" "$pid" "$bus" ||
    failed_to_start "$host" "its avahi-daemon does not answer" avahi.log
  alive "$pid" || failed_to_start "$host" "its avahi-daemon ended" avahi.log
}

daemon_status() {
  local pid
  pid=$(running_pid "$RUN/$1/avahi.pid") || { echo stopped; return 3; }
  if [[ $(process_state "$pid") == [Tt] ]]; then echo frozen; else echo running; fi
}

daemon_signal() {
  local pid
  pid=$(running_pid "$RUN/$1/avahi.pid") || die "$1: its avahi-daemon does not run"
  kill "-$2" "$pid"
}

daemon_frozen() { [[ $(daemon_status "$1") == frozen ]]; }
daemon_thawed() { [[ $(daemon_status "$1") != frozen ]]; }

daemon_command() {
  local dir name="${1:-}'s avahi-daemon"
  [[ $# == 2 ]] || usage_error "lab daemon HOST start|stop|restart|reload|kill|freeze|thaw|status|settle"
  need_host "$1"
  case $2 in
    start) daemon_start "$1" ;;
    stop) end_process "$name" "$dir/avahi.pid" TERM ;;
    restart)
      end_process "$name" "$dir/avahi.pid" TERM
      daemon_start "$1"
      ;;
    kill) end_process "$name" "$dir/avahi.pid" KILL ;;
    reload) daemon_signal "$1" HUP ;;
    # The state changes a moment after the signal: wait until it has.
    freeze) daemon_signal "$1" STOP; wait_until "$LIMIT_MS" daemon_frozen "$1" ;;
    thaw) daemon_signal "$1" CONT; wait_until "$LIMIT_MS" daemon_thawed "$1" ;;
    settle) daemon_settle "$1" ;;
    status) daemon_status "$1" ;;
    *) usage_error "lab daemon HOST start|stop|restart|reload|kill|freeze|thaw|status|settle" ;;
  esac
}

## avahi-daemon.conf

section_of() {
  case $1 in
    host-name | domain-name | browse-domains | use-ipv4 | use-ipv6 | allow-interfaces | \
      deny-interfaces | check-response-ttl | use-iff-running | enable-dbus | \
      disallow-other-stacks | allow-point-to-point | cache-entries-max | clients-max | \
      objects-per-client-max | entries-per-entry-group-max | ratelimit-interval-usec | \
      ratelimit-burst | host-name-from-machine-id) echo server ;;
    enable-wide-area) echo wide-area ;;
    disable-publishing | disable-user-service-publishing | add-service-cookie | publish-* ) \
      echo publish ;;
    enable-reflector | reflect-ipv | reflect-filters) echo reflector ;;
    rlimit-*) echo rlimits ;;
    *) return 1 ;;
  esac
}

# change_settings FILE KEY=VALUE… — changes settings. The file is rewritten in place, because it is mounted in hosts,
# and a mount follows the file, not its name.
change_settings() {
  local file=$1 setting section text
  shift
  for setting in "$@"; do
    [[ $setting == ?*=* && $setting != *$'\n'* ]] || usage_error "lab config HOST KEY=VALUE…"
    section=$(section_of "${setting%%=*}") || die "avahi-daemon.conf has no key '${setting%%=*}'"
    text=$(SETTING=$setting awk -v section="[$section]" -v key="${setting%%=*}=" '
      index($0, key) == 1 { next }
      { print }
      $0 == section { print ENVIRON["SETTING"] }' "$file")
    printf '%s\n' "$text" >"$file"
  done
}

host_config() {
  local dir
  [[ $# -ge 2 ]] || usage_error "lab config HOST KEY=VALUE…"
  need_host "$1"
  shift
  change_settings "$dir/avahi-daemon.conf" "$@"
}
