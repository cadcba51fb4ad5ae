import DNSSD
import DequeModule
import TestSupport
import Testing

@testable import Discovery

@Suite struct BrowserStateTests {
    private var state = BrowserState()
    private let start = ContinuousClock.now

    private func progress(
        at seconds: Double,
        availabilityTimeout: Duration? = nil
    ) -> BrowserState.Progress {
        state.progress(quiet: .seconds(1), availabilityTimeout: availabilityTimeout, now: start + .seconds(seconds))
    }

    private mutating func send(_ event: BrowseEvent, at seconds: Double) {
        _ = state.apply([event], now: start + .seconds(seconds))
    }

    @Test mutating func settlesAfterQuietWhenAllIsResolved() {
        send(.status(.running), at: 0)
        send(.sighted(Samples.sighting("a", .resolving)), at: 0.5)
        // A service is still being resolved, so quiet alone is not enough.
        #expect(progress(at: 9) == .waiting(until: nil), "until the resolution ends")
        send(.sighted(Samples.sighting("a")), at: 10)
        #expect(progress(at: 10.5) == .waiting(until: start + .seconds(11)))
        #expect(progress(at: 11) == .settled)
    }

    @Test mutating func aFailedServiceDoesNotHoldUp() {
        send(.status(.running), at: 0)
        send(.sighted(Samples.sighting("a", .failed(reason: "no SRV record"))), at: 0)
        #expect(progress(at: 1) == .settled)
    }

    @Test mutating func neverSettlesWithoutAService() {
        send(.status(.running), at: 0)
        #expect(progress(at: 1_000) != .settled)
    }

    @Test mutating func anUnavailableBackendIsWaitedForUntilTheTimeout() {
        send(.status(.unavailable(Samples.noDaemon)), at: 1)
        // Another reason does not restart the timeout.
        let other = BackendError(.noMessageBus, "no bus")
        send(.status(.unavailable(other)), at: 2)
        #expect(progress(at: 2, availabilityTimeout: .seconds(3)) == .waiting(until: start + .seconds(4)))
        #expect(progress(at: 4, availabilityTimeout: .seconds(3)) == .unavailable(other))
        #expect(progress(at: 4) != .unavailable(other))
        send(.status(.running), at: 5)
        #expect(progress(at: 6, availabilityTimeout: .seconds(0)) == .waiting(until: nil))
    }

    @Test mutating func doesNotSettleWhileTheBackendIsAway() {
        send(.status(.running), at: 0)
        send(.sighted(Samples.sighting("a")), at: 0)
        send(.status(.unavailable(Samples.noDaemon)), at: 1)
        #expect(progress(at: 60) != .settled)
    }

    /// Readers end with the run, after what they have not read yet; one that begins later gets what was there.
    @Test mutating func readersEndWithTheRun() {
        let reader = state.addReader()
        send(.sighted(Samples.sighting("a")), at: 0)
        _ = state.end()
        let late = state.addReader()
        for reader in [reader, late] {
            guard case .change(let change) = state.take(for: reader) else {
                Issue.record("no change is queued")
                return
            }
            #expect(change.service.instance.name == "a")
            guard case .finished = state.take(for: reader) else {
                Issue.record("the reader does not end with its run")
                return
            }
        }
    }

    @Test mutating func aNewReaderFindsWhatIsThere() {
        send(.sighted(Samples.sighting("b")), at: 0)
        send(.sighted(Samples.sighting("a")), at: 0)
        send(.sighted(Samples.sighting("c", .resolving)), at: 0)
        let reader = state.addReader()
        var names: [String] = []
        while case .change(.found(let service)) = state.take(for: reader) { names.append(service.instance.name) }
        #expect(names == ["a", "b"])
    }

    /// The warning that there are too many services is given once, whether the backend or the table is full. A service
    /// that is dropped for a protected one before it was read is not reported.
    @Test func aFullTableIsToldOnce() {
        var state = BrowserState(maximumServices: 1)
        let reader = state.addReader()
        var other = Samples.sighting("b")
        other.host = "other.local"
        let backend = BackendWarning(.tooManyInstances, "the backend's")
        state.protect(Samples.instance("b"), true)
        let events: [BrowseEvent] = [.sighted(Samples.sighting("a")), .sighted(other), .warning(backend)]
        _ = state.apply(events, now: start)
        _ = state.apply([.sighted(Samples.sighting("c"))], now: start)
        #expect(state.condition.warnings.map(\.code) == [.tooManyInstances])
        #expect(state.table.services.keys.map(\.name) == ["b"])
        guard case .change(.found(let service)) = state.take(for: reader) else {
            Issue.record("b is not reported")
            return
        }
        #expect(service.instance.name == "b", "a was dropped before it was read")
    }

    /// The losses of the backend and of the table are added up.
    @Test func lossesAreCounted() {
        var state = BrowserState(maximumServices: 1)
        #expect(state.losses.isEmpty)
        let events: [BrowseEvent] = [
            .losses(BackendLosses(packets: 3, entries: 5)), .sighted(Samples.sighting("a")),
            .sighted(Samples.sighting("b")), .losses(BackendLosses(packets: 1)),
        ]
        _ = state.apply(events, now: start)
        #expect(state.losses == BackendLosses(packets: 4, entries: 6))
        for code in [BackendWarning.Code.packetsLost, .packetsLost] {
            _ = state.apply([.warning(BackendWarning(code, "on one path or another"))], now: start)
        }
        #expect(state.condition.warnings.map(\.code) == [.tooManyInstances, .packetsLost])
    }

    /// A change is appended to each reader's queue in place. If each change copied the queue, 16,384 changes would take
    /// minutes.
    @Test mutating func aChangeCostsTheSameHoweverMuchWaits() throws {
        let readers = (0..<3).map { _ in state.addReader() }
        var moves = 0
        var place: UnsafeRawPointer?
        for number in 0..<16_384 {
            _ = state.apply([.sighted(Samples.sighting("s\(number)"))], now: start)
            let queue = try #require(state.readers[readers[1]]).queue
            let placeNow = queue.order.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
            if placeNow != place { moves += 1 }
            place = placeNow
        }
        #expect(moves <= 30, "the storage moves only when it grows, by half each time")
        for reader in readers {
            guard case .change = state.take(for: reader) else {
                Issue.record("no change is queued")
                return
            }
        }
    }
}
