internal import HostSystem
internal import SystemPackage

/// The token with which a program may read what an agent knows, at the port of the agent; in a file that only its user can
/// read.
///
/// The file is read at each request, so that another token, or none, is in force at once.
package struct ReadToken: Hashable, Sendable {
    /// The environment variables that determine the place of the file.
    package static let variables = ["STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"]

    /// The number of random bytes in a token.
    private static let length = 32

    /// The path of the file.
    package let path: String

    /// Makes the token in a file.
    package init(path: String) {
        self.path = path
    }

    /// Locates the file: in `$STATE_DIRECTORY/agent` of a service, else in `$XDG_STATE_HOME/clawradar` or
    /// `~/.local/state/clawradar`; `nil` if the environment names none of them.
    package init?(environment: [String: String]) {
        guard let folder = StateFolder.path(environment: environment) else { return nil }
        self.init(path: folder.appending("agent-read.token").string)
    }

    /// Makes a new token, and stores it in place of the one before it, which is worth nothing from then on.
    package func make() throws(ReadTokenError) {
        do throws(SafeFileError) {
            try PrivateFolder(path: file.folder).prepareWithParents()
            try file.write(RandomSecret.digits(bytes: Self.length) + [UInt8(ascii: "\n")])
        } catch {
            throw ReadTokenError(description: "the token cannot be stored: \(error.description)")
        }
    }

    /// Indicates whether somebody has given this token. There may be none.
    package func matches(_ given: some Collection<UInt8>) throws(ReadTokenError) -> Bool {
        let bytes: [UInt8]?
        do throws(SafeFileError) {
            bytes = try file.read(limit: 2 * Self.length + 1)
        } catch {
            throw ReadTokenError(description: "the token cannot be read: \(error.description)")
        }
        let token = bytes?.filter { $0 != UInt8(ascii: "\n") } ?? []
        return token.count == 2 * Self.length && RandomSecret.matches(given, token)
    }

    private var file: SafeFile { SafeFile(path: FilePath(path)) }
}

/// The reason why a token cannot be read or stored.
package struct ReadTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
