# shellcheck shell=bash
# The life of the package in a Debian without anything, beside a host with a gateway: installed, used, upgraded, downgraded in
# vain, removed, purged. A unit of the container runs it (see scripts/package); its status goes to life.status.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root TERM=dumb
trap 'echo $? >/root/life.status' EXIT
say() { printf 'package: %s\n' "$*"; }
fail() { say "$*" && exit 1; }

# all_files — everything but what the machine itself keeps.
all_files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /home \
    -o -path /var/log -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/lib/systemd \) \
    -prune -o -print | sort
}

# apt CMD… — apt-get, with what was fetched before: there is no network.
apt() { apt-get -y -qq "$@" >/root/apt.log 2>&1 || { cat /root/apt.log && fail "apt-get $*"; }; }

# newcomer CMD… — runs a command as the user.
newcomer() {
  runuser -u newcomer -- env HOME=/home/newcomer XDG_RUNTIME_DIR=/run/user/1000 \
    DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus "$@"
}

until_true() {
  local try
  for ((try = 0; try < 200; try++)); do
    if "$@" >/root/last.log 2>&1; then return; fi
    sleep 0.1
  done
  cat /root/last.log
  fail "not within 20 s: $*"
}

pairing() { newcomer clawradar pairings --format json | grep -o '"id":"[^"]*"' | head -n 1; }
started() { systemctl show --value -p ExecMainStartTimestampMonotonic clawradar-agent; }
started_of_newcomer() { newcomer systemctl --user show --value -p ExecMainStartTimestampMonotonic clawradar-agent; }
starts() { journalctl -q -b -o cat _PID=1 + _UID=1000 | grep -c 'Started clawradar-agent.service' || true; }
store() { find /home/newcomer/.local/share/clawradar -name '*.sqlite' | sort | xargs sha256sum; }

until_true systemctl is-active -q dbus
useradd --create-home --uid 1000 newcomer
loginctl enable-linger newcomer
all_files >/root/before

say "install the version before"
apt install /root/earlier.deb
dpkg-query -W clawradar
clawradar --version
[[ $(stat -c '%a %U' /etc/credstore/clawradar-key) == "600 root" ]] || fail "the key is open"
getent passwd clawradar
key=$(</etc/credstore/clawradar-key)
# shellcheck disable=SC1091  # it is in the package
(source /usr/share/bash-completion/completions/clawradar && complete -p clawradar >/dev/null)

say "a user looks and pairs"
newcomer clawradar scan
newcomer clawradar pair "Packaged Gateway" --yes
until_true newcomer systemctl --user daemon-reload
newcomer systemctl --user enable --now clawradar-agent
until_true newcomer clawradar agent status
connected() { newcomer clawradar status | grep -q connected; }
until_true connected
newcomer clawradar status
paired=$(pairing)
[[ -n $paired ]] || fail "nothing is paired"

say "the agent of the system"
systemctl enable --now clawradar-agent
systemctl is-active clawradar-agent
[[ $(stat -c '%a %U %G' /run/clawradar/agent.sock) =~ ^6[06]0\ clawradar\ clawradar$ ]] ||
  fail "the socket: $(stat -c '%a %U %G' /run/clawradar/agent.sock)"
systemctl show --value -p NRestarts clawradar-agent

say "upgrade: each agent that runs is started again, once, and nothing is lost"
before=$(starts) system=$(started) user=$(started_of_newcomer)
apt install /root/clawradar.deb
dpkg-query -W clawradar
systemctl is-active clawradar-agent
until_true newcomer clawradar agent status
[[ $(started) != "$system" ]] || fail "the agent of the system is the old one"
[[ $(started_of_newcomer) != "$user" ]] || fail "the agent of the user is the old one"
[[ $(starts) == $((before + 2)) ]] || fail "$before starts before, $(starts) after"
[[ $(pairing) == "$paired" ]] || fail "the pairing is another one"
[[ $(</etc/credstore/clawradar-key) == "$key" ]] || fail "the key is another one"
until_true connected

say "a downgrade is refused before anything is touched"
system=$(started)
if apt-get -y -qq install --allow-downgrades /root/earlier.deb >/root/apt.log 2>&1; then
  fail "it was not refused"
fi
grep 'clawradar: ' /root/apt.log
[[ $(dpkg-query -W -f '${Version} ${db:Status-Status}' clawradar) != *0.0.9* ]] || fail "it is the earlier version"
[[ $(dpkg-query -W -f '${db:Status-Status}' clawradar) == installed ]] || fail "dpkg is left half-way"
[[ $(started) == "$system" && $(pairing) == "$paired" ]] || fail "it has touched something"

say "a store of a later version is refused as well, and stays as it is"
newcomer systemctl --user stop clawradar-agent
apt install --no-install-recommends sqlite3
cp -a /home/newcomer /home/later
for file in /home/later/.local/share/clawradar/*.sqlite; do
  sqlite3 "$file" "INSERT INTO grdb_migrations VALUES ('99 from later')"
done
find /home/later -name '*.sqlite' | sort | xargs sha256sum >/root/later
# later CMD… — runs a command with the later store.
later() { newcomer env HOME=/home/later "$@"; }
status=0
later clawradar pairings || status=$?
[[ $status == 69 ]] || fail "the status for the store is $status"
status=0
later clawradar history || status=$?
[[ $status == 69 ]] || fail "the status for the history is $status"
sha256sum --quiet -c /root/later
apt purge sqlite3

say "agent install and the package say the same"
newcomer systemctl --user disable clawradar-agent
newcomer clawradar agent install
diff /home/newcomer/.local/share/applications/clawradar-link.desktop /usr/share/applications/clawradar-link.desktop
diff /home/newcomer/.config/systemd/user/clawradar-agent.service /usr/lib/systemd/user/clawradar-agent.service
newcomer clawradar agent uninstall
newcomer systemctl --user start clawradar-agent

say "remove: agents end, and what was made stays"
pairings=$(newcomer clawradar pairings)
apt remove clawradar
[[ -d /var/lib/clawradar && -e /etc/credstore/clawradar-key ]] || fail "it has removed what is not the package's"
none_runs() { ! grep -qx clawradar /proc/[0-9]*/comm; }
until_true none_runs
store >/root/store

say "purge: only users' own is left"
apt purge clawradar
apt autoremove --purge
all_files >/root/after
left=$(comm -13 /root/before /root/after)
[[ -z $left ]] || say "left behind: $left"
[[ $left != *clawradar* ]] || fail "something of it is left"
sha256sum --quiet -c /root/store
# The user still has it all.
apt install /root/clawradar.deb
[[ $(newcomer clawradar pairings) == "$pairings" ]] || fail "the pairings are others"
say "nothing is left of the package, and everything of the user"
