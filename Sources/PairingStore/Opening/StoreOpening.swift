internal import EventLoops
internal import SafeFiles
internal import SystemPackage

/// The steps from a place to an open store, one process after the other.
struct StoreOpening {
    /// An open store's parts.
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
        // Its mode is right before SQLite has written a byte, whatever the mask of the process; its journal gets the same.
        if try !file.checkUnopened() { try file.write([]) }
        do {
            return try open(setAside: nil)
        } catch let error as StoreError where error.code == .damaged && setsDamagedAside && lock != nil {
            let path = try setAside()
            try file.write([])
            return try open(setAside: path)
        }
    }

    /// Waits for those who open the store at the same time: one makes the database, the key and the identity.
    ///
    /// - Returns: `nil` where nothing can be written, and so nothing can be made.
    private func takeTurn() throws -> FileLock? {
        do {
            let locks = PrivateFolder(path: SessionLock.folder(location))
            try locks.prepare()
            let path = locks.path.appending("opening.lock")
            let patience = StoreDatabase.patienceInSeconds
            if let lock = try FileLock.wait(path, seconds: Double(patience)) { return lock }
            let found = "another process that has been opening it for \(patience) s. Try again"
            throw StoreError(.busy, path: location.database, expected: "a store that can be opened", found: found)
        } catch let error as SafeFileError where error.code == .readOnly || error.code == .forbidden {
            // What is there can still be read.
            guard try file.checkUnopened() else { throw error }
            return nil
        }
    }

    private func open(setAside: String?) throws -> Opened {
        let database = try StoreDatabase(location.database)
        do {
            // First of all, and without a write.
            guard try !database.isOfLaterVersion() else { throw Self.laterVersion(location.database) }
            try database.check()
            try database.migrate()
            let found = try database.read { try (DeviceRow.fetch($0), PairingRow.count($0)) }
            if let device = found.0 {
                return Opened(
                    database: database,
                    device: device,
                    key: KeyState(keyFile, device: device),
                    setAside: setAside
                )
            }
            guard found.1 == 0 else {
                let expected = "an identity of this device"
                throw StoreError(.damaged, path: location.database, expected: expected, found: "pairings without one")
            }
            let (device, key) = try makeDevice(database)
            return Opened(database: database, device: device, key: .available(key), setAside: setAside)
        } catch {
            database.close()
            throw error
        }
    }

    /// Makes the identity of this device; and the key, where there is none: nothing is sealed with another one yet.
    private func makeDevice(_ database: StoreDatabase) throws -> (DeviceRow, SealingKey) {
        let key: SealingKey
        if let found = try keyFile.read() {
            key = found
        } else {
            key = SealingKey()
            // On the disk before anything is sealed with it.
            try keyFile.write(key)
        }
        let device = try DeviceRow(name: SystemHostName.label ?? "clawradar", sealedWith: key)
        try database.write { try device.insert($0) }
        return (device, key)
    }

    /// Gives a damaged database another name, so that it can be looked into and repaired, and another can be made.
    private func setAside() throws -> String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        let name = "\(file.path.lastComponent?.string ?? "").damaged-\(WallClock.milliseconds / 1_000)-\(digits)"
        // The journal first: beside a new database it would be taken for that one's.
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
