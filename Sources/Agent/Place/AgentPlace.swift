public import DNSSD
internal import Glibc
internal import HostSystem
package import Pairing
internal import SystemPackage

/// The folder of a user's ``Agent``, with its socket and its lock.
package struct AgentPlace: Hashable, Sendable {
    /// The environment variables that determine the place.
    package static let variables = ["XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY"]

    /// The path of the folder.
    package let folder: String

    /// Indicates whether the group of the folder may ask the agent.
    package let isShared: Bool

    /// The path of the Unix socket at which the agent is asked.
    package var socket: String { "\(folder)/agent.sock" }

    /// The path of the file that the one agent with this socket has locked.
    private var lock: String { "\(folder)/agent.lock" }

    /// The longest path of a socket, in bytes; whatever listens there takes one more, by which it has another name at first.
    static let longestSocket = 102

    /// The text by which others who find a lock taken know who has it, and where to ask. The store may be on a file system
    /// that several hosts share, so that the host stands there, too.
    var note: String {
        let host = SystemHostName.label.map { " on \($0)" } ?? ""
        return "\(FileLock.process) clawradar agent\(host)\n\(socket)\n"
    }

    /// The path of the file that the one agent with a store has locked.
    static func lock(beside store: StoreLocation) -> FilePath {
        FilePath(store.folder).appending("agent.lock")
    }

    /// Returns the path of the socket at which the agent that has a store answers, wherever that is; `nil` if none has it, or
    /// it could not leave word.
    package static func socket(ofAgentWith store: StoreLocation) -> String? {
        let lines = FileLock.holdersNote(lock(beside: store))?.split(separator: "\n", maxSplits: 1)
        guard let path = lines?.dropFirst().first?.dropLast(), path.hasPrefix("/") else { return nil }
        return String(path)
    }

    /// Makes the place in a folder; by default, in one of its user alone.
    package init(folder: String, isShared: Bool = false) {
        self.folder = folder
        self.isShared = isShared
    }

    /// Locates the place: `$XDG_RUNTIME_DIR/clawradar` of a user; where that is not set, `$RUNTIME_DIRECTORY` of a service of
    /// the system; else the folder that the variable would name, if there is one; and else a folder of this user in `/tmp`.
    /// Nobody else may ask there, whatever the environment says.
    ///
    /// - Parameter environment: Those of the ``variables`` that are set.
    package init(environment: [String: String]) {
        self.init(environment: environment, usersFolder: "/run/user", lasts: Lingering.isOn)
    }

    /// - Parameters:
    ///   - usersFolder: The folder in which systemd makes one for each user that is logged in. cron, `su` and some ways through
    ///     ssh do not set the variable: programs that they start find the user's agent nevertheless.
    ///   - lasts: Indicates whether that folder stays when the user logs out.
    init(environment: [String: String], usersFolder: String, lasts: Bool) {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            self.init(folder: "\(runtime)/clawradar")
        } else if let runtime = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first, runtime.hasPrefix("/") {
            self.init(folder: String(runtime))
        } else if let folder = Self.folder(of: "\(usersFolder)/\(geteuid())", lasts: lasts) {
            self.init(folder: folder)
        } else {
            self.init(folder: "/tmp/clawradar-\(geteuid())")
        }
    }

    /// Returns the place in the folder of a user who is logged in: if it stays, or an agent is there.
    private static func folder(of users: String, lasts: Bool) -> String? {
        let folder = "\(users)/clawradar"
        guard isPrivate(users), lasts || access("\(folder)/agent.sock", F_OK) == 0 else { return nil }
        return folder
    }

    /// Indicates whether a path leads to a folder of this user alone.
    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }

    /// Makes it a place whose group may ask, too.
    package var shared: AgentPlace { AgentPlace(folder: folder, isShared: true) }

    /// Makes the folder, for its owner alone, and takes the right to be the only agent with this socket. A folder that is shared
    /// is there before: a service manager has made it.
    ///
    /// - Throws: ``AgentError`` `alreadyRuns` if another one runs, or `noPlace` if the folder cannot be used.
    func take() throws(AgentError) -> FileLock {
        let length = socket.utf8.count
        guard length <= Self.longestSocket else {
            throw AgentError(
                .noPlace,
                "the agent has no place for its socket: expected a path of at most \(Self.longestSocket) bytes, found one of "
                    + "\(length): \(socket). Have XDG_RUNTIME_DIR name a folder with a shorter path."
            )
        }
        let attempt: FileLock.Attempt
        do throws(SafeFileError) {
            if isShared {
                try SharedFolder(path: FilePath(folder)).check()
            } else {
                try PrivateFolder(path: FilePath(folder)).prepareWithParents()
            }
            attempt = try FileLock.attempt(FilePath(lock), note: note)
        } catch {
            // A unit of before --shared has such a folder.
            let hint =
                isShared || error.code != .openToOthers
                ? "" : " Or let its group ask, by --shared: `clawradar agent install --system` writes such a unit."
            throw AgentError(.noPlace, "the agent has no place for its socket: \(error.description)\(hint)")
        }
        switch attempt {
        case .acquired(let lock): return lock
        case .held(let note): throw AgentError.alreadyRuns(note: note)
        }
    }
}

/// The reason why an ``Agent`` does not run.
public struct AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason.
    public let code: ErrorCode<AgentError>

    /// The reason, for people.
    public let description: String

    init(_ code: ErrorCode<AgentError>, _ description: String) {
        self.code = code
        self.description = description
    }

    /// - Parameter note: The note of the other agent; `nil` if it could leave none.
    static func alreadyRuns(note: String?, on own: String? = SystemHostName.label) -> AgentError {
        let line = note?.split(separator: "\n").first ?? ""
        let process = line.split(separator: " ").first.flatMap { Int32($0) }
        let host = line.split(separator: " on ", maxSplits: 1).dropFirst().first.map(String.init)
        let other = host.flatMap { $0 == own ? nil : DisplayText($0, limit: 64).text }
        let who = process.map { process in " (process \(process)\(other.map { " on the host \($0)" } ?? ""))" } ?? ""
        let place = other.map { ", on \($0)," } ?? ""
        return AgentError(
            .alreadyRuns,
            "another agent of this user runs already\(who). `clawradar agent status`\(place) shows what it does."
        )
    }
}

/// The codes of the errors.
extension ErrorCode<AgentError> {
    /// Another agent of this user runs.
    public static var alreadyRuns: Self { Self() }

    /// The folder of the socket cannot be used.
    public static var noPlace: Self { Self() }
}
