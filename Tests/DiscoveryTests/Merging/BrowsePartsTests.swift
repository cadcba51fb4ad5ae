import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Types and domains that come and go while a browser runs.
@Suite struct BrowsePartsTests {
    private static let chat = ServiceType(checkedName: "chat", transport: .tcp)
    private static let files = ServiceType(checkedName: "files", transport: .tcp)

    /// The orders that are not carried out yet.
    private final class Orders: Sendable {
        private let orders = Mutex<[BrowseParts.Order]>([])

        func append(_ order: BrowseParts.Order) { orders.withLock { $0.append(order) } }

        func take() -> [BrowseParts.Order] {
            orders.withLock { orders in
                defer { orders = [] }
                return orders
            }
        }
    }

    /// A browser's state with the browses that it has ordered, and the time.
    private struct Drive {
        var state = BrowserState()
        var now = ContinuousClock.now
        var browses: [BrowseParts.ID: BrowseRequest] = [:]
        private let orders = Orders()
        private var wakeUps: [ContinuousClock.Instant] = []
        private let reader: ReaderID

        init(_ types: [ServiceType]) {
            _ = state.begin()
            reader = state.addReader()
            let orders = orders
            _ = state.look(
                for: [BrowseRequest(types: types)],
                orders: { order in orders.append(order) },
                now: now
            )
            carryOut()
        }

        mutating func browse(for types: [ServiceType], in domains: [String] = ["local"]) {
            _ = state.look(for: domains.map { BrowseRequest(types: types, domain: $0) }, now: now)
            carryOut()
        }

        /// The browse that looks for a type now, the latest first.
        func browse(of type: ServiceType, in domain: String = "local") -> BrowseParts.ID? {
            browses.filter { $1.types.contains(type) && $1.domain == domain }.keys.max { $0.rawValue < $1.rawValue }
        }

        /// Has a browse report.
        mutating func report(_ events: BrowseEvent..., from id: BrowseParts.ID?) {
            guard let id else { return }
            _ = state.apply(events, from: id, now: now)
            carryOut()
        }

        mutating func pass(_ time: Duration) {
            now += time
            guard wakeUps.contains(where: { $0 <= now }) else { return }
            wakeUps.removeAll { $0 <= now }
            _ = state.tick(now: now)
            carryOut()
        }

        /// Carries out what was ordered so far.
        private mutating func carryOut() {
            for order in orders.take() {
                switch order {
                case .begin(let id, let request): browses[id] = request
                case .end(let id): browses[id] = nil
                case .wake(at: let time): wakeUps.append(time)
                }
            }
        }

        /// The changes since the last time, such as `found a`.
        mutating func news() -> [String] {
            var news: [String] = []
            while case .change(let change) = state.take(for: reader) {
                var text = "\(Samples.kind(change)) \(change.service.instance.name)"
                if case .lost(_, let reason) = change { text += " \(reason)" }
                news.append(text)
            }
            return news
        }
    }

    private static func sighting(
        _ name: String,
        _ type: ServiceType = chat,
        in domain: String = "local",
        on path: ServicePath = Samples.eth0,
        _ resolution: Resolution = .resolved
    ) throws -> Sighting {
        let instance = try ServiceInstance(name: name, type: type, domain: domain)
        var sighting = Sighting(instance: instance, path: path, source: .embedded, resolution: resolution)
        guard resolution == .resolved else { return sighting }
        (sighting.host, sighting.port) = ("host.local", 3_000)
        sighting.addresses = [.v4(IPv4Address(bits: 0x0A00_0001))]
        return sighting
    }

    /// Two types, each with a service, the one of `chat` on two paths.
    private static func both() throws -> Drive {
        var drive = Drive([chat, files])
        let id = drive.browse(of: chat)
        drive.report(.status(.running), .sighted(try sighting("a")), from: id)
        drive.report(.sighted(try sighting("a", on: Samples.eth1)), .sighted(try sighting("f", files)), from: id)
        #expect(drive.news() == ["found a", "found f"])
        return drive
    }

