internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import Pairing
internal import Reports
internal import Scanning
internal import SystemPackage

/// The access of commands to the store of pairings.
enum StoreAccess {
    /// Opens the store, and creates it if it does not exist.
    static func open() throws(CommandFailure) -> PairingStore {
        do throws(StoreError) {
            return try open(.standard())
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The carrier of operations in this process, with the store.
    static func radar(
        _ constellation: Constellation? = nil,
        _ logger: Logger? = nil
    ) throws(CommandFailure) -> InProcessRadar {
        InProcessRadar(try open(), constellation, version: CommandLineTool.version, logger)
    }

    /// Opens the store if it exists. Commands that show pairings only in addition to other things do not create it.
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
        if let problem = store.keyFolderProblem {
            Notes.warning("the folder of the key that opens the tokens is not safe: \(problem)")
        }
        // What cannot be read at all fails where it is needed.
        for pairing in (try? store.unreadablePairings()) ?? [] { Notes.warning("\(pairing)") }
        // A failure is ignored, because the next command purges the bin again.
        try? store.purgeBin(before: Timestamp.now.milliseconds - BinnedPairing.retention)
        return store
    }

    private static func exists(_ location: StoreLocation) -> Bool {
        do {
            try FileDescriptor.open(location.database, .readOnly, options: .closeOnExec).close()
            return true
        } catch {
            // A store that cannot be opened is there; opening it says why.
            return ![Errno.noSuchFileOrDirectory, .notDirectory].contains(error as? Errno)
        }
    }

    /// The least time that a read has: on a busy machine it takes longer than a short time for the network.
    private static let leastTimeout = Duration.seconds(1)

    /// Reads the store if it exists, beside the thread of a verb, whose time another process that keeps it, or a disk that
    /// hangs, must not use up.
    ///
    /// - Parameters:
    ///   - timeout: The time that it may take.
    ///   - body: Receives the store; `nil` if there is none.
    /// - Throws: A failure with the exit status 69 if it takes longer, or cannot be used.
    static func read<Value: Sendable>(
        within timeout: Duration,
        _ body: @escaping @Sendable (PairingStore?) throws(StoreError) -> Value
    ) async throws(CommandFailure) -> Value {
        let result = await HeldUp.wait(for: max(timeout, leastTimeout)) {
            Result { () throws(CommandFailure) in
                let store = try openExisting()
                return try CommandFailure.translating { () throws(StoreError) in try body(store) }
            }
        }
        guard let result else {
            throw CommandFailure(
                .unavailable,
                "another process keeps the store of pairings, or its disk hangs. Try again."
            )
        }
        return try result.get()
    }

    /// Returns the words of paired gateways and bots for shell completion, each on a line as the asking shell reads it.
    /// It contacts nobody, creates no store and prints nothing.
    static func completions(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let location = try? StoreLocation.standard() else { return [] }
        return completions(at: location, for: words).map { $0.line(for: .requesting) }
    }

    /// Returns the words that the verb of a command line can be about. A damaged store is left in place, for a command
    /// that can report it.
    static func completions(at location: StoreLocation, for words: [String]) -> [NameCompletion] {
        guard exists(location), let store = try? PairingStore(location, setsDamagedAside: false) else { return [] }
        let verb = words.dropFirst().first
        if verb == "restore" {
            return NameCompletion.all((try? store.bin().map(\.pairing)) ?? [], bots: [])
        }
        let pairings = (try? store.pairings()) ?? []
        let showsArchived = words.contains("--undo")
        let bots = pairings.flatMap { pairing in
            pairing.bots.filter { $0.isArchived == showsArchived }.map { (pairing: pairing, bot: $0) }
        }
        if verb == "alias" {
            let names = Set(pairings.map(\.name))
            let aliases = ((try? store.aliases()) ?? []).filter {
                !names.contains($0.name) && CompletionWord.isSafe($0.name)
            }
            return NameCompletion.all(pairings, bots: [])
                + aliases.map { NameCompletion(word: $0.name, text: "gateway \(DisplayText($0.gatewayID, limit: 64))") }
        }
        return switch verb {
        case "forget": NameCompletion.all(pairings, bots: [])
        case "archive", "accent": NameCompletion.all([], bots: bots)
        default: NameCompletion.all(pairings, bots: bots)
        }
    }
}

extension CommandFailure {
    /// Makes a failure from an error of the store.
    init(_ error: StoreError) { self = RadarError(error).commandFailure }

    /// Runs a closure that uses the store, and converts its error into a failure.
    static func translating<Value>(_ body: () throws(StoreError) -> Value) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw CommandFailure(error)
        }
    }
}
