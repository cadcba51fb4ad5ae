import DNSSD
import TestSupport
import Testing

@testable import Discovery

@Suite struct ChangeQueueTests {
    private var queue = ChangeQueue()
    private var table = ServiceTable()

    /// Applies events to the table, and queues the resulting changes.
    private mutating func send(_ events: BrowseEvent...) {
        for event in events {
            if let change = table.apply(event) { queue.append(change) }
        }
    }

    private mutating func takeAll() -> [ServiceChange] {
        var taken: [ServiceChange] = []
        while let change = queue.next() { taken.append(change) }
        return taken
    }

    private let gone = BrowseEvent.vanished(Samples.instance("a"), Samples.eth0, .withdrawn)

    @Test mutating func changesComeInTheOrderOfTheServices() {
        send(.sighted(Samples.sighting("b")), .sighted(Samples.sighting("a")))
        send(.sighted(Samples.sighting("b", txt: "2")))
        #expect(takeAll().map(\.service.instance.name) == ["b", "a"])
        #expect(queue.isEmpty)
    }

    @Test mutating func changesBeforeReadingAreMergedIntoFound() {
        send(.sighted(Samples.sighting("a")), .sighted(Samples.sighting("a", txt: "2")))
        let taken = takeAll()
        #expect(taken.map(Samples.kind) == ["found"])
        #expect(taken.first?.service.txt == Samples.txt("2"))
    }

    @Test mutating func transientServiceIsNotReported() {
        send(.sighted(Samples.sighting("a")), gone)
        #expect(queue.isEmpty)
        #expect(takeAll().isEmpty)
    }

    @Test mutating func unchangedReturnIsNotReported() {
        send(.sighted(Samples.sighting("a")))
        _ = takeAll()
        send(gone, .sighted(Samples.sighting("a")))
        #expect(takeAll().isEmpty)
    }

    @Test mutating func changedReturnIsReportedAsChange() {
        send(.sighted(Samples.sighting("a")))
        _ = takeAll()
        send(gone, .sighted(Samples.sighting("a", port: 1)))
        #expect(takeAll().map(Samples.aspects) == [[.paths, .port]])
    }

    @Test mutating func aChangeBeforeALossThatDidNotLastIsStillTold() {
        send(.sighted(Samples.sighting("a")))
        _ = takeAll()
        send(.sighted(Samples.sighting("a", txt: "2")), gone, .sighted(Samples.sighting("a", txt: "2")))
        #expect(takeAll().map(Samples.aspects) == [[.txt]])
    }

    @Test mutating func aspectsAddUp() {
        send(.sighted(Samples.sighting("a")))
        _ = takeAll()
        send(.sighted(Samples.sighting("a", port: 1)), .sighted(Samples.sighting("a", port: 1, txt: "2")))
        #expect(takeAll().map(Samples.aspects) == [[.paths, .port, .txt]])
    }

    /// A reader of the merged changes arrives at the same services as a reader of all changes, at whatever times it
    /// reads.
    @Test mutating func mergedChangesGiveThePresentPicture() {
        var random = SeededGenerator.forFuzzing("merged changes")
        var truth: [ServiceInstance: DiscoveredService] = [:]
        var picture: [ServiceInstance: DiscoveredService] = [:]
        for _ in 0..<TestCases.count(40_000) {
            if let change = table.apply(Samples.anyEvent(&random)) {
                Self.apply(change, to: &truth)
                queue.append(change)
            }
            // The reader keeps up most of the time, and sometimes pauses.
            let isAwake = random.next() >> 8 & 63 != 0
            guard isAwake, random.next() & 3 == 0 else { continue }
            for _ in 0..<random.next() % 4 {
                guard let change = queue.next() else { break }
                Self.apply(change, to: &picture)
            }
            if queue.isEmpty { #expect(picture == truth) }
        }
        while let change = queue.next() { Self.apply(change, to: &picture) }
        #expect(picture == truth)
    }

    private static func apply(_ change: ServiceChange, to picture: inout [ServiceInstance: DiscoveredService]) {
        let instance = change.service.instance
        let known = picture[instance]
        switch change {
        case .found(let service):
            #expect(known == nil)
            picture[instance] = service
        case .changed(let service, let aspects):
            #expect(known.map { service.aspects(changedSince: $0).isSubset(of: aspects) } == true)
            picture[instance] = service
        case .lost:
            #expect(known != nil)
            picture[instance] = nil
        }
    }

    /// A service that appears and vanishes again and again does not fill the queue of a reader that does not read.
    @Test mutating func whatFlapsForAReaderThatSleepsTakesNoRoom() {
        for _ in 0..<5_000 { send(.sighted(Samples.sighting("a")), gone) }
        #expect(queue.places <= 256)
        #expect(takeAll().isEmpty)
    }

    /// A queue that is never quite empty does not grow.
    @Test mutating func aReaderThatIsAlwaysOneBehindTakesNoRoom() {
        send(.sighted(Samples.sighting("b")))
        for round in 0..<5_000 {
            send(.sighted(Samples.sighting(round & 1 == 0 ? "a" : "b", txt: "r\(round)")))
            #expect(queue.next() != nil)
        }
        #expect(!queue.isEmpty)
        #expect(queue.places <= 256)
    }
}
