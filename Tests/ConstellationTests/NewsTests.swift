import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The one stream of all that a constellation shows.
@Suite(.timeLimit(.minutes(1))) struct NewsTests {
    private let constellation = Constellation()
    private static let service = Samples.service("a", at: [1])
    private static let away = BackendCondition(
        source: .avahi,
        status: .unavailable(BackendError(.noDaemon, "no daemon")),
        losses: BackendLosses(entries: 3)
    )

    private func add(_ number: UInt8) async {
        await constellation.apply(.endpointAdded(Samples.endpoint(number), .local))
    }

    /// A service comes before the row that it leads to, in one update; a condition is one of its own.
    @Test func everythingComesInOneOrder() async {
        var news = constellation.news().makeAsyncIterator()
        #expect(await news.next() == .snapshot(await constellation.snapshot))
        await constellation.apply(.serviceFound(Self.service))
        await constellation.note(Self.away)
        await constellation.note(Self.away)
        await constellation.apply(.serviceLost(Self.service.instance, .interfaceDown))
        guard case .changes(let found, 1)? = await news.next(), found.count == 2,
            case .gateway(.found(let row)) = found[1]
        else {
            Issue.record("no row")
            return
        }
        #expect(found[0] == .service(.found(Self.service)))
        #expect(await news.next() == .changes([.backend(Self.away)], revision: 2))
        #expect(
            await news.next()
                == .changes(
                    [.service(.lost(Self.service, .interfaceDown)), .gateway(.lost(row))],
                    revision: 3
                )
        )
    }

    /// Only what shows in some aspect is a change of a service.
    @Test func aServiceChangesInItsAspects() async {
        var news = constellation.news(of: .services).makeAsyncIterator()
        _ = await news.next()
        let moved = Samples.service("a", at: [2])
        var heard = moved
        for path in moved.paths {
            guard var sighting = moved.sightings[path] else { continue }
            sighting.heardFrom = [Samples.address(9)]
            heard.record(sighting)
        }
        await constellation.apply([.serviceFound(Self.service), .serviceFound(moved)])
        await constellation.apply(.serviceFound(heard))
        await constellation.apply(.serviceLost(Self.service.instance))
        #expect(
            await news.next()
                == .changes(
                    [.service(.found(Self.service)), .service(.changed(moved, [.addresses, .paths]))],
                    revision: 1
                )
        )
        guard case .changes(let changes, _)? = await news.next(),
            case .service(.lost(let lost, .withdrawn))? = changes.first
        else {
            Issue.record("no loss")
            return
        }
        #expect(lost.addresses == [Samples.address(2)])
    }

    /// A reader is told only of what it asked for, in snapshots too, and is not woken for anything else.
    @Test func aReaderChoosesItsTopics() async {
        await constellation.apply(.serviceFound(Self.service))
        await constellation.note(Self.away)
        var conditions = constellation.news(of: .backends).makeAsyncIterator()
        guard case .snapshot(let snapshot)? = await conditions.next() else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.backends == [Self.away] && snapshot.services.isEmpty && snapshot.gateways.isEmpty)
        await add(7)
        let running = BackendCondition(source: .avahi, status: .running)
        await constellation.note(running)
        #expect(await conditions.next() == .changes([.backend(running)], revision: 4))
    }

    /// A reader that was interrupted goes on after the last revision that it had, and gets a snapshot when what it missed is
    /// not kept any more, or when the revision is not one of this constellation.
    @Test func aReaderGoesOnWhereItWas() async {
        for number in 1...5 { await add(UInt8(number)) }
        var resumed = constellation.news(after: 3).makeAsyncIterator()
        for revision in 4...5 {
            guard case .changes(let changes, UInt64(revision))? = await resumed.next() else {
                Issue.record("no revision \(revision)")
                return
            }
            #expect(changes.count == 1)
        }
        var upToDate = constellation.news(after: 5).makeAsyncIterator()
        await add(6)
        #expect(await upToDate.next()?.revision == 6)
        var stranger = constellation.news(after: 99).makeAsyncIterator()
        #expect(await stranger.next() == .snapshot(await constellation.snapshot))
        for _ in 0...ConstellationUpdates.changesKept {
            await constellation.note(BackendCondition(source: .avahi, status: .running))
            await constellation.note(BackendCondition(source: .avahi, status: .starting))
        }
        var late = constellation.news(after: 3).makeAsyncIterator()
        #expect(await late.next() == .snapshot(await constellation.snapshot))
    }

    /// Whatever is cut off where, a reader that resumes has what is shown: as a client of an agent that reconnects.
    @Test func interruptedReadersArriveAtWhatIsShown() async throws {
        var random = SeededGenerator.forFuzzing("interrupted readers")
        var news = constellation.news().makeAsyncIterator()
        var picture = Picture()
        for round in 0..<2_000 {
            let number = UInt8(random.next() % 40)
            let service = Samples.service("s\(number)", at: [number, UInt8(random.next() % 40)])
            switch random.next() % 4 {
            case 0: await constellation.apply(.serviceLost(service.instance))
            case 1:
                await constellation.apply(
                    (0..<random.next() % 30).map { .endpointAdded(Samples.endpoint(UInt8($0)), .local) }
                )
            case 2: await constellation.apply(.endpointRemoved(Samples.endpoint(number)))
            default: await constellation.apply(.serviceFound(service))
            }
            if random.next() % 8 == 0 {
                news = constellation.news(after: picture.revision).makeAsyncIterator()
            }
            guard round % 7 == 0 || round > 1_990 else { continue }
            // A change that it has to wait for.
            let isRunning = round % 2 == 0
            await constellation.note(BackendCondition(source: .avahi, status: isRunning ? .running : .starting))
            let shown = await constellation.snapshot
            while picture.revision ?? 0 < shown.revision, let update = await news.next() { picture.take(update) }
            #expect(picture.rows == Dictionary(uniqueKeysWithValues: shown.gateways.map { ($0.id, $0) }))
            #expect(picture.services == Dictionary(uniqueKeysWithValues: shown.services.map { ($0.instance, $0) }))
        }
    }

    /// Nothing is kept for readers that do not read.
    @Test func readersThatNeverReadHoldNobodyUp() async {
        var idle = (0..<60).map { _ in constellation.news().makeAsyncIterator() }
        for index in idle.indices { _ = await idle[index].next() }
        var reader = constellation.news().makeAsyncIterator()
        _ = await reader.next()
        for number in 0..<2_000 {
            await constellation.note(BackendCondition(source: .avahi, status: number % 2 == 0 ? .running : .starting))
            guard case .changes? = await reader.next() else {
                Issue.record("\(number) was missed")
                return
            }
        }
        guard case .snapshot? = await idle[0].next() else {
            Issue.record("no snapshot")
            return
        }
    }

    /// The state that a reader has from all updates.
    private struct Picture {
        var revision: UInt64?
        var rows: [GatewayID: Gateway] = [:]
        var services: [ServiceInstance: DiscoveredService] = [:]

        mutating func take(_ update: ConstellationUpdate) {
            revision = update.revision
            switch update {
            case .snapshot(let snapshot):
                rows = Dictionary(uniqueKeysWithValues: snapshot.gateways.map { ($0.id, $0) })
                services = Dictionary(uniqueKeysWithValues: snapshot.services.map { ($0.instance, $0) })
            case .changes(let changes, _):
                for change in changes {
                    switch change {
                    case .gateway(.found(let row)), .gateway(.changed(let row, _)): rows[row.id] = row
                    case .gateway(.lost(let row)), .gateway(.joined(let row, _)): rows[row.id] = nil
                    case .gateway(.problem), .backend, .session: break
                    case .service(.found(let service)), .service(.changed(let service, _)):
                        services[service.instance] = service
                    case .service(.lost(let service, _)): services[service.instance] = nil
                    }
                }
            }
        }
    }
}
