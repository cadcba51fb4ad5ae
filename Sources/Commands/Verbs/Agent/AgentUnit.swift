/// The systemd unit that runs an agent (systemd.service(5), systemd.exec(5)).
struct AgentUnit: Hashable, Sendable {
    /// The service manager that runs the unit.
    enum Manager: Hashable, Sendable {
        /// That of a user.
        case ofUser

        /// That of the system, as a user of its own.
        case ofSystem
    }

    /// The name of the unit.
    static let name = "clawradar-agent.service"

    /// The user, the group and the folders of the agent of the system.
    static let user = "clawradar"

    /// The path of the file with the key that opens the tokens, for the agent of the system: only root can read it, and the
    /// service manager hands it on.
    static let keyFile = "/etc/credstore/clawradar-key"

    /// The line of sysusers.d(5) that makes the user and the group of the agent of the system.
    static let sysusers = "u \(user) - \(sysusersMark) /var/lib/\(user) -\n"

    /// The name in that line, by which a file is known as the one with it.
    static let sysusersMark = "\"clawradar agent\""

    /// The folders that the agent of the system does not see.
    private static let hidden = ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"]

    /// The path of the program.
    let program: String

    var manager = Manager.ofUser

    /// The port of 127.0.0.1 at which it also answers; `nil` for none.
    var port: UInt16?

    /// The folders of the shell that are not the usual ones, by their variables: without them, the agent of a user would have
    /// other pairings and settings than the verbs.
    var folders: [String: String] = [:]

    /// Indicates whether lingering was set together with the unit, so that it goes with it.
    var hasLingering = false

    /// The line that says so. systemd ignores such settings.
    static let lingering = "X-Clawradar-Lingering=yes\n"

    /// The beginning of the description, by which a file is known as one of these units.
    static let description = "Description=clawradar: finds AI gateways"

    /// The arguments of the program.
    private var arguments: String {
        "agent" + (manager == .ofSystem ? " --shared" : "") + (port.map { " --port \($0)" } ?? "")
    }

    /// Indicates whether the service can run the program where it is.
    var isRunnable: Bool { manager == .ofUser || !Self.hidden.contains { program.hasPrefix($0) } }

    /// The text of the unit file.
    var text: String {
        switch manager {
        case .ofUser: text(of: "this device", after: "", userSettings, for: "default.target")
        case .ofSystem:
            text(
                of: "this host",
                after: "After=network.target dbus.service avahi-daemon.service\n",
                Self.systemSettings,
                for: "multi-user.target"
            )
        }
    }

    private func text(of what: String, after: String, _ settings: String, for target: String) -> String {
        """
        [Unit]
        \(Self.description), and keeps \(what) connected
        \(hasLingering ? Self.lingering : "")\(after)
        [Service]
        Type=notify
        ExecStart=\(Self.quoted(program)) \(arguments)
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
        \(settings)
        [Install]
        WantedBy=\(target)

        """
    }

    /// The hardening that only some service managers of users can give is left out: what needs another namespace for files
    /// fails where users may not have any.
    private var userSettings: String {
        let lines = folders.sorted { $0.key < $1.key }.map { name, path in
            "Environment=\(Self.quoted("\(name)=\(path)", replaced: ["%"]))\n"
        }
        return lines.isEmpty ? "" : "# As in the shell in which it was installed.\n" + lines.joined()
    }

    /// A user of its own, whose group may ask the agent at its socket; and no more of the system than it needs.
    private static let systemSettings = """
        SystemCallFilter=~@privileged @resources
        SystemCallErrorNumber=EPERM
        User=\(user)
        Group=\(user)
        # The configuration is /etc/clawradar/config.yaml.
        Environment=XDG_CONFIG_HOME=/etc
        LoadCredential=clawradar-key:\(keyFile)
        StateDirectory=\(user)
        StateDirectoryMode=0700
        RuntimeDirectory=\(user)
        RuntimeDirectoryMode=0750
        CapabilityBoundingSet=
        AmbientCapabilities=
        PrivateDevices=yes
        PrivateMounts=yes
        PrivateTmp=yes
        PrivateUsers=yes
        ProcSubset=pid
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHome=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectProc=invisible
        ProtectSystem=strict
        RemoveIPC=yes

        """

    /// Returns a text as one word of a line, in which nothing is replaced.
    ///
    /// - Parameter replaced: The beginnings of what systemd replaces there: of specifiers, and in command lines of variables.
    private static func quoted(_ path: String, replaced: Set<Unicode.Scalar> = ["%", "$"]) -> String {
        var escaped = String.UnicodeScalarView()
        // systemd reads bytes: a mark that combines with a quotation mark does not hide it.
        for scalar in path.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped.append(contentsOf: ["\\", scalar])
            case _ where replaced.contains(scalar): escaped.append(contentsOf: [scalar, scalar])
            // A line feed would end the line of the unit file.
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return "\"\(String(escaped))\""
    }
}
