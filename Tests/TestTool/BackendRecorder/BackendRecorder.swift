import DNSSD
import Discovery
import Foundation
import UnixSignals

/// Runs one backend alone, without the one-shot query, and prints its events as lines of JSON, so that tests can check
/// on a host of the lab that the backend does what ``ServiceBackend`` requires.
///
/// * `test-tool backend-recorder BACKEND capabilities` prints its capabilities, one per line.
/// * `test-tool backend-recorder BACKEND browse TYPE` prints every event. SIGUSR1 ends the browse, prints the resources
///   that it has not released a moment later (threads take a little to end), and begins another; SIGTERM ends the
///   browse and the program.
/// * `test-tool backend-recorder BACKEND publish TYPE NAME PORT TXT NEXT` prints every state. SIGUSR1 replaces the record TXT by
///   NEXT (each a pair `key=value`); SIGTERM ends the publication and the program.
enum BackendRecorder {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2, let choice = BackendChoice(rawValue: arguments[0]) else { throw Usage() }
        let backend = try Backends.unaccompanied(choice)
        switch (arguments[1], arguments.count) {
        case ("capabilities", 2):
            for (capability, name) in BackendCapabilities.names where backend.capabilities.contains(capability) {
                print(name)
            }
        case ("browse", 3):
            await browse(try ServiceType(arguments[2]), backend)
        case ("publish", 7):
            guard let port = UInt16(arguments[4]) else { throw Usage() }
            let advertisement = Advertisement(
                name: arguments[3],
                types: [try ServiceType(arguments[2])],
                port: port,
                txt: try record(arguments[5])
            )
            await publish(advertisement, next: try record(arguments[6]), backend)
        default: throw Usage()
        }
    }

    private struct Usage: Error {}

    /// Returns a record with one pair `key=value`.
    private static func record(_ pair: String) throws -> TXTRecord {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw Usage() }
        return try TXTRecord([(String(parts[0]), String(parts[1]))])
    }

    // MARK: Browsing

    private static func browse(_ type: ServiceType, _ backend: any ServiceBackend) async {
        let signals = await UnixSignalsSequence(trapping: .sigusr1, .sigterm)
        var iterator = signals.makeAsyncIterator()
        // The first sleep opens descriptors of Dispatch, which must not be counted.
        try? await Task.sleep(for: .milliseconds(1))
        let before = Resources.now
        var least = before
        var rounds = 0
        while true {
            let task = Task {
                await backend.browse(BrowseRequest(types: [type])) { events in
                    for event in events { say(EventLine(event)) }
                }
            }
            let signal = await iterator.next()
            task.cancel()
            let start = ContinuousClock.now
            await task.value
            let took = ContinuousClock.now - start
            // Descriptors and threads that stay for the life of the process exist after the second round; later rounds
            // add none.
            var left = Resources.now
            while left.descriptors > least.descriptors || left.threads > least.threads,
                ContinuousClock.now < start + .milliseconds(500)
            {
                try? await Task.sleep(for: .milliseconds(5))
                left = Resources.now
            }
            if rounds < 2 { least = left }
            rounds += 1
            say(
                EventLine.ended(
                    descriptors: left.descriptors - before.descriptors,
                    threads: left.threads - before.threads,
                    milliseconds: Int(took / .milliseconds(1))
                )
            )
            if signal != .sigusr1 { return }
        }
    }

    // MARK: Publishing

    private static func publish(_ advertisement: Advertisement, next: TXTRecord, _ backend: any ServiceBackend) async {
        let signals = await UnixSignalsSequence(trapping: .sigusr1, .sigterm)
        let (updates, source) = TXTUpdates.makeSequence()
        let task = Task {
            await backend.publish(advertisement, updates: updates) { say(EventLine($0)) }
        }
        for await signal in signals {
            guard signal == .sigusr1 else { break }
            source.send(next)
        }
        task.cancel()
        await task.value
    }

    /// Prints a line and flushes it, so that a pipe receives it at once.
    private static func say(_ event: EventLine) {
        let encoder = JSONEncoder()
        guard let line = try? encoder.encode(event) else { return }
        print(String(decoding: line, as: UTF8.self))
        fflush(nil)
    }
}
