internal import ArgumentParser
internal import GatewayClient
internal import GatewayReports
internal import PairingStore
internal import SystemPackage

/// The store of pairings, as verbs open it.
enum StoreAccess {
    /// Opens the store, and makes it at the first time.
    static func open() throws(CommandFailure) -> PairingStore {
        do throws(StoreError) {
            return try open(.standard())
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Opens the store if there is one: a verb that only shows pairings beside other things makes none.
    static func openExisting() throws(CommandFailure) -> PairingStore? {
        do throws(StoreError) {
            guard let location = try? StoreLocation.standard(), exists(location) else { return nil }
            return try open(location)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func open(_ location: StoreLocation) throws(StoreError) -> PairingStore {
        let store = try PairingStore(location)
        if let path = store.setAside {
            Notes.warning(
                "the store of pairings was damaged. It is kept as \(path), and a new one was made: pair again."
            )
        }
        // What cannot be purged now is purged the next time.
        try? store.purgeBin(before: Timestamp.now.milliseconds - BinnedPairing.retention)
        return store
    }

    private static func exists(_ location: StoreLocation) -> Bool {
        guard let file = try? FileDescriptor.open(location.database, .readOnly, options: .closeOnExec) else {
            return false
        }
        try? file.close()
        return true
    }

    /// The pairings that are shown beside what was found; none, with a warning, where they cannot be read.
    static func pairingsToShow() -> [StoredPairing] {
        do {
            return try openExisting()?.pairings() ?? []
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            Notes.warning("what is paired is not shown: \(reason)")
            return []
        }
    }

    /// The names that a shell completes: those of what is paired. Nothing is asked, made or said.
    static func completions(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        (try? StoreLocation.standard()).map { completions(at: $0) } ?? []
    }

    /// The names of what is paired. A damaged store stays for a verb that can say so.
    static func completions(at location: StoreLocation) -> [String] {
        guard exists(location), let pairings = try? PairingStore(location, setsDamagedAside: false).pairings() else {
            return []
        }
        return PairedName.completions(pairings)
    }
}

extension CommandFailure {
    /// Turns the trouble of the store into a message and an exit status.
    init(_ error: StoreError) {
        let status: ExitCode =
            switch error.code {
            case .notFound: .nothingFound
            case .exists, .invalid: .usage
            default: .unavailable
            }
        self.init(status, error.description)
    }

    /// Runs what uses the store, and turns its trouble into a failure.
    static func translating<Value>(_ body: () throws(StoreError) -> Value) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension PairingStore {
    /// This device, as it introduces itself to gateways.
    var deviceDescription: DeviceDescription {
        let device = device
        return DeviceDescription(
            id: device.id,
            name: device.name,
            platform: device.platform,
            version: CommandLineTool.version,
            publicKey: device.publicKey,
            sign: { try device.signature(of: $0) }
        )
    }
}
