import DNSSD
import TestSupport
import Testing

@testable import Discovery

@Suite struct ServiceTableTests {
    private var table = ServiceTable()

    @Test mutating func serviceIsFoundWhenItIsResolved() {
        #expect(table.apply(.sighted(Samples.sighting("a", .resolving))) == nil)
        #expect(table.unsettled == 1)
        guard case .found(let service) = table.apply(.sighted(Samples.sighting("a"))) else {
            Issue.record("the service is not reported as found")
            return
        }
        #expect(service.port == 3_000)
        #expect(table.unsettled == 0)
    }

    @Test mutating func serviceIsFoundWhenItCannotBeResolved() {
        _ = table.apply(.sighted(Samples.sighting("a", .resolving)))
        let change = table.apply(.sighted(Samples.sighting("a", .failed(reason: "no SRV record"))))
        #expect(change.map(Samples.kind) == "found")
        #expect(table.unsettled == 0)
    }

    @Test mutating func unresolvedServiceThatVanishesIsNotReported() {
        #expect(table.apply(.sighted(Samples.sighting("a", .resolving))) == nil)
        #expect(table.apply(.vanished(Samples.instance("a"), Samples.eth0, .withdrawn)) == nil)
        #expect(table.services.isEmpty)
        #expect(table.unsettled == 0)
    }

