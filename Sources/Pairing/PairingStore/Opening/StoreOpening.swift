internal import HostSystem
internal import SystemPackage

/// The steps that open a store at a place. Processes take them one after the other.
struct StoreOpening {
    /// The parts of an open store.
    struct Opened {
        let database: StoreDatabase
        let device: DeviceRow
        let key: KeyState
        /// The path of a damaged file that was set aside.
        let setAside: String?
    }

    private let location: StoreLocation
    private let setsDamagedAside: Bool
    private let folder: PrivateFolder
    private let file: SafeFile
    private let keyFile: KeyFile

    init(_ location: StoreLocation, setsDamagedAside: Bool) {
        self.location = location
        self.setsDamagedAside = setsDamagedAside
        folder = PrivateFolder(path: FilePath(location.folder))
        file = SafeFile(path: FilePath(location.database))
        keyFile = KeyFile(location)
    }

    func run() throws(StoreError) -> Opened {
        try StoreError.translating(location.folder) { try prepared() }
    }

    private func prepared() throws -> Opened {
        try folder.prepareWithParents()
        let lock = try takeTurn()
        defer { lock?.release() }
        if lock != nil {
            keyFile.sweep()
            try? file.sweep()
        }
        if try !file.checkUnopened() { try create() }
        do {
            return try open(setAside: nil)
        } catch let error as StoreError where error.code == .damaged && setsDamagedAside && lock != nil {
            let path = try setAside()
            try create()
            return try open(setAside: path)
        }
    }

    /// Waits for others that are opening the store: only one of them creates the database, the key and the identity.
    ///
    /// - Returns: The lock; `nil` if nothing can be written, and so nothing can be created.
    private func takeTurn() throws -> FileLock? {
        do {
            let locks = PrivateFolder(path: SessionLock.folder(location))
            try locks.prepare()
            let path = locks.path.appending("opening.lock")
            let timeout = StoreDatabase.busyTimeoutInSeconds
            if let lock = try FileLock.wait(path, seconds: Double(timeout)) { return lock }
            let found = "another process that has been opening it for \(timeout) s. Try again"
            throw StoreError(.busy, path: location.database, expected: "a store that can be opened", found: found)
        } catch let error as SafeFileError where error.code == .readOnly || error.code == .forbidden {
            // An existing store can still be read.
            guard try file.checkUnopened() else { throw error }
            return nil
        }
    }

    private func open(setAside: String?) throws -> Opened {
        let database = try StoreDatabase(location.database)
        do {
            try check(database)
            try database.migrate()
            let found = try database.read { try (DeviceRow.fetch($0), PairingRow.count($0)) }
            if let device = found.0 {
                return Opened(
                    database: database,
                    device: device,
                    key: KeyState(keyFile, device: device, database),
                    setAside: setAside
                )
            }
            guard found.1 == 0 else {
                let expected = "an identity of this device"
                let found = "pairings without one. They are kept as they are; put the database back from a backup"
                throw StoreError(.unreadable, path: location.database, expected: expected, found: found)
            }
            let (device, key) = try makeDevice(database)
            return Opened(database: database, device: device, key: .available(key), setAside: setAside)
        } catch {
            database.close()
            throw error
        }
    }

    /// Checks that the database can be used, before anything is written to it.
    private func check(_ database: StoreDatabase) throws {
        // A new database gets its name only with its tables: an empty one has lost them.
        guard try file.sizeUnopened() != 0 else {
            let expected = "a database that is whole"
            throw StoreError(.damaged, path: location.database, expected: expected, found: "an empty file")
        }
        do {
            // This check is the first: a store of a later version must stay unchanged.
            guard try !database.isOfLaterVersion() else { throw Self.laterVersion(location.database) }
        } catch let error as StoreError where error.code == .unreadable {
            // Only what SQLite calls damaged is set aside.
            try database.check()
            throw error
        }
        try database.check()
    }

    /// Creates the database beside its place, and moves it there when it has its tables.
    private func create() throws {
        let name = file.path.lastComponent?.string ?? ""
        let new = SafeFile(path: FilePath(location.database + ".new"))
        // An empty file first: its mode is right before SQLite writes a byte, whatever the umask of the process. The
        // journal gets the same mode. What a crash has left is replaced, and SQLite removes the journal of an empty
        // database.
        try new.write([])
        let database = try StoreDatabase(new.path.string)
        do {
            try database.migrate()
        } catch {
            database.close()
            throw error
        }
        database.close()
        // SQLite would take what is left of a database that is gone for the journal of the new one.
        _ = try SafeFile(path: FilePath(location.database + "-journal")).rename(to: "\(damagedName)-journal")
        _ = try new.rename(to: name)
        try folder.synchronize()
    }

    /// A name for a damaged file.
    private var damagedName: String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return "\(file.path.lastComponent?.string ?? "").damaged-\(WallClock.milliseconds / 1_000)-\(digits)"
    }

    /// Creates the identity of this device, and the key if there is none: nothing has been sealed with another key yet.
    private func makeDevice(_ database: StoreDatabase) throws -> (DeviceRow, SealingKey) {
        let key: SealingKey
        if let found = try keyFile.read() {
            key = found
        } else {
            key = SealingKey()
            // The key must be on the disk before anything is sealed with it.
            try keyFile.write(key)
        }
        let device = try DeviceRow(name: SystemHostName.label ?? "clawradar", sealedWith: key)
        try database.write { try device.insert($0) }
        return (device, key)
    }

    /// Renames a damaged database, so that it can be examined and repaired, and a new one can be created.
    private func setAside() throws -> String {
        let name = damagedName
        // The journal first: SQLite would take it for the journal of a new database.
        _ = try SafeFile(path: FilePath(location.database + "-journal")).rename(to: name + "-journal")
        _ = try file.rename(to: name)
        try folder.synchronize()
        return folder.path.appending(name).string
    }

    private static func laterVersion(_ path: String) -> StoreError {
        StoreError(
            .newerVersion,
            path: path,
            expected: "a store of this version or an earlier one",
            found: "one of a later version, which is left as it is. Install that version"
        )
    }
}
