import Testing

@testable import Pairing

/// The queue of events that wait for one reader.
@Suite struct EventQueueTests {
    private let queue = EventQueue()

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

    /// A reader that has missed events gets a snapshot in their place, and then what comes after it.
    @Test func aSlowReaderGetsASnapshot() {
        #expect(takeAll() == [nil])
        for _ in 0...ConnectionEvents.eventsKept { queue.put(.removed(CredentialID())) }
        #expect(takeAll() == [nil])
        let last = CredentialID()
        queue.put(.removed(last))
        #expect(takeAll() == [.removed(last)])
    }
}
