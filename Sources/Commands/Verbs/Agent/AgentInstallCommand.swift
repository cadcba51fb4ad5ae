internal import ArgumentParser
internal import SystemPackage

/// `clawradar agent install`: has the user's systemd run the agent.
struct AgentInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Has your systemd run the agent from now on.",
        usage: "clawradar agent install [<options>]",
        discussion: """
            Writes a user unit, enables it and starts it. It runs while you are logged in; `loginctl enable-linger` keeps \
            it running after that, and starts it with the machine.

            EXAMPLES:
              clawradar agent install
              clawradar agent install --print

            Exit status: 0; 69 if there is no systemd that runs services for users, or it refuses.
            """
    )

    @Flag(name: .customLong("print"), help: "Print the unit, and change nothing.")
    var prints = false

    func run() throws {
        guard let program = ServiceManagerCalls.program else {
            throw CommandFailure(.unavailable, "the path of this program is not known; is /proc mounted?")
        }
        let unit = AgentUnit(program: program)
        if prints { return try StandardOutput().write(unit.text) }
        // Asked first, so that nothing is left where no unit can run.
        guard ServiceManagerCalls.systemctl("show-environment", "--quiet") == 0 else { throw AgentUnitFile.noManager }
        let file = try AgentUnitFile.ofThisUser()
        try file.write(unit)
        guard ServiceManagerCalls.systemctl("daemon-reload") == 0,
            ServiceManagerCalls.systemctl("enable", "--now", AgentUnit.name) == 0
        else { throw CommandFailure(.unavailable, "systemd has not started \(file.path); its messages are above.") }
        Notes.note("\(file.path) is enabled and runs. `loginctl enable-linger` keeps it running after you log out.")
    }
}

/// `clawradar agent uninstall`: takes back what `install` did.
struct AgentUninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Has your systemd run the agent no more.",
        usage: "clawradar agent uninstall",
        discussion: """
            Stops and disables the unit that `clawradar agent install` has written, and removes it. Pairings stay, and so \
            does lingering.

            EXAMPLES:
              clawradar agent uninstall

            Exit status: 0; 1 if there is no such unit, 69 if it cannot be removed.
            """
    )

    func run() throws {
        let file = try AgentUnitFile.ofThisUser()
        guard file.exists else {
            throw CommandFailure(.nothingFound, "\(file.path) is not there, so that nothing has to be removed.")
        }
        // Where no systemd runs, nothing of it runs, and only the files are left.
        if ServiceManagerCalls.systemctl("disable", "--now", AgentUnit.name) != 0 {
            Notes.warning("systemd has not disabled it; only the file is removed.")
        }
        try file.remove()
        _ = ServiceManagerCalls.systemctl("daemon-reload")
        Notes.note("\(file.path) is removed.")
    }
}

/// The file of the agent's unit.
struct AgentUnitFile: Hashable, Sendable {
    let path: FilePath

    static let noManager = CommandFailure(
        .unavailable,
        "there is no systemd that runs services for this user. Run `clawradar agent` by whatever starts your programs: it "
            + "stays in the foreground, and SIGTERM ends it."
    )

    /// Locates the file: `$XDG_CONFIG_HOME/systemd/user`, or in `~/.config` where that variable is not set.
    static func ofThisUser() throws(CommandFailure) -> AgentUnitFile {
        let environment = Environment.values(of: ["XDG_CONFIG_HOME", "HOME"])
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            return AgentUnitFile(path: FilePath(base).appending("systemd/user").appending(AgentUnit.name))
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw CommandFailure(.unavailable, "expected HOME or XDG_CONFIG_HOME in the environment, found neither")
        }
        return AgentUnitFile(path: FilePath(home).appending(".config/systemd/user").appending(AgentUnit.name))
    }

    var exists: Bool { (try? FileDescriptor.open(path, .readOnly).close()) != nil }

    func write(_ unit: AgentUnit) throws(CommandFailure) {
        do {
            try SystemCalls.makeFolders(path.removingLastComponent())
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
            try file.closeAfter { _ = try file.writeAll(unit.text.utf8) }
        } catch {
            throw CommandFailure(.unavailable, "\(path) cannot be written: \(error)")
        }
    }

    func remove() throws(CommandFailure) {
        do throws(Errno) {
            try SystemCalls.remove(path)
        } catch {
            throw CommandFailure(.unavailable, "\(path) cannot be removed: \(error)")
        }
    }
}
