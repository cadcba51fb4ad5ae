import DNSSD
import TestSupport
import Testing

@testable import Scanning

/// Crowds, which are read page by page.
@Suite(.timeLimit(.minutes(1))) struct OutlineTests {
    private let constellation = Constellation()

    private static func service(_ number: Int) -> DiscoveredService {
        Samples.service("service \(number)", at: [UInt8(number % 200 + 1)], port: UInt16(2_000 + number))
    }

    private func rows(_ outline: ConstellationOutline) async -> [Gateway] {
        var rows: [Gateway] = []
        for page in 0..<outline.rowPages { rows += await constellation.rows(on: page, of: outline) }
        return rows
    }

    private func services(_ outline: ConstellationOutline) async -> [DiscoveredService] {
        var services: [DiscoveredService] = []
        for page in 0..<outline.servicePages { services += await constellation.services(on: page, of: outline) }
        return services
    }

    /// As long as nothing changes, the pages have what a snapshot has, in its order.
    @Test func pagesHaveWhatASnapshotHas() async {
        await constellation.apply((0..<700).map { .serviceFound(Self.service($0)) })
        let (snapshot, outline) = (await constellation.snapshot, await constellation.outline())
        #expect(await constellation.isCrowd && snapshot.isCrowd)
        #expect(outline.revision == snapshot.revision)
        #expect(await rows(outline) == snapshot.gateways)
        #expect(await services(outline) == snapshot.services)
        let last = Self.service(700)
        #expect(await constellation.unknown(among: [Self.service(3), last]) == [last])
    }

    /// A page that is read late has what is there then; what has gone is left out, and what has
    /// come is told by the changes after the outline's revision.
    @Test func pagesThatAreReadLateHaveWhatIsThere() async {
        let all = (0..<2_000).map { Self.service($0) }
        await constellation.apply(all.map { .serviceFound($0) })
        let outline = await constellation.outline()
        await constellation.apply(all.dropFirst(100).map { .serviceLost($0.instance, .withdrawn) })
        await constellation.apply(.serviceFound(Self.service(5_000)))
        let snapshot = await constellation.snapshot
        #expect(Set(await services(outline)).isSubset(of: Set(snapshot.services)))
        #expect(Set(await rows(outline)).isSubset(of: Set(snapshot.gateways)))
        #expect(Set(all.prefix(100)).isSubset(of: Set(await services(outline))))
    }

    /// A reader who stops holds few changes, however many came, and gets all of them when it goes on.
    @Test func aReaderIsGivenLittleAtATime() async {
        let reader = UpdateReader(constellation, of: .services, after: nil)
        _ = await reader.next { $0.takeUpdate() }
        for number in 0..<300 { await constellation.apply(.serviceFound(Self.service(number))) }
        guard case .changes(let first, 1)? = await reader.next({ $0.takeUpdate() }) else {
            Issue.record("expected the first change")
            return
        }
        #expect(first.count == 1)
        let held = reader.revision
        #expect(held.map { $0 < 64 } == true, "it holds all up to \(String(describing: held))")
        var last: UInt64 = 1
        while last < 300 {
            guard let update = await reader.next({ $0.takeUpdate() }) else { break }
            #expect(update.revision == last + 1)
            last = update.revision
        }
        #expect(last == 300)
    }

    /// Whoever wants to know the size of the crowd is told the latest.
    @Test func theSizeIsTold() async {
        var sizes = await constellation.crowdSizes().makeAsyncIterator()
        #expect(await sizes.next() == 0)
        for number in 0..<3 { await constellation.apply(.serviceFound(Self.service(number))) }
        #expect(await sizes.next() == 3)
        await constellation.apply(.serviceLost(Self.service(1).instance, .withdrawn))
        #expect(await sizes.next() == 2)
    }
}
