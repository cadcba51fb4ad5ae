/// The systemd unit that runs the agent of a user (systemd.service(5), systemd.exec(5)).
struct AgentUnit: Hashable, Sendable {
    /// The name of the unit.
    static let name = "clawradar-agent.service"

    /// The path of the program.
    let program: String

    /// The text of the unit file.
    ///
    /// It has the hardening that a user's own service manager can give: what needs another namespace for files is left
    /// out, since that fails where users may not have any.
    var text: String {
        """
        [Unit]
        Description=clawradar: finds AI gateways, and keeps this device connected

        [Service]
        Type=notify
        ExecStart=\(Self.quoted(program)) agent
        Restart=on-failure
        RestartSec=1
        # Another start would fail as well: the configuration is invalid, or another agent runs.
        RestartPreventExitStatus=64 69
        WatchdogSec=20
        TimeoutStopSec=5
        UMask=0077
        LimitCORE=0
        NoNewPrivileges=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictNamespaces=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service

        [Install]
        WantedBy=default.target

        """
    }

    /// Returns a path as one word of a command line, in which nothing is replaced.
    private static func quoted(_ path: String) -> String {
        let escaped = path.flatMap { character -> [Character] in
            switch character {
            case "\\", "\"": ["\\", character]
            // Specifiers and variables of systemd.
            case "%", "$": [character, character]
            default: [character]
            }
        }
        return "\"\(String(escaped))\""
    }
}
