import Advertising
import DNSSD
import Discovery
import GatewayProtocol
import TestSupport
import Testing

// From here to the suite: the listings of Sources/Advertising/Advertising.docc, word for word. Change both together.

func advertise(port: UInt16, on backend: any ServiceBackend, show: (String) -> Void) async throws {
    let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
    let configuration = GatewayAdvertiserConfiguration(endpoints: [Endpoint(address: loopback, port: port)])
    let advertiser = try GatewayAdvertiser(configuration, backend: backend)
    await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await advertiser.run() }
        for await state in advertiser.states { show(description(of: state)) }
    }
}

func description(of state: GatewayAdvertiserState) -> String {
    switch state {
    case .asking: "the gateway is being asked"
    case .withheld(let reason): "not advertised: \(DisplayText(reason))"
    case .advertising(.published(let name)): "advertised as \(DisplayText(name))"
    case .advertising(.publishing(waitingFor: let problem?)): "not visible yet: \(problem)"
    case .advertising: "being published"
    case .ended: "withdrawn"
    case .failed(let error): "given up: \(error)"
    @unknown default: "\(state)"
    }
}

func advertiseUnchecked(_ name: String, port: UInt16, on backend: any ServiceBackend) async throws {
    let txt = try GatewayAdvertisement.txtRecord(fingerprint: nil, name: name)
    let advertisement = Advertisement(name: name, types: [.openClaw], port: port, txt: txt)
    let advertiser = try Advertiser(advertisement, backend: backend)
    try await advertiser.run()
}

/// The listings of the guide compile, and do what the guide says.
@Suite(.timeLimit(.minutes(1))) struct GuideTests {
    private let backend = RecordingBackend()

    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Advertising")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    /// Rule: a gateway that does not answer is not advertised, and cancelling the task ends the function.
    @Test func whereNothingAnswersNothingIsAdvertised() async throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [backend] in try await advertise(port: 1, on: backend) { line.yield($0) } }
            for await line in lines where line.hasPrefix("not advertised: it does not answer") { break }
            #expect(!backend.isVisible)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func aFixedAdvertisementIsPublishedUnasked() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [backend] in try await advertiseUnchecked("Home", port: 3_000, on: backend) }
            guard case .published(let advertisement)? = await backend.next() else {
                Issue.record("a fixed advertisement must be published")
                return
            }
            #expect(advertisement.name == "Home" && advertisement.txt.string(forKey: "name") == "Home")
            #expect(advertisement.txt.string(forKey: "fp") == nil)
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(!backend.isVisible)
    }
}
