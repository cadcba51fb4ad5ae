import DNSSD
import Discovery
import TestSupport
import Testing

// The code up to the suite repeats the listings of Sources/Discovery/Discovery.docc word for word, and has to be
// changed together with them.

func look(_ types: [ServiceType], on backend: any ServiceBackend, for time: Duration) async -> [DiscoveredService] {
    let browser = Browser(BrowserConfiguration(types: types), backend: backend)
    return await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await browser.run() }
        await browser.settle(quiet: .seconds(1), deadline: .now + time)
        let services = browser.services
        group.cancelAll()
        return services
    }
}

func follow(_ browser: Browser, show: (String) -> Void) async {
    for await change in browser.changes {
        let service = change.service
        let name = DisplayText(service.instance.name)
        switch change {
        case .found: show("+ \(name) at \(service.addresses), port \(service.port ?? 0)")
        case .changed(_, let aspects):
            if aspects.contains(.txt) { show("= \(name): \(service.txt?.entries.count ?? 0) TXT entries") }
        case .lost: show("- \(name)")
        }
    }
}

func publish(_ name: String, port: UInt16, on backend: any ServiceBackend, published: (String) -> Void) async throws {
    let advertisement = Advertisement(name: name, types: [try ServiceType("_openclaw._tcp")], port: port)
    let advertiser = try Advertiser(advertisement, backend: backend)
    await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await advertiser.run() }
        for await case .published(let name) in advertiser.states { published(name) }
    }
}

/// The listings of the guide compile, and do what the guide says.
@Suite(.timeLimit(.minutes(1))) struct GuideTests {
    private let backend = FakeBackend()

    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Discovery")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    /// A look with a deadline that has passed returns the services known so far, and leaves nothing running.
    @Test func lookingLeavesNothingBehind() async {
        #expect(await look([Samples.type], on: backend, for: .zero).isEmpty)
        #expect(!backend.isRunning)
    }

    @Test func followingShowsEachChange() async {
        let browser = Browser(BrowserConfiguration(types: [Samples.type]), backend: backend)
        var lines: [String] = []
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await browser.run() }
            await backend.started()
            backend.send(.sighted(Samples.sighting("a")))
            await follow(browser) { line in
                lines.append(line)
                switch lines.count {
                case 1: backend.send(.sighted(Samples.sighting("a", txt: "2")))
                case 2: backend.send(.vanished(Samples.instance("a"), Samples.eth0, .withdrawn))
                default: backend.finish()
                }
            }
        }
        #expect(lines == ["+ a at [10.0.0.1], port 3000", "= a: 1 TXT entries", "- a"])
    }

    @Test func publishingTellsTheNameThatStuck() async throws {
        var names: [String] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await backend.started()
                backend.send(.published(name: "Home #2"))
                backend.finish()
            }
            try await publish("Home", port: 3_000, on: backend) { names.append($0) }
        }
        #expect(names == ["Home #2"])
        #expect(backend.advertisements.map(\.name) == ["Home"])
    }
}
