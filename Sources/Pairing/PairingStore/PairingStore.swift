internal import DNSSD
internal import GRDB
internal import Synchronization

/// The identity of this device and all its pairings, in a database that survives crashes, with their secrets sealed.
///
/// Several processes, and several stores in one process, can have the same place open. Each write is done as a whole or
/// not at all, and is on the disk when the call returns. Calls may come from any thread, and block it for as long as
/// the disk takes, or for 5 s at most while another process writes.
///
/// ## Usage
///
///     let store = try PairingStore(.standard())
///     for pairing in try store.pairings() {
///         print(pairing.name, pairing.bots.map(\.name))
///     }
public final class PairingStore: Sendable {
    /// The places of the files.
    public let location: StoreLocation

    /// The path to which a damaged database was moved when this store was opened, to be shown to the user; `nil` when
    /// the database was intact. The damaged database is never deleted; the store has started with a new one.
    package let setAside: String?

    let database: StoreDatabase

    /// Notifies the readers of ``changes``.
    let watch: StoreWatch

    private let keyFile: KeyFile
    private let state: Mutex<State>

    private struct State {
        /// The identity as it was last read.
        var device: DeviceRow
        var key: KeyState
    }

    /// Opens the store. The first time, creates it with an identity and a key.
    ///
    /// A damaged database is moved out of the way, and its new path is in ``setAside``. If the key is missing, the
    /// store opens nevertheless, with its secrets sealed (``keyProblem``). If nothing can be written, the store can
    /// still be read.
    ///
    /// - Parameters:
    ///   - location: The places of the files.
    ///   - setsDamagedAside: Indicates whether a damaged database is moved out of the way. Otherwise it stays where it
    ///     is, to be found by the next opening.
    /// - Throws: `newerVersion` for a store of a later version, which is left unchanged;
    ///   `unsafeLocation` where others could read or redirect what is written;
    ///   `damaged` for a damaged database that is not or cannot be moved out of the way; and the
    ///   errors of the system.
    public convenience init(_ location: StoreLocation, setsDamagedAside: Bool = true) throws(StoreError) {
        try self.init(location, setsDamagedAside: setsDamagedAside, pollInterval: StoreWatch.pollInterval)
    }

    init(
        _ location: StoreLocation,
        setsDamagedAside: Bool = true,
        pollInterval: Duration,
        clock: any MonotonicClock = ContinuousClock()
    ) throws(StoreError) {
        self.location = location
        let opened = try StoreOpening(location, setsDamagedAside: setsDamagedAside).run()
        database = opened.database
        setAside = opened.setAside
        watch = StoreWatch(opened.database, interval: pollInterval, clock: clock)
        keyFile = KeyFile(location)
        state = Mutex(State(device: opened.device, key: opened.key))
    }

    deinit {
        watch.end()
    }

    /// The changes of the store by this process and others: see ``StoreChanges``.
    package var changes: StoreChanges { StoreChanges(watch) }

    // MARK: Device

    /// The identity of this device. Only its name and emoji ever change.
    package var device: DeviceIdentity {
        // Another process may have changed the name. If the row cannot be read now, the last known one is used.
        let row = try? database.read { try DeviceRow.fetch($0) }
        return state.withLock { state in
            if let row { state.device = row }
            look(again: &state)
            return state.device.identity(state.key)
        }
    }

    /// Gives this device another name or emoji.
    ///
    /// - Parameters:
    ///   - name: The name; `nil` to keep the one it has.
    ///   - emoji: The emoji, or `.some(nil)` for none; `nil` to keep the one it has.
    public func updateDevice(name: String? = nil, emoji: String?? = nil) throws(StoreError) {
        let row = try database.write { db in
            guard var row = try DeviceRow.fetch(db) else { throw Row.unreadable("device") }
            if let name { row.name = name.stored(StoreLimits.nameBytes) }
            if let emoji { row.emoji = emoji?.stored(StoreLimits.emojiBytes) }
            try row.update(db)
            return row
        }
        state.withLock { $0.device = row }
        watch.notifyReaders()
    }

    /// Takes over the identity of another device in place of this one's. The vault key is sealed anew for it, in the same step.
    func adopt(_ identity: DeviceFile.Identity) throws(StoreError) {
        let (key, vault) = (try key(), try vaultKey())
        let row = try database.write { db in
            let row = try DeviceRow(identity, sealedWith: key)
            try row.replace(db)
            try Self.keep(vault, of: row.id, key, db)
            return row
        }
        state.withLock { $0.device = row }
        watch.notifyReaders()
    }

    // MARK: Key

    /// The reason why secrets cannot be opened or stored now; `nil` when they can.
    ///
    /// `sealed` when the key is missing, `wrongKey` when there is another one,
    /// `moved` when the identity of this device is another one's now.
    /// While there is a problem, each call looks for the key again.
    public var keyProblem: StoreError? {
        do throws(StoreError) {
            _ = try key()
            return nil
        } catch {
            return error
        }
    }

    /// The reason why the folder of the key is not safe, such as that others can enter it; `nil` if it is. The key is used
    /// nevertheless, since its file is checked on its own.
    public var keyFolderProblem: StoreError? { keyFile.folderProblem }

    func key() throws(StoreError) -> SealingKey {
        // Asked each time: another process may have moved the device meanwhile.
        if (try? movedAt()) != nil { throw .moved }
        return try ownKey()
    }

    private func ownKey() throws(StoreError) -> SealingKey {
        try state.withLock { state throws(StoreError) in
            look(again: &state)
            return try state.key.key()
        }
    }

    /// Looks again for a key that was missing or wrong.
    private func look(again state: inout State) {
        if case .unavailable = state.key { state.key = KeyState(keyFile, device: state.device, database) }
    }
}
