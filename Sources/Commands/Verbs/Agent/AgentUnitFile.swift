internal import Console
internal import SystemPackage

/// A file that the service manager reads, such as that of the agent's unit.
struct AgentUnitFile: Hashable, Sendable {
    let path: FilePath

    /// Makes the failure where no service manager runs.
    static func noManager(_ manager: AgentUnit.Manager) -> CommandFailure {
        let who = manager == .ofUser ? "this user" : "the system"
        return CommandFailure(
            .unavailable,
            "there is no systemd that runs services for \(who). Run `clawradar agent` by whatever starts your programs: it "
                + "stays in the foreground, and SIGTERM ends it."
        )
    }

    init(path: FilePath) {
        self.path = path
    }

    /// Locates the unit: `$XDG_CONFIG_HOME/systemd/user`, or in `~/.config` where that variable is not set; that of the
    /// system in `/etc/systemd/system`.
    init(of manager: AgentUnit.Manager) throws(CommandFailure) {
        let folder: FilePath
        let environment = Environment.values(of: ["XDG_CONFIG_HOME", "HOME"])
        if manager == .ofSystem {
            folder = "/etc/systemd/system"
        } else if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            folder = FilePath(base).appending("systemd/user")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            folder = FilePath(home).appending(".config/systemd/user")
        } else {
            throw CommandFailure(.unavailable, "expected HOME or XDG_CONFIG_HOME in the environment, found neither")
        }
        path = folder.appending(AgentUnit.name)
    }

    /// The maximum size of such a file, in bytes.
    private static let limit = 65_536

    /// Returns what stands in the file; `nil` if there is none.
    ///
    /// - Parameter mark: What stands in each file that this program writes there.
    /// - Throws: A failure if it is another one, which somebody else has written.
    func content(with mark: String) throws(CommandFailure) -> String? {
        var bytes: [UInt8] = []
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            try file.closeAfter {
                bytes = try [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch {
            throw CommandFailure(.unavailable, "\(path) cannot be read: \(error)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains(mark) else {
            throw CommandFailure(
                .unavailable,
                "\(path): expected a file that this command has written, found another. Move it away, or keep it."
            )
        }
        return text
    }

    func write(_ text: String) throws(CommandFailure) {
        do {
            try SystemCalls.makeFolders(path.removingLastComponent())
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
            try file.closeAfter { _ = try file.writeAll(text.utf8) }
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
