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
            Issue.record("not found")
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

    @Test mutating func nobodyHearsOfWhatGoesBeforeItIsResolved() {
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
            Issue.record("not lost")
            return
        }
        #expect(service.port == 3_000)
        #expect(table.services.isEmpty)
    }

    @Test mutating func repeatedNewsIsNoNews() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        #expect(table.apply(.sighted(Samples.sighting("a"))) == nil)
        #expect(table.apply(.vanished(Samples.instance("a"), Samples.eth1, .withdrawn)) == nil)
        #expect(table.apply(.vanished(Samples.instance("b"), Samples.eth0, .withdrawn)) == nil)
    }

    @Test mutating func aspectsNameWhatChanged() {
        _ = table.apply(.sighted(Samples.sighting("a")))
        #expect(table.apply(.sighted(Samples.sighting("a", txt: "2"))).map(Samples.aspects) == [.txt])
        #expect(
            table.apply(.sighted(Samples.sighting("a", port: 1, txt: "2"))).map(Samples.aspects) == [.paths, .port]
        )
    }

    /// A path that is still being looked up is not told; when it is settled, it is.
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
}
