internal import ArgumentParser
internal import Console
internal import HostSystem
internal import SystemPackage

/// `clawradar agent install`: has systemd run the agent.
struct AgentInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Has your systemd run the agent from now on.",
        usage: "clawradar agent install [<options>]",
        discussion: """
            Writes a user unit, enables it and starts it. It runs while you are logged in; --linger keeps it running after \
            that, and starts it with the machine (loginctl enable-linger). In a terminal, it asks whether you want that. \
            The unit names the program as you call it, and has your XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME \
            where they are not the usual folders, so that the agent has the pairings and settings of your shell. A desktop \
            opens links that begin with optaplus: or oc-pair: by `clawradar open` then, which asks and does nothing else.

            --system writes a unit of the system instead, for root: it runs as the user clawradar, whose group may ask it \
            at /run/clawradar/agent.sock, with pairings and a device of its own. Its configuration is \
            /etc/clawradar/config.yaml; the key of its tokens is in \(AgentUnit.keyFile), which is made if it is missing.

            EXAMPLES:
              clawradar agent install
              clawradar agent install --linger --port 7417
              clawradar agent install --print
              sudo clawradar agent install --system

            Exit status: 0; 69 if there is no systemd that runs such services, or it refuses.
            """
    )

    @Flag(name: .customLong("system"), help: "Install it for the system, with a user of its own.")
    var isOfSystem = false

    @Flag(name: .customLong("print"), help: "Print the unit, and change nothing.")
    var prints = false

    @Flag(help: "Keep it running after you log out, and start it with the machine.")
    var linger = false

    @Option(
        help: ArgumentHelp(
            "Have it also answer at this port of 127.0.0.1: see `clawradar agent --help`. Without it, at none.",
            valueName: "port"
        )
    )
    var port: UInt16?

    func validate() throws {
        if linger, isOfSystem {
            throw ValidationError("--linger: expected without --system, whose agent always runs, found both.")
        }
        if port == 0 { throw ValidationError("--port: expected a port from 1 to 65535, found 0.") }
    }

    /// Returns the unit that runs a program.
    ///
    /// - Parameter environment: The environment of the shell, which names its folders.
    func unit(of program: String, environment: [String: String] = [:]) -> AgentUnit {
        AgentUnit(
            program: program,
            manager: isOfSystem ? .ofSystem : .ofUser,
            port: port,
            folders: isOfSystem ? [:] : ShellFolders.unusual(in: environment)
        )
    }

    func run() async throws {
        guard let program = ServiceManagerCalls.called, let target = ServiceManagerCalls.program else {
            throw CommandFailure(.unavailable, "the path of this program is not known; is /proc mounted?")
        }
        var unit = unit(of: program, environment: Environment.values(of: ShellFolders.variables))
        if prints { return try StandardOutput().write(unit.text) }
        // A link may be where a service sees it, and what it leads to not.
        guard unit.isRunnable, self.unit(of: target).isRunnable else {
            throw CommandFailure(
                .unavailable,
                "expected this program where a service of the system sees it, such as /usr/local/bin, found \(target). "
                    + "Copy it there, and run that."
            )
        }
        let manager = ServiceManagerCalls(manager: unit.manager)
        // Asked first, so that nothing is left where no unit can run.
        guard manager.systemctl("show-environment", "--quiet") == 0 else { throw AgentUnitFile.noManager(unit.manager) }
        let file = try AgentUnitFile(of: unit.manager)
        let former = try file.content(with: AgentUnit.description)
        if isOfSystem { try SystemAgentFiles().prepare() }
        // Somebody may have switched it off since.
        let isKnown = former?.contains(AgentUnit.lingering) == true && Lingering.isOn
        unit.hasLingering = if isKnown { true } else { try await setsLingering() }
        try file.write(unit.text)
        // A manager that was started without the variable does not look there, and links a file that is named by its path.
        let name = unit.folders["XDG_CONFIG_HOME"] == nil ? AgentUnit.name : file.path.string
        guard manager.systemctl("daemon-reload") == 0, manager.systemctl("enable", name) == 0,
            // One that runs already has the options of the unit before.
            manager.systemctl("restart", AgentUnit.name) == 0
        else {
            throw CommandFailure(
                .unavailable,
                "systemd has not started \(file.path); its messages are above. `clawradar agent uninstall` takes it back."
            )
        }
        if !isOfSystem { LinkHandler(program: program).install() }
        if !unit.folders.isEmpty {
            let names = unit.folders.keys.sorted().joined(separator: ", ")
            Notes.note("the agent has the folders of this shell: \(names). Install it again where they change.")
        }
        switch unit.manager {
        case .ofUser where Lingering.isOn:
            Notes.note("\(file.path) is enabled and runs, also after you log out.")
        case .ofUser:
            Notes.note("\(file.path) is enabled and runs. --linger keeps it running after you log out.")
        case .ofSystem:
            Notes.note(
                "\(file.path) is enabled and runs. `usermod --append --groups clawradar NAME` lets a user ask it."
            )
        }
    }

    /// Has this user's services run after the log-out, if that is wanted and not so already.
    ///
    /// - Returns: `true` if this has set it.
    private func setsLingering() async throws(CommandFailure) -> Bool {
        guard !isOfSystem, !Lingering.isOn else { return false }
        let question = "Keep the agent running after you log out, and start it with the machine?"
        guard linger || TerminalDialogue.isPossible else { return false }
        let isWanted = if linger { true } else { try await TerminalDialogue.confirm(question) }
        guard isWanted else { return false }
        guard ServiceManagerCalls.run(["loginctl", "enable-linger"]) == 0 else {
            Notes.warning("it ends when you log out: `loginctl enable-linger` was refused; its messages are above.")
            return false
        }
        return true
    }
}

/// `clawradar agent uninstall`: takes back what `install` did.
struct AgentUninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Has your systemd run the agent no more.",
        usage: "clawradar agent uninstall [<options>]",
        discussion: """
            Stops and disables the unit that `clawradar agent install` has written, and removes it, with the lingering \
            that it has set. Pairings stay; with --system, the user clawradar and the key of its tokens stay, too.

            EXAMPLES:
              clawradar agent uninstall
              sudo clawradar agent uninstall --system

            Exit status: 0; 1 if there is no such unit, 69 if it cannot be removed.
            """
    )

    @Flag(name: .customLong("system"), help: "Remove that of the system.")
    var isOfSystem = false

    func run() throws {
        let which = isOfSystem ? AgentUnit.Manager.ofSystem : .ofUser
        let (file, manager) = (try AgentUnitFile(of: which), ServiceManagerCalls(manager: which))
        guard let unit = try file.content(with: AgentUnit.description) else {
            throw CommandFailure(.nothingFound, "\(file.path) is not there, so that nothing has to be removed.")
        }
        let users = isOfSystem ? try SystemAgentFiles.sysusers.content(with: AgentUnit.sysusersMark) : nil
        // Where no systemd runs, nothing of it runs, and only the files are left.
        if manager.systemctl("disable", "--now", AgentUnit.name) != 0 {
            Notes.warning("systemd has not disabled it; only the file is removed.")
        }
        try file.remove()
        if !isOfSystem { LinkHandler.uninstall() }
        if users != nil { try SystemAgentFiles.sysusers.remove() }
        if unit.contains(AgentUnit.lingering), ServiceManagerCalls.run(["loginctl", "disable-linger"]) != 0 {
            Notes.warning("`loginctl disable-linger` was refused; its messages are above.")
        }
        _ = manager.systemctl("daemon-reload")
        Notes.note("\(file.path) is removed.")
    }
}
