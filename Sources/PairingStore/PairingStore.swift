internal import DNSSD
internal import GRDB
public import GatewayProtocol
internal import Synchronization

/// The identity of this device and all its pairings, in a database that outlives crashes, with their secrets sealed.
///
/// Several processes, and several stores in one, can be open at one place; each write is done as a whole or not at all,
/// and is on the disk when the call returns. Calls may come from any thread, and block it for as long as the disk takes,
/// or for 5 s at most while another process writes.
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

    /// The path to which a damaged database was moved when this store was opened, for the user to be told; `nil` when it
    /// was whole. It is never deleted; the store began anew.
    public let setAside: String?

    let database: StoreDatabase

    /// Tells the readers of ``changes``.
    let watch: StoreWatch

    private let keyFile: KeyFile
    private let state: Mutex<State>

    private struct State {
        /// The identity when it was last read.
        var device: DeviceRow
        var key: KeyState
    }

    /// Opens the store; at the first time, makes it with an identity and a key.
    ///
    /// A database that is damaged is set aside (``setAside``), for whoever can tell the user. Where the key is missing the store opens all the same, with
    /// its secrets sealed (``keyProblem``). Where nothing can be written, what is stored can be read.
    ///
    /// - Parameters:
    ///   - location: The places of the files.
    ///   - setsDamagedAside: Whether a damaged database is set aside. Otherwise it stays where it is, for the next one to find.
    /// - Throws: ``StoreError/Code/newerVersion`` for a store of a later version, which stays untouched;
    ///   ``StoreError/Code/unsafeLocation`` where others could read or lead astray what is written;
    ///   ``StoreError/Code/damaged`` where that is not to be set aside; and the system's reasons.
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

    /// The changes of the store, here and by other processes: see ``StoreChanges``.
    public var changes: StoreChanges { StoreChanges(watch) }

    // MARK: Device

    /// The identity of this device. It never changes but for name and emoji.
    public var device: DeviceIdentity {
        // Another process may have given it another name. What cannot be read now is as it was.
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

    // MARK: Key

    /// The reason why secrets cannot be opened or stored now; `nil` when they can.
    ///
    /// ``StoreError/Code/sealed`` when the key is missing, ``StoreError/Code/wrongKey`` when it is another one. It is
    /// looked for again with each call.
    public var keyProblem: StoreError? {
        do throws(StoreError) {
            _ = try key()
            return nil
        } catch {
            return error
        }
    }

    /// Puts back the key that was lost. Readers of ``changes``, here and in other processes, are told.
    ///
    /// - Parameter text: The 64 hexadecimal digits of the file of the key.
    /// - Throws: ``StoreError/Code/wrongKey`` when it does not open this store; ``StoreError/Code/readOnly`` where the
    ///   service manager provides the key, since no other is read then. Nothing is written in both cases.
    public func importKey(_ text: Secret) throws(StoreError) {
        guard let key = SealingKey(text) else { throw KeyFile.noKey(nil) }
        let device = state.withLock { $0.device }
        guard device.opens(with: key) else { throw KeyState.wrong(nil) }
        try keyFile.write(key)
        state.withLock { $0.key = .available(key) }
        // For other processes. Where the database cannot be written to, they find the key when they look the next time.
        try? database.write { try DeviceRow.touch($0) }
        watch.notifyReaders()
    }

    func key() throws(StoreError) -> SealingKey {
        try state.withLock { state throws(StoreError) in
            look(again: &state)
            return try state.key.key()
        }
    }

    /// Looks whether a key that was missing is there by now.
    private func look(again state: inout State) {
        if case .unavailable = state.key { state.key = KeyState(keyFile, device: state.device) }
    }
}
