import DNSSD
import GatewayProtocol
import Synchronization
import TestSupport
import Testing

@testable import Scanning

/// The actor that owns the map, and the updates that its readers get.
@Suite(.timeLimit(.minutes(1))) struct ConstellationTests {
    private let constellation = Constellation()

    private static func endpoint(_ number: Int) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(number))), port: 3_000)
    }

    /// A reader first gets a snapshot of the map, and then the changes that follow it.
    @Test func aReaderBeginsWithTheMap() async {
        await constellation.apply(.endpointAdded(Self.endpoint(1), .local))
        var updates = constellation.updates.makeAsyncIterator()
        let first = await updates.next(isolation: nil)
        #expect(first == .snapshot(await constellation.snapshot))
        let revision = await constellation.snapshot.revision
        let changes = await constellation.apply(.endpointAdded(Self.endpoint(2), .local))
        #expect(await updates.next(isolation: nil) == changes.first.map { .change($0, revision: revision + 1) })
    }

    /// An observer receives every event in order, so that a recording of the events leads to the same map.
    @Test func anObserverSeesEveryEventInOrder() async {
        let seen = Mutex<[BotMapEvent]>([])
        let constellation = Constellation(observer: { event in seen.withLock { $0.append(event) } })
        let events: [BotMapEvent] = (0..<10).map { .endpointAdded(Self.endpoint($0), .local) }
        await constellation.apply(events[0])
        await constellation.apply(events[1...])
        #expect(seen.withLock { $0 } == events)
    }

    @Test func everyReaderGetsEveryChange() async {
        var readers = (0..<3).map { _ in constellation.updates.makeAsyncIterator() }
        for index in readers.indices { _ = await readers[index].next(isolation: nil) }
        for number in 0..<100 { await constellation.apply(.endpointAdded(Self.endpoint(number), .local)) }
        for index in readers.indices {
            for number in 0..<100 {
                guard case .change(.found(let gateway), _) = await readers[index].next(isolation: nil) else {
                    Issue.record("no change \(number)")
                    return
                }
                #expect(gateway.id == .candidate(.endpoint(Self.endpoint(number))))
            }
        }
    }

    /// A reader of the current rows gets them at first, and then once after any number of changes.
    @Test func aReaderOfTheRowsGetsThePresentOnes() async {
        var rows = constellation.currentGateways.makeAsyncIterator()
        #expect(await rows.next(isolation: nil) == [])
        for number in 0..<10 { await constellation.apply(.endpointAdded(Self.endpoint(number), .local)) }
        #expect(await rows.next(isolation: nil) == constellation.gateways)
        await constellation.apply(.endpointAdded(Self.endpoint(10), .local))
        #expect(await rows.next(isolation: nil)?.count == 11)
        await constellation.finish()
        #expect(await rows.next(isolation: nil) == nil)
    }

    /// A reader that has missed more changes than are kept gets a snapshot instead, and then the changes that follow
    /// it.
    @Test func aSlowReaderGetsASnapshotInPlaceOfWhatItMissed() async {
        var updates = constellation.updates.makeAsyncIterator()
        _ = await updates.next(isolation: nil)
        await constellation.apply(
            (0...ConstellationUpdates.changesKept).map { .endpointAdded(Self.endpoint($0), .local) }
        )
        guard case .snapshot(let snapshot) = await updates.next(isolation: nil) else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.gateways.count == ConstellationUpdates.changesKept + 1)
        let revision = await constellation.snapshot.revision
        let changes = await constellation.apply(.endpointRemoved(Self.endpoint(0)))
        #expect(await updates.next(isolation: nil) == changes.first.map { .change($0, revision: revision + 1) })
    }

    /// Problems among the missed changes are in the snapshot that takes their place.
    @Test func problemsOutliveTheChangesTheyWereAmong() async throws {
        let bot = try #require(BotID("b"))
        let key = BotKey(gateway: .candidate(.endpoint(Self.endpoint(1))), bot: bot)
        var updates = constellation.updates.makeAsyncIterator()
        _ = await updates.next(isolation: nil)
        await constellation.apply(.stateChanged(key, .connected))
        await constellation.apply(
            (0...ConstellationUpdates.changesKept).map { .endpointAdded(Self.endpoint($0), .local) }
        )
        guard case .snapshot(let snapshot) = await updates.next(isolation: nil) else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.missedProblems == [.refusedTransition(key, from: .discovered, to: .connected)])
    }

    /// The revision of a change shows whether a snapshot that was taken elsewhere contains it.
    @Test func revisionsTellWhichChangesASnapshotHas() async {
        var updates = constellation.updates.makeAsyncIterator()
        guard let first = await updates.next(isolation: nil) else { return }
        await constellation.apply((0..<3).map { .endpointAdded(Self.endpoint($0), .local) })
        await constellation.apply(.endpointAdded(Self.endpoint(0), .local))
        let snapshot = await constellation.snapshot
        await constellation.apply(.endpointAdded(Self.endpoint(3), .local))
        var picture = Set(snapshot.gateways.map(\.id))
        var last = first.revision
        for _ in 0..<4 {
            guard let update = await updates.next(isolation: nil),
                case .change(.found(let gateway), let revision) = update
            else {
                Issue.record("no change")
                return
            }
            #expect(revision >= last && revision > first.revision)
            last = revision
            #expect(picture.contains(gateway.id) == (revision <= snapshot.revision))
            picture.insert(gateway.id)
        }
        #expect(picture == Set(await constellation.gateways.map(\.id)))
        #expect(await constellation.snapshot.revision == last)
    }

    @Test func aReaderThatIsCancelledEnds() async {
        let task = Task {
            var count = 0
            for await _ in constellation.updates { count += 1 }
            return count
        }
        while await constellation.readerCount == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == 1)
        #expect(await constellation.readerCount == 0)
    }

    @Test func finishingEndsAllReaders() async {
        var early = constellation.updates.makeAsyncIterator()
        _ = await early.next(isolation: nil)
        await constellation.apply(.endpointAdded(Self.endpoint(1), .local))
        await constellation.finish()
        #expect(await early.next(isolation: nil) != nil)
        #expect(await early.next(isolation: nil) == nil)
        var late = constellation.updates.makeAsyncIterator()
        #expect(await late.next(isolation: nil) != nil)
        #expect(await late.next(isolation: nil) == nil)
    }

    /// An iterator that is no longer used is not counted as a reader.
    @Test func aReaderThatIsGoneIsForgotten() async {
        do {
            var updates = constellation.updates.makeAsyncIterator()
            _ = await updates.next(isolation: nil)
            #expect(await constellation.readerCount == 1)
        }
        #expect(await constellation.readerCount == 0)
    }

    /// Every reader has the present map once it has read everything, at whatever pace it reads.
    @Test func everyReaderArrivesAtTheMap() async {
        var random = SeededGenerator.forFuzzing("readers of a constellation")
        var readers = (0..<4).map { _ in constellation.updates.makeAsyncIterator() }
        var pictures: [[GatewayID: Gateway]] = Array(repeating: [:], count: readers.count)
        for round in 0..<1_200 {
            let endpoint = Self.endpoint(Int(random.next() % 50))
            let isAdded = random.next() & 1 == 0
            await constellation.apply(isAdded ? .endpointAdded(endpoint, .local) : .endpointRemoved(endpoint))
            // Reader 0 reads in each round, the others more and more rarely.
            for index in readers.indices where round % (1 + 200 * index) == 0 {
                // The row of this endpoint is the last change that the reader has to wait for.
                let marker = Self.endpoint(1_000 + round * 8 + index)
                await constellation.apply(.endpointAdded(marker, .local))
                await Self.read(&readers[index], into: &pictures[index], upTo: .candidate(.endpoint(marker)))
                #expect(pictures[index].values.sorted { $0.id < $1.id } == (await constellation.gateways))
                await constellation.apply(.endpointRemoved(marker))
            }
        }
    }

    private static func read(
        _ reader: inout some AsyncIteratorProtocol<MapUpdate, Never>,
        into picture: inout [GatewayID: Gateway],
        upTo marker: GatewayID
    ) async {
        while picture[marker] == nil, let update = await reader.next(isolation: nil) {
            switch update {
            case .snapshot(let snapshot):
                picture = Dictionary(uniqueKeysWithValues: snapshot.gateways.map { ($0.id, $0) })
            case .change(.found(let gateway), _), .change(.changed(let gateway, _), _): picture[gateway.id] = gateway
            case .change(.lost(let gateway), _), .change(.joined(let gateway, _), _): picture[gateway.id] = nil
            case .change(.problem, _): break
            }
        }
    }
}