    @Test mutating func serviceIsLostWithItsLastPathOnly() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        let second = table.apply(.sighted(Samples.sighting("a", on: Samples.eth1)))
        #expect(second.map(Samples.aspects) == [.paths])
        let first = table.apply(.vanished(Samples.instance("a"), Samples.eth0, .interfaceDown))
        #expect(first.map(Samples.aspects) == [.paths])
        guard
            case .lost(let service, .withdrawn) =
                table.apply(.vanished(Samples.instance("a"), Samples.eth1, .withdrawn))
        else {
            Issue.record("the service is not reported as lost")
            return
        }
        #expect(service.port == 3_000)
        #expect(table.services.isEmpty)
    }

    @Test mutating func repeatedEventsAreNotReported() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        #expect(table.apply(.sighted(Samples.sighting("a"))) == nil)
        #expect(table.apply(.vanished(Samples.instance("a"), Samples.eth1, .withdrawn)) == nil)
        #expect(table.apply(.vanished(Samples.instance("b"), Samples.eth0, .withdrawn)) == nil)
    }

    /// A sighting keeps the addresses that it was heard from while the service stays at the same host and port, even if
    /// another backend reports it from then on.
    @Test mutating func sendersAreKeptWhileServiceStaysInPlace() {
        let address = IPAddress.v4(IPv4Address(bits: 0x0A00_0001))
        let twin = ServicePath(interface: Samples.eth0.interface, family: .ipv6)
        var first = Samples.sighting("a", on: twin, from: .embedded)
        first.heardFrom = [address]
        _ = table.apply(.sighted(first))
        // The daemon's sighting is on the path that represents both families.
        let theirs = table.apply(.sighted(Samples.sighting("a")))
        #expect(theirs?.service.sightings[Samples.eth0]?.heardFrom == [address])
        _ = table.apply(.vanished(first.instance, twin, .withdrawn))
        #expect(table.apply(.sighted(Samples.sighting("a"))) == nil)
        #expect(table.services[first.instance]?.sightings[Samples.eth0]?.firstHandAddresses == [address])
        // The addresses are not kept for another interface or another port.
        let other = table.apply(.sighted(Samples.sighting("a", on: Samples.eth1)))
        #expect(other?.service.sightings[Samples.eth1]?.heardFrom == [])
        let moved = table.apply(.sighted(Samples.sighting("a", port: 4_000)))
        #expect(moved?.service.sightings[Samples.eth0]?.heardFrom == [])
    }

    /// A source that has a path for each family says for each from whom it has heard: to add those of the other one would give
    /// each of thousands of sightings a copy of its own.
    @Test mutating func sendersOfTheOtherFamilyStayThere() {
        let twin = ServicePath(interface: Samples.eth0.interface, family: .ipv6)
        var first = Samples.sighting("a")
        first.heardFrom = [.v4(IPv4Address(bits: 0x0A00_0001))]
        var second = Samples.sighting("a", on: twin)
        second.heardFrom = [.v6(IPv6Address(bits: 1))]
        _ = table.apply(.sighted(first))
        _ = table.apply(.sighted(second))
        #expect(table.services[first.instance]?.sightings == [Samples.eth0: first, twin: second])
    }

    /// A change of the addresses that a service was heard from alone is not reported, and does not make that sighting
    /// the leading one.
    @Test mutating func changedSendersAreNoReport() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        _ = table.apply(.sighted(Samples.sighting("a", on: Samples.eth1, port: 4_000)))
        var again = Samples.sighting("a")
        again.heardFrom = again.addresses
        #expect(table.apply(.sighted(again)) == nil)
        #expect(table.services[again.instance]?.port == 4_000, "the sighting does not become the leading one")
        again.isOwn = true
        #expect(table.apply(.sighted(again)).map(Samples.aspects)?.contains(.ownership) == true)
    }

    @Test mutating func aspectsNameWhatChanged() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        #expect(table.apply(.sighted(Samples.sighting("a", txt: "2"))).map(Samples.aspects) == [.txt])
        #expect(
            table.apply(.sighted(Samples.sighting("a", port: 1, txt: "2"))).map(Samples.aspects) == [.paths, .port]
        )
    }

    /// Aspects are computed against the last report: a further path is reported once its resolution has ended, not
    /// while it is still being resolved.
    @Test mutating func aspectsAreToldAgainstWhatWasToldBefore() {
        let failed = Resolution.failed(reason: "no SRV record")
        _ = table.apply(.sighted(Samples.sighting("a", failed)))
        #expect(table.apply(.sighted(Samples.sighting("a", on: Samples.eth1, .resolving))) == nil)
        #expect(table.announcedServices.map(\.resolution) == [failed])
        let change = table.apply(.sighted(Samples.sighting("a", on: Samples.eth1, failed)))
        #expect(change.map(Samples.aspects) == [.paths])
    }

    @Test mutating func anyEventsKeepTheCountOfWhatIsUnsettled() {
        var random = SeededGenerator.forFuzzing("service table")
        for _ in 0..<TestCases.count(20_000) {
            let event = Samples.anyEvent(&random)
            let known = Set(table.announcedServices.map(\.instance))
            let change = table.apply(event)
            #expect(table.unsettled == table.services.values.count { !$0.resolution.isSettled })
            #expect(table.services.values.allSatisfy { !$0.sightings.isEmpty })
            switch change {
            case .found(let service): #expect(!known.contains(service.instance))
            case .changed(let service, let aspects): #expect(known.contains(service.instance) && !aspects.isEmpty)
            case .lost(let service, _): #expect(known.contains(service.instance))
            case nil: break
            }
        }
    }

    // MARK: Limits

    /// Returns a sighting of a service on the given host.
    private func sighting(_ name: String, host: DomainName) -> Sighting {
        var sighting = Samples.sighting(name)
        sighting.host = host
        return sighting
    }

    /// Admits and applies a sighting as a browser does, and returns the decision as text.
    private func take(_ sighting: Sighting, into table: inout ServiceTable) -> String {
        var random = SystemRandomNumberGenerator()
        switch table.admit(sighting, using: &random) {
        case .admitted:
            _ = table.apply(.sighted(sighting))
            return "in"
        case .inPlaceOf(let change):
            _ = table.apply(.sighted(sighting))
            return "for \(change?.service.instance.name ?? "nobody")"
        case .refused:
            return "out"
        }
    }

    /// When the table is full, the host with the most services loses its newest one to a new service of another host,
    /// and gets no more services itself.
    @Test func pastTheLimitTheHostWithMostLosesItsNewest() {
        var table = ServiceTable(maximum: 3)
        for name in ["f1", "f2", "f3"] { #expect(take(sighting(name, host: "forger.local"), into: &table) == "in") }
        #expect(take(sighting("f4", host: "forger.local"), into: &table) == "out")
        #expect(take(sighting("real", host: "real.local"), into: &table) == "for f3")
        #expect(take(sighting("f1", host: "forger.local"), into: &table) == "in", "a known service needs no room")
        #expect(table.services.count == 3)
        #expect(table.leftOut == 2)
    }

    /// A protected service is never dropped, and is admitted however many services its host has.
    @Test func whatIsKeptIsNeverGivenUp() {
        var table = ServiceTable(maximum: 2)
        for name in ["a", "b"] {
            table.protect(Samples.instance(name), true)
            #expect(take(sighting(name, host: "host.local"), into: &table) == "in")
        }
        #expect(take(sighting("c", host: "other.local"), into: &table) == "out")
        table.protect(Samples.instance("a"), false)
        #expect(take(sighting("c", host: "other.local"), into: &table) == "for a")
        #expect(take(sighting("d", host: "other.local"), into: &table) == "out", "no host has more services")
        table.protect(Samples.instance("d"), true)
        #expect(take(sighting("d", host: "other.local"), into: &table) == "for c")
    }

    /// The table never holds more services than the limit, whatever services appear, vanish and move to other hosts.
    @Test func theLimitHolds() throws {
        var random = SeededGenerator.forFuzzing("theLimitHolds")
        var table = ServiceTable(maximum: 20)
        for _ in 0..<5_000 {
            let name = "s\(random.next() % 60)"
            switch random.next() % 6 {
            case 0: _ = table.apply(.vanished(Samples.instance(name), Samples.eth0, .withdrawn))
            case 1: table.protect(Samples.instance(name), random.next() % 4 == 0)
            default: _ = take(sighting(name, host: try DomainName(escaped: "h\(random.next() % 9)")), into: &table)
            }
            #expect(table.services.count <= 20)
        }
    }
}
