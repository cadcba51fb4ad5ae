# shellcheck shell=bash
# The life of the package in a Debian without anything: installed, used, installed again, removed, purged. Read by the
# bash of that Debian (see scripts/package).
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
say() { printf 'package: %s\n' "$*" >&2; }
apt-get update -qq
find / -xdev \( -path /proc -o -path /dev -o -path /var -o -path /root -o -path /tmp \) -prune -o -print | sort >/tmp/before

say "install"
apt-get install -y -qq --no-install-recommends /root/clawradar.deb >/tmp/install.log 2>&1 || { cat /tmp/install.log && exit 1; }
clawradar --version
[[ $(stat -c '%a %U' /etc/credstore/clawradar-key) == "600 root" ]]
getent passwd clawradar
key=$(cat /etc/credstore/clawradar-key)

say "the agent, as its unit starts it"
read -ra start < <(sed -n 's/^ExecStart=//p' /usr/lib/systemd/user/clawradar-agent.service | tr -d '"')
export XDG_RUNTIME_DIR=/run/user/0
mkdir -p "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
"${start[@]}" 2>/tmp/agent.log &
agent=$!
for ((try = 0; try < 100; try++)); do
  if clawradar agent status >/tmp/status 2>&1; then break; fi
  sleep 0.1
done
clawradar agent status >/tmp/status 2>&1 || { cat /tmp/status /tmp/agent.log && exit 1; }
cat /tmp/status
kill "$agent"
wait "$agent" || true

say "install again"
find /root/.local -type f -exec sha256sum {} + | grep -v -e -wal -e -shm >/tmp/store.before
apt-get install -y -qq --reinstall /root/clawradar.deb >/tmp/install.log 2>&1 || { cat /tmp/install.log && exit 1; }
sha256sum --quiet -c /tmp/store.before
[[ $(cat /etc/credstore/clawradar-key) == "$key" ]]

say "remove and purge"
apt-get purge -y -qq clawradar >/tmp/purge.log 2>&1 || { cat /tmp/purge.log && exit 1; }
apt-get autoremove -y -qq --purge >/tmp/purge.log 2>&1
find / -xdev \( -path /proc -o -path /dev -o -path /var -o -path /root -o -path /tmp \) -prune -o -print | sort >/tmp/after
left=$(comm -13 /tmp/before /tmp/after | grep clawradar || true)
[[ -z $left ]] || { say "left behind: $left" && exit 1; }
[[ ! -e /var/lib/clawradar ]]
# What the user has made stays.
sha256sum --quiet -c /tmp/store.before
say "nothing is left of the package, and everything of the user"
