internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The places of the store's files.
public struct StoreLocation: Hashable, Sendable {
    /// The folder of the database and the locks. It is made with the mode 0700 where it is missing, and must have that.
    public let folder: String

    /// The file of the key, in a folder with the mode 0700, apart from the other.
    public let keyFile: String

    /// The file in which the service manager provides the key, where it does so: read in place of ``keyFile`` when it is
    /// there, and never written.
    public let keyCredential: String?

    public init(folder: String, keyFile: String, keyCredential: String? = nil) {
        self.folder = folder
        self.keyFile = keyFile
        self.keyCredential = keyCredential
    }

    /// The path of the database.
    public var database: String { FilePath(folder).appending("pairings.sqlite").string }

    /// The places that the environment gives: systemd's for a service, else those of the XDG Base Directory Specification.
    ///
    /// The database is in `$STATE_DIRECTORY/store`, `$XDG_DATA_HOME/clawradar` or `~/.local/share/clawradar`; the key in
    /// `$CREDENTIALS_DIRECTORY/clawradar-key` (systemd.exec(5), `LoadCredential=`), if that is there, else in
    /// `$XDG_STATE_HOME/clawradar/sealing.key` or `~/.local/state/clawradar/sealing.key`. Paths that are not absolute are
    /// passed over.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Throws: ``StoreError/Code/noLocation`` when it names no place for one of the two.
    public static func standard(
        environment: [String: String] = processEnvironment
    ) throws(StoreError) -> StoreLocation {
        func absolute(_ name: String) -> FilePath? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return FilePath(value)
        }
        let home = absolute("HOME")
        // More than one stand there with colons between; the first is the main one.
        let state = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map { FilePath(String($0)) }
        // A folder of its own: systemd makes its one open to others, unless the unit says otherwise.
        let folder =
            state.flatMap { $0.isAbsolute ? $0.appending("store") : nil }
            ?? (absolute("XDG_DATA_HOME") ?? home?.appending(".local/share"))?.appending("clawradar")
        guard let folder else {
            throw StoreError(
                .noLocation,
                expected: "HOME, XDG_DATA_HOME or STATE_DIRECTORY in the environment, for the store of pairings",
                found: "none of them"
            )
        }
        let credential = absolute("CREDENTIALS_DIRECTORY")?.appending("clawradar-key")
        let keys = (absolute("XDG_STATE_HOME") ?? home?.appending(".local/state"))?.appending("clawradar")
        // Where only the service manager can have the key, that is where it is missed.
        guard let keyFile = keys?.appending("sealing.key") ?? credential else {
            throw StoreError(
                .noLocation,
                expected: "HOME, XDG_STATE_HOME or CREDENTIALS_DIRECTORY in the environment, for the key of the store",
                found: "none of them. In a systemd unit, write: LoadCredential=clawradar-key:PATH"
            )
        }
        return StoreLocation(
            folder: folder.string,
            keyFile: keyFile.string,
            keyCredential: keyFile == credential ? nil : credential?.string
        )
    }

    /// The variables of this process that ``standard(environment:)`` reads.
    public static var processEnvironment: [String: String] {
        let names = ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY"]
        return names.reduce(into: [:]) { result, name in
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
    }
}
