import DNSSD
import Testing

@testable import Discovery

@Suite("Accompaniment") struct AccompanimentTests {
    private var both = Accompaniment()

    private func seen(_ name: String, on path: ServicePath = Samples.eth0, port: UInt16 = 3_000) -> BrowseEvent {
        var sighting = Samples.sighting(name, on: path, port: port)
        sighting.source = .oneShot
        return .sighted(sighting)
    }

    private func key(_ name: String, on path: ServicePath = Samples.eth0) -> Accompaniment.Key {
        Accompaniment.Key(instance: Samples.instance(name), path: path)
    }

    private func gone(_ name: String, _ reason: LossReason = .withdrawn) -> BrowseEvent {
        .vanished(Samples.instance(name), Samples.eth0, reason)
    }

    @Test("what the query sees counts until the backend has resolved it, and then the backend's word does")
    mutating func givingWay() {
        #expect(both.oneShotTold([seen("a")]) == [seen("a")])
        let listed = both.backendTold([.sighted(Samples.sighting("a", .resolving))])
        #expect(listed.events.isEmpty && listed.confirmed.isEmpty)
        let resolved = both.backendTold([.sighted(Samples.sighting("a"))])
        #expect(resolved.events == [.sighted(Samples.sighting("a"))])
        #expect(resolved.confirmed == [key("a")])
        #expect(both.oneShotTold([seen("a", port: 9), gone("a", .unanswered)]).isEmpty)
        #expect(both.backendTold([.sighted(Samples.sighting("a", port: 4))]).confirmed.isEmpty)
    }

    @Test("a backend that cannot resolve what the query sees is not told of; if the query loses it, it is")
    mutating func unresolved() {
        let failed = Samples.sighting("a", .failed(reason: "no SRV"))
        #expect(both.backendTold([.sighted(failed)]).events == [.sighted(failed)])
        #expect(both.oneShotTold([seen("a")]) == [seen("a")])
        #expect(both.backendTold([.sighted(failed)]).events.isEmpty)
        #expect(both.oneShotTold([gone("a", .unanswered)]) == [.sighted(failed)])
        #expect(both.backendTold([.sighted(failed)]).events == [.sighted(failed)])
    }

    @Test("what the backend says is gone is gone, whoever saw it, and can come again")
    mutating func goodbye() {
        _ = both.oneShotTold([seen("a")])
        let outcome = both.backendTold([.sighted(Samples.sighting("a", .resolving)), gone("a")])
        #expect(outcome.events == [gone("a")])
        #expect(outcome.gone == [key("a")])
        #expect(both.oneShotTold([gone("a", .unanswered)]).isEmpty)
        #expect(both.oneShotTold([seen("a")]) == [seen("a")])
    }

    @Test("paths are apart: what is confirmed on one is not on another")
    mutating func paths() {
        _ = both.oneShotTold([seen("a"), seen("a", on: Samples.eth1)])
        #expect(both.backendTold([.sighted(Samples.sighting("a"))]).confirmed == [key("a")])
        #expect(both.oneShotTold([seen("a", on: Samples.eth1, port: 5)]) == [seen("a", on: Samples.eth1, port: 5)])
    }

    @Test("whether the browse works is the backend's to say")
    mutating func status() {
        #expect(both.backendTold([.status(.running)]).isStatusNew)
        #expect(both.isBackendRunning)
        let outcome = both.backendTold([.status(.unavailable(Samples.noDaemon))])
        #expect(outcome.events == [.status(.unavailable(Samples.noDaemon))])
        #expect(!both.isBackendRunning)
        #expect(both.oneShotTold([.status(.running), .activity(.idle)]).isEmpty)
        let warning = BrowseEvent.warning(BackendWarning(.notConfirmed, "x"))
        #expect(both.oneShotTold([warning]) == [warning])
    }

    @Test("to a service table, the backend's sighting of the same is no change")
    mutating func noFlap() {
        var table = ServiceTable()
        for event in both.oneShotTold([seen("a")]) {
            #expect(table.apply(event) != nil)
        }
        for event in both.backendTold([.sighted(Samples.sighting("a"))]).events {
            #expect(table.apply(event) == nil)
        }
        #expect(table.services[Samples.instance("a")]?.sightings.values.map(\.source.rawValue) == ["fake"])
    }
}
