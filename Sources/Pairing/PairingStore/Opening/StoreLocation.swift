internal import Glibc
internal import SystemPackage

/// The places of the store's files.
public struct StoreLocation: Hashable, Sendable {
    /// The folder of the database and the locks. It is created with the mode 0700 if it is missing, and must not be
    /// open to others.
    public let folder: String

    /// The file of the key, in another folder with the mode 0700.
    public let keyFile: String

    /// The file in which the service manager provides the key, if it does. It is read instead of ``keyFile`` if it
    /// exists, and is never written.
    public let keyCredential: String?

    /// Creates a location of these places; by default, no service manager provides the key. Nothing is opened or
    /// created before ``PairingStore/init(_:setsDamagedAside:)``.
    public init(folder: String, keyFile: String, keyCredential: String? = nil) {
        self.folder = folder
        self.keyFile = keyFile
        self.keyCredential = keyCredential
    }

    /// The path of the database.
    public var database: String { FilePath(folder).appending("pairings.sqlite").string }

    /// Returns the places that the environment gives: systemd's for a service, else those of the XDG Base Directory
    /// Specification.
    ///
    /// The database is in `$STATE_DIRECTORY/store`, `$XDG_DATA_HOME/clawradar` or `~/.local/share/clawradar`; the key
    /// in `$CREDENTIALS_DIRECTORY/clawradar-key` (systemd.exec(5), `LoadCredential=`) if that exists, else in
    /// `$XDG_STATE_HOME/clawradar/sealing.key` or `~/.local/state/clawradar/sealing.key`. Relative paths are ignored.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Throws: `noLocation` when the environment names no place for the database or for the key.
    public static func standard(
        environment: [String: String] = processEnvironment
    ) throws(StoreError) -> StoreLocation {
        func absolute(_ name: String) -> FilePath? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return FilePath(value)
        }
        let home = absolute("HOME")
        // The variable may list several folders, separated by colons; the first is the main one.
        let state = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map { FilePath(String($0)) }
        // A subfolder, because systemd makes the state folder itself open to others, unless the unit says otherwise.
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
        // If only the service manager can provide the key, its file is the one to be reported as missing.
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
