import DNSSD
import Testing

@testable import Discovery

@Suite("Accompaniment") struct AccompanimentTests {
    private var both = Accompaniment()

    private let now = ContinuousClock.now

    /// Takes in events of the query and returns those that the browser is told, apart from the time that the backend is
    /// given.
    private mutating func told(_ events: [BrowseEvent]) -> [BrowseEvent] {
        both.oneShotTold(events, now: now).filter { if case .activity = $0 { false } else { true } }
    }

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
        #expect(told([seen("a")]) == [seen("a")])
        let listed = both.backendTold([.sighted(Samples.sighting("a", .resolving))])
        // Not told of the instance, the browser is told that there is more to wait for.
        #expect(listed.events == [.activity(.busy)] && listed.confirmed.isEmpty)
        let resolved = both.backendTold([.sighted(Samples.sighting("a"))])
        #expect(resolved.events == [.sighted(Samples.sighting("a")), .activity(.idle)])
        #expect(resolved.confirmed == [key("a")])
        #expect(told([seen("a", port: 9), gone("a", .unanswered)]).isEmpty)
        #expect(both.backendTold([.sighted(Samples.sighting("a", port: 4))]).confirmed.isEmpty)
    }

    @Test("what a program of this host answers for is its own, as long as it is at the same place")
    mutating func ownServices() {
        var own = Samples.sighting("a")
        own.isOwn = true
        own.heardFrom = own.addresses
        #expect(both.ownHostTold([own]).isEmpty, "the backend does not see it")
        #expect(both.backendTold([.sighted(Samples.sighting("a"))]).resolved == [Samples.sighting("a")])
        #expect(both.ownHostTold([own]) == [.sighted(own)])
        #expect(both.ownHostTold([own]).isEmpty)
        let again = both.backendTold([.sighted(Samples.sighting("a", txt: "2"))])
        #expect(again.resolved.isEmpty, "it need not be asked for again")
        guard case .sighted(let told) = again.events.first else {
            Issue.record("\(again.events)")
            return
        }
        #expect(told.isOwn && told.txt == Samples.txt("2"))
        let moved = both.backendTold([.sighted(Samples.sighting("a", port: 4))])
        #expect(moved.events == [.sighted(Samples.sighting("a", port: 4))])
        #expect(both.ownHostTold([own]).isEmpty, "it was asked for where it is no more")
    }

    @Test("what the query comes to see after the backend it need not follow: it would ask for it for ever")
    mutating func seenLater() {
        _ = both.backendTold([.sighted(Samples.sighting("a"))])
        #expect(told([seen("a"), seen("b")]) == [seen("b")])
        #expect(both.takeConfirmed() == [key("a")])
        #expect(both.takeConfirmed().isEmpty)
    }

    @Test("a backend that cannot resolve what the query sees is not told of; if the query loses it, it is")
    mutating func unresolved() {
        let failed = Samples.sighting("a", .failed(reason: "no SRV"))
        #expect(both.backendTold([.sighted(failed)]).events == [.sighted(failed)])
        #expect(told([seen("a")]) == [seen("a")])
        #expect(both.backendTold([.sighted(failed)]).events.isEmpty)
        #expect(told([gone("a", .unanswered)]) == [.sighted(failed)])
        #expect(both.backendTold([.sighted(failed)]).events == [.sighted(failed)])
    }

    @Test("what the backend says is gone is gone, whoever saw it, and can come again")
    mutating func goodbye() {
        _ = told([seen("a")])
        let outcome = both.backendTold([.sighted(Samples.sighting("a", .resolving)), gone("a")])
        #expect(outcome.events == [gone("a"), .activity(.idle)])
        #expect(outcome.gone == [key("a")])
        #expect(told([gone("a", .unanswered)]).isEmpty)
        #expect(told([seen("a")]) == [seen("a")])
    }

    @Test("paths are apart: what is confirmed on one is not on another")
    mutating func paths() {
        _ = told([seen("a"), seen("a", on: Samples.eth1)])
        #expect(both.backendTold([.sighted(Samples.sighting("a"))]).confirmed == [key("a")])
        #expect(told([seen("a", on: Samples.eth1, port: 5)]) == [seen("a", on: Samples.eth1, port: 5)])
    }

    @Test("whether the browse works is the backend's to say")
    mutating func status() {
        #expect(both.backendTold([.status(.running)]).isStatusNew)
        #expect(both.isBackendRunning)
        let outcome = both.backendTold([.status(.unavailable(Samples.noDaemon))])
        #expect(outcome.events == [.status(.unavailable(Samples.noDaemon))])
        #expect(!both.isBackendRunning)
        #expect(told([.status(.running), .activity(.idle)]).isEmpty)
        let warning = BrowseEvent.warning(BackendWarning(.notConfirmed, "x"))
        #expect(told([warning]) == [warning])
        let losses = BrowseEvent.losses(BackendLosses(packets: 1))
        #expect(told([losses]) == [losses])
        let lost = both.backendTold([losses])
        #expect(lost.events == [losses])
        #expect(lost.hasLost, "the query asks for what the backend has missed")
        #expect(!both.backendTold([.losses(BackendLosses(entries: 1))]).hasLost, "no room is no loss")
    }

    @Test("the backend is given two seconds for its first instance, once, and none when it is at work or has told one")
    mutating func head() {
        let awaited = BrowseEvent.activity(.expecting(until: now + .seconds(2)))
        #expect(both.oneShotTold([seen("a"), seen("b")], now: now) == [awaited, seen("a"), seen("b")])
        #expect(both.oneShotTold([seen("c")], now: now + .seconds(1)) == [seen("c")])
        both = Accompaniment()
        _ = both.backendTold([.activity(.busy)])
        #expect(both.oneShotTold([seen("a")], now: now) == [seen("a")])
        both = Accompaniment()
        _ = both.backendTold([.sighted(Samples.sighting("b"))])
        #expect(both.oneShotTold([seen("a")], now: now) == [seen("a")])
    }

    @Test("to a service table, the backend's sighting of the same is no change")
    mutating func noFlap() {
        var table = ServiceTable()
        for event in told([seen("a")]) {
            #expect(table.apply(event) != nil)
        }
        for event in both.backendTold([.sighted(Samples.sighting("a"))]).events {
            #expect(table.apply(event) == nil)
        }
        #expect(table.services[Samples.instance("a")]?.sightings.values.map(\.source.rawValue) == ["fake"])
    }

    /// Otherwise a service would be shown twice, asked for again and again, and the user told that the daemon does not see it.
    @Test("a backend that tells no families confirms what the query sees by either")
    mutating func familiesThatAreNotTold() {
        both = Accompaniment(tellsFamilies: false)
        let ipv6 = ServicePath(interface: Samples.eth0.interface, family: .ipv6)
        #expect(told([seen("a"), seen("a", on: ipv6)]) == [seen("a"), seen("a", on: ipv6)])
        let resolved = both.backendTold([.sighted(Samples.sighting("a"))])
        #expect(resolved.confirmed == [key("a"), key("a", on: ipv6)])
        // The row of the other family goes after the backend's has come: the service stays.
        #expect(
            resolved.events.prefix(2) == [
                .sighted(Samples.sighting("a")), .vanished(Samples.instance("a"), ipv6, .withdrawn),
            ]
        )
        #expect(told([seen("a", on: ipv6)]).isEmpty)
        let lost = both.backendTold([gone("a")])
        #expect(lost.events == [gone("a")])
        #expect(lost.gone == [key("a"), key("a", on: ipv6)])
        #expect(told([seen("a", on: ipv6)]) == [seen("a", on: ipv6)])
    }
}
