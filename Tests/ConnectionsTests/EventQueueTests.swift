import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import Testing

@testable import Connections

/// The queue of events that wait for one reader.
@Suite struct EventQueueTests {
    private let queue = EventQueue()
    private let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    private let other = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)
    private let pin: LeafFingerprint

    init() throws {
        pin = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
    }

    /// Takes all events that wait; `nil` stands for a snapshot, after which the queue starts again.
    private func takeAll() -> [ConnectionEvent?] {
        var found: [ConnectionEvent?] = []
        while true {
            switch queue.take() {
            case .event(let event): found.append(event)
            case .snapshot:
                found.append(nil)
                queue.restart()
            case .none: return found
            }
        }
    }

    /// A reader that has missed events gets a snapshot, and then the latest liveness and pin of each endpoint, which
    /// are in no snapshot.
    @Test func slowReaderGetsTheLatestEventsOfEachEndpoint() {
        #expect(takeAll() == [nil])
        queue.put(.liveness(endpoint, .answering, roundTrip: nil))
        queue.put(.pinned(endpoint, pin))
        queue.put(.liveness(other, .answering, roundTrip: nil))
        for _ in 0...ConnectionEvents.eventsKept { queue.put(.removed(CredentialID())) }
        queue.put(.liveness(endpoint, .suspect, roundTrip: nil))
        queue.put(.liveness(other, nil, roundTrip: nil))
        let found = takeAll()
        #expect(found.first == .some(nil))
        #expect(
            Set(found.dropFirst()) == [
                .liveness(endpoint, .suspect, roundTrip: nil), .liveness(other, nil, roundTrip: nil),
                .pinned(endpoint, pin),
            ]
        )
        #expect(found.count == 4)
        #expect(takeAll() == [])
    }

    /// Liveness of any number of endpoints waits without causing a snapshot.
    @Test func livenessEventsCauseNoSnapshot() {
        #expect(takeAll() == [nil])
        for number in 0..<2_000 {
            let endpoint = Endpoint(address: .v4(IPv4Address(bits: UInt32(number))), port: 1)
            queue.put(.liveness(endpoint, .answering, roundTrip: nil))
        }
        let found = takeAll()
        #expect(found.count == 2_000 && !found.contains(nil))
    }
}