    @Test func aTypeThatIsAddedIsFoundAndTheOthersDoNotNotice() throws {
        var drive = Drive([Self.chat])
        let first = drive.browse(of: Self.chat)
        drive.report(.status(.running), .sighted(try Self.sighting("a")), from: first)
        drive.browse(for: [Self.chat, Self.files])
        #expect(drive.browse(of: Self.chat) == first && drive.browses.count == 2)
        #expect(drive.state.condition.status == .running)
        let second = drive.browse(of: Self.files)
        drive.report(.status(.running), .sighted(try Self.sighting("f", Self.files)), from: second)
        drive.pass(.seconds(60))
        #expect(drive.news() == ["found a", "found f"])
    }

    @Test func theServicesOfATypeThatIsRemovedAreLostOnce() throws {
        var drive = try Self.both()
        let old = drive.browse(of: Self.chat)
        drive.browse(for: [Self.files])
        #expect(drive.news() == ["lost a notBrowsed"])
        // The old browse goes on until the new one works, and has nothing more to say of what it was dropped for.
        drive.report(
            .sighted(try Self.sighting("a")),
            .vanished(try Self.sighting("a").instance, Samples.eth0, .withdrawn),
            from: old
        )
        #expect(drive.browses.values.contains { $0.types == [Self.files] })
        #expect(drive.browses.count == 2)
        drive.report(.status(.running), from: drive.browse(of: Self.files))
        #expect(drive.browses.count == 1)
        drive.report(.sighted(try Self.sighting("a")), from: old)
        #expect(drive.news() == [])
    }

    @Test func whatStaysIsNotLostWhileItsBrowseIsReplaced() throws {
        var drive = try Self.both()
        drive.browse(for: [Self.files])
        let new = drive.browse(of: Self.files)
        drive.report(.status(.running), from: new)
        drive.report(.sighted(try Self.sighting("f", Self.files, .resolving)), from: new)
        #expect(drive.state.table.services.values.map(\.resolution) == [.resolved])
        drive.report(.sighted(try Self.sighting("f", Self.files)), from: new)
        drive.pass(.seconds(10))
        #expect(drive.news() == ["lost a notBrowsed"])
        #expect(drive.state.table.services.count == 1)
    }

    @Test func whatTheNewBrowseDoesNotSeeIsLostInTime() throws {
        var drive = try Self.both()
        drive.browse(for: [Self.files])
        let new = drive.browse(of: Self.files)
        drive.pass(.seconds(60))
        #expect(drive.news() == ["lost a notBrowsed"], "it does not work yet")
        drive.report(.status(.running), .activity(.busy), from: new)
        drive.pass(.seconds(3))
        #expect(drive.news() == [], "it is asking")
        drive.report(.activity(.idle), from: new)
        drive.pass(.seconds(3))
        #expect(drive.news() == ["lost f withdrawn"])
    }

    /// A service that goes while the browse is replaced goes at once, whichever of the two has heard of it.
    @Test(arguments: [true, false])
    func whatGoesMeanwhileIsLostOnce(isOldWord: Bool) throws {
        var drive = try Self.both()
        let old = drive.browse(of: Self.files)
        drive.browse(for: [Self.files])
        let instance = try Self.sighting("f", Self.files).instance
        let id = isOldWord ? old : drive.browse(of: Self.files)
        drive.report(.vanished(instance, Samples.eth0, .withdrawn), from: id)
        #expect(drive.news() == ["lost a notBrowsed", "lost f withdrawn"])
        drive.report(.status(.running), from: drive.browse(of: Self.files))
        drive.pass(.seconds(10))
        #expect(drive.news() == [])
    }

    @Test func domainsComeAndGo() throws {
        var drive = Drive([Self.chat])
        drive.report(.status(.running), .sighted(try Self.sighting("a")), from: drive.browse(of: Self.chat))
        drive.browse(for: [Self.chat], in: ["local", "example.org", "Example.org."])
        let far = drive.browse(of: Self.chat, in: "example.org")
        #expect(drive.browses.count == 2)
        drive.report(.status(.running), .sighted(try Self.sighting("w", in: "example.org")), from: far)
        #expect(drive.news() == ["found a", "found w"])
        drive.browse(for: [Self.chat])
        #expect(drive.news() == ["lost w notBrowsed"])
        #expect(drive.browses.count == 1)
        drive.browse(for: [])
        #expect(drive.news() == ["lost a notBrowsed"])
        #expect(drive.browses.isEmpty)
        #expect(drive.state.condition.status == .running)
    }

