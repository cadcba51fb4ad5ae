internal import HostSystem
internal import SystemPackage

/// The name under which this user of this host leases names in zones: the same after a crash.
package enum PublisherID {
    /// Returns the stored name, which is made if there is none; if that is not possible, one that holds until the process ends.
    ///
    /// - Parameters:
    ///   - environment: The ``ReadToken/variables`` that are set.
    ///   - warn: Reports why the name cannot be stored.
    package static func current(environment: [String: String], warn: (String) -> Void) -> String {
        let new = String(decoding: RandomSecret.digits(bytes: 4), as: UTF8.self)
        guard let folder = StateFolder.path(environment: environment) else { return new }
        let file = SafeFile(path: folder.appending("publisher.id"))
        do throws(SafeFileError) {
            if let stored = try file.read(limit: 64).map({ String(decoding: $0, as: UTF8.self) }),
                let word = stored.split(whereSeparator: \.isWhitespace).first, word.utf8.count == new.utf8.count,
                word.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            {
                return String(word)
            }
            try PrivateFolder(path: folder).prepareWithParents()
            try file.write(Array((new + "\n").utf8))
        } catch {
            warn("what is published in zones is not recognized after a crash: \(error)")
        }
        return new
    }
}

/// The folder in which an agent, and the verbs beside it, keep what they have to remember.
enum StateFolder {
    /// Returns `$STATE_DIRECTORY/agent` of a service, else `$XDG_STATE_HOME/clawradar` or `~/.local/state/clawradar`; `nil` if
    /// the environment names none of them.
    static func path(environment: [String: String]) -> FilePath? {
        func absolute(_ name: String) -> FilePath? {
            guard let value = environment[name]?.split(separator: ":").first, value.hasPrefix("/") else { return nil }
            return FilePath(String(value))
        }
        return absolute("STATE_DIRECTORY")?.appending("agent")
            ?? (absolute("XDG_STATE_HOME") ?? absolute("HOME")?.appending(".local/state"))?.appending("clawradar")
    }
}
