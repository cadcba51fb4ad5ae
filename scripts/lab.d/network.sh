# shellcheck shell=bash
# Links, loss, packet counts and captures.

# mDNS packets are those sent to port 5353, and the answers sent from it to another port (one-shot queries, RFC 6762
# §6.7). The two rules never match the same packet, so that none counts twice.
MDNS_TO='meta l4proto udp udp dport 5353'
MDNS_FROM='meta l4proto udp udp sport 5353 udp dport != 5353'

need_nft() { command -v nft >/dev/null || die "needs nftables: apt-get install nftables"; }

link_set() {
  [[ $# == 3 && $3 == @(up|down) ]] || usage_error "lab link HOST IFACE down|up"
  need_host "$1"
  on_host "$1" ip link set "$2" "$3"
  # The kernel drops routes together with the link, and nothing else would restore this one.
  [[ $2 != eth0 || $3 == down ]] || on_host "$1" ip route replace 224.0.0.0/4 dev eth0
}

loss_set() {
  [[ $# == 2 && $2 =~ ^([0-9]{1,2}|100)$ ]] || usage_error "lab loss HOST PERCENT"
  local rules interface dice
  dice="numgen random mod 100 < $2"
  (($2 < 100)) || dice='' # nft refuses a comparison that always holds
  need_host "$1"
  need_nft
  rules="table netdev lab_loss
delete table netdev lab_loss"
  if (($2 > 0)); then
    # The packets are dropped where they arrive from a cable, not at "input": there the host's own multicast, which the
    # kernel loops back to it, would be dropped as well.
    rules+=$'\ntable netdev lab_loss {'
    for interface in $(on_host "$1" ip -o link show type veth | sed 's/^[0-9]*: \([^@:]*\).*/\1/'); do
      rules+="
  chain $interface {
    type filter hook ingress device $interface priority 0
    $MDNS_TO $dice drop
    $MDNS_FROM $dice drop
  }"
    done
    rules+=$'\n}'
  fi
  on_host "$1" nft -f - <<<"$rules"
}

packets_command() {
  local bridge=${2:-br0} number
  [[ ${1:-} == @(start|show|stop) && $bridge =~ ^br([0-9])$ ]] ||
    usage_error "lab packets start|show|stop [BRIDGE]"
  number=${BASH_REMATCH[1]}
  need_nft
  case $1 in
    start)
      # Where frames enter the bridge each one is seen once, however many hosts receive it.
      nft -f - <<RULES
table bridge lab_$bridge
delete table bridge lab_$bridge
table bridge lab_$bridge {
  counter mdns { }
  chain in {
    type filter hook prerouting priority 0
    iifname "b${number}h*" $MDNS_TO counter name mdns
    iifname "b${number}h*" $MDNS_FROM counter name mdns
  }
}
RULES
      ;;
    show | stop)
      local text
      text=$(nft list counter bridge "lab_$bridge" mdns 2>/dev/null) ||
        die "nothing counts on $bridge (scripts/lab packets start)"
      [[ $text =~ packets\ ([0-9]+)\ bytes\ ([0-9]+) ]]
      echo "packets=${BASH_REMATCH[1]} bytes=${BASH_REMATCH[2]}"
      [[ $1 == show ]] || nft delete table bridge "lab_$bridge"
      ;;
  esac
}

capture_command() {
  local pid
  command -v tshark >/dev/null || die "needs tshark: apt-get install tshark"
  case ${1:-} in
    stop)
      end_process "the capture" "$RUN/.capture.pid" INT
      ;;
    start)
      [[ $# == 2 ]] || usage_error "lab capture start FILE"
      ! running_pid "$RUN/.capture.pid" >/dev/null || die "a capture runs already"
      : >"$2"
      (
        close_other_files
        exec setsid env --default-signal=INT tshark -Q -i br0 -f 'udp port 5353' -w "$2"
      ) </dev/null >"$RUN/.capture.log" 2>&1 &
      pid=$!
      echo "$pid" >"$RUN/.capture.pid"
      wait_until "$LIMIT_MS" capture_began "$pid" "$2" || true
      [[ -s $2 ]] || die "the capture did not start: $(tail -n 3 "$RUN/.capture.log")"
      ;;
    '') usage_error "lab capture FILE [SECONDS] | start FILE | stop" ;;
    *)
      exec tshark -Q -i br0 -f 'udp port 5353' ${2:+-a "duration:$2"} -w "$1"
      ;;
  esac
}

# The file's header is written once the capture is running.
capture_began() { [[ -s $2 ]] || gone "$1"; }