    /// Each browse costs a backend something.
    @Test func howeverManyTypesAreAddedTheBrowsesAreFew() throws {
        var types = [Self.chat]
        var drive = Drive(types)
        drive.report(.status(.running), .sighted(try Self.sighting("a")), from: drive.browse(of: Self.chat))
        for number in 0..<40 {
            types.append(ServiceType(checkedName: "t\(number)", transport: .tcp))
            drive.browse(for: types)
            for id in drive.browses.keys { drive.report(.status(.running), from: id) }
            if let id = drive.browse(of: Self.chat) { drive.report(.sighted(try Self.sighting("a")), from: id) }
            #expect(drive.browses.count <= BrowseParts.mostPerDomain)
            #expect(Set(drive.browses.values.flatMap(\.types)) == Set(types))
            drive.pass(.seconds(10))
        }
        #expect(drive.news() == ["found a"])
    }

    /// The daemon is away for all of them, and what they say of it is said once.
    @Test func theStatusIsThatOfAllOfThem() throws {
        var drive = try Self.both()
        drive.browse(for: [Self.chat, Self.files, Samples.type])
        let (old, new) = (drive.browse(of: Self.chat), drive.browse(of: Samples.type))
        drive.report(.status(.running), from: new)
        drive.report(.status(.unavailable(Samples.noDaemon)), from: old)
        drive.report(.status(.unavailable(Samples.noDaemon)), from: new)
        #expect(drive.state.condition.status == .unavailable(Samples.noDaemon))
        drive.report(.status(.running), from: old)
        #expect(drive.state.condition.status == .unavailable(Samples.noDaemon))
        drive.report(.status(.running), from: new)
        #expect(drive.state.condition.status == .running)
    }

    /// A real browser over a merge of two sources, both of which see the same.
    @Test(.timeLimit(.minutes(1))) func throughTheMerge() async throws {
        let all = [
            try Self.sighting("a"), try Self.sighting("f", Self.files), try Self.sighting("w", in: "example.org"),
        ]
        let sources = [
            ListSource("daemon", .primary, rank: SourceRank.daemon, all),
            ListSource("query", .companion, rank: SourceRank.oneShot, all),
        ]
        let browser = Browser(BrowserConfiguration(types: [Self.chat]), backend: MergingBackend(sources) { _, _, _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            var changes = browser.changes.makeAsyncIterator()
            func next() async throws -> String {
                let change = try #require(await changes.next())
                return "\(Samples.kind(change)) \(change.service.instance.name)"
            }
            #expect(try await next() == "found a")
            browser.browse(for: [Self.chat, Self.files])
            #expect(try await next() == "found f")
            browser.browse(for: [Self.files])
            #expect(try await next() == "lost a")
            browser.browse(for: [Self.files, Self.chat], in: ["local", "example.org"])
            var news = [try await next(), try await next()]
            #expect(news.sorted() == ["found a", "found w"])
            browser.browse(for: [])
            news = [try await next(), try await next(), try await next()]
            #expect(news.sorted() == ["lost a", "lost f", "lost w"])
            #expect(browser.services.isEmpty)
            group.cancelAll()
        }
    }

    /// The types browsed for now are browsed for in the next run too.
    @Test(.timeLimit(.minutes(1))) func theNextRunLooksForTheSame() async throws {
        let source = ListSource(
            "daemon",
            .primary,
            rank: SourceRank.daemon,
            [try Self.sighting("a"), try Self.sighting("f", Self.files)]
        )
        let backend = MergingBackend([source]) { _, _, _ in }
        let browser = Browser(BrowserConfiguration(types: [Self.chat]), backend: backend)
        browser.browse(for: [Self.files])
        for _ in 0..<2 {
            let run = Task { await browser.run() }
            // What the run before has found may still be there.
            #expect(await source.nextSession() == true)
            while browser.services.map(\.instance.name) != ["f"] { await Task.yield() }
            run.cancel()
            await run.value
            #expect(await source.nextSession() == false)
        }
    }
}
