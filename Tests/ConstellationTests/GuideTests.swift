import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

// The code from here to the suite repeats the listings of Sources/Scanning/Scanning.docc/Constellation word for word.
// Change both together.

func learn(_ service: DiscoveredService, _ endpoint: Endpoint, _ report: GatewayProbeReport) -> [Gateway] {
    var map = BotMap()
    map.apply(.serviceFound(service))
    map.apply(.probed(endpoint, ProbeOutcome(report)))
    map.apply(.liveness(endpoint, .answering, roundTrip: report.elapsed))
    return map.gateways
}

func follow(_ changes: [BotMapChange], in list: inout [GatewayID: Gateway]) -> [String] {
    var lines: [String] = []
    for change in changes {
        switch change {
        case .found(let gateway):
            list[gateway.id] = gateway
            lines.append("+ \(DisplayText(gateway.name))")
        case .changed(let gateway, let aspects):
            list[gateway.id] = gateway
            if aspects.contains(.bots) { lines.append("= \(DisplayText(gateway.name)): \(gateway.bots.count) bots") }
        case .lost(let gateway):
            list[gateway.id] = nil
            lines.append("- \(DisplayText(gateway.name))")
        case .joined(let gateway, into: _):
            list[gateway.id] = nil
        case .problem(let problem):
            lines.append("! \(problem)")
        @unknown default: break
        }
    }
    return lines
}

func mayReceiveToken(_ gateway: Gateway) -> Bool {
    guard gateway.flags.isDisjoint(with: [.contradicts, .moved]) else { return false }
    return gateway.proof.isConclusive
}

/// The listings of the guide compile, and do what the guide says.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Scanning/Constellation")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    /// The comparison of listings with source code fails if a line or an import is missing, or if there is another line
    /// in between.
    @Test func aListingThatIsNotCompiledIsNoticed() {
        let text =
            "# Guide\n```swift\nimport A\n\nlet a = 1\n  let b = 2\n```\n```\nlet c\n```\n  ```swift\n  let d = 4\n  ```\n"
        let listings = GuideListing.all(inMarkdown: text, guide: "Guide.md")
        #expect(
            listings.map { $0.isCompiled(inSource: "import A\nfunc f() {\n    let a = 1\n\n    let b = 2\n}\n") } == [
                true, false,
            ]
        )
        #expect(listings.map { $0.isCompiled(inSource: "let a = 1\nlet b = 2\nlet d = 4") } == [false, true])
        #expect(
            listings.map { $0.isCompiled(inSource: "import A\nlet a = 1\nlet e = 5\nlet b = 2") } == [false, false]
        )
    }

    @Test func learningGivesOneRow() {
        let bots = [BotDescription(id: Samples.bot("b"), name: "Jarvis")]
        let payload = DiscoverPayload(
            fingerprint: Samples.fingerprint("home"),
            name: "Home",
            bots: bots,
            pairingRequired: true
        )
        let report = GatewayProbeReport(
            verdict: .optaplus(payload),
            path: GatewayProbePath(endpoint: Samples.endpoint(1), leaf: nil),
            steps: [],
            elapsed: .milliseconds(3)
        )
        let gateways = learn(Samples.service("a", fp: "home", at: [1]), Samples.endpoint(1), report)
        #expect(gateways.map(\.name) == ["Home"])
        #expect(gateways.map(\.roundTrip) == [.milliseconds(3)])
        #expect(gateways.map(mayReceiveToken) == [false])
    }

    @Test func followingGivesTheSameList() {
        var map = BotMap()
        var list: [GatewayID: Gateway] = [:]
        let events: [BotMapEvent] = [
            .serviceFound(Samples.service("a", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["1"])),
            .proved(Samples.endpoint(1), .token),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["1", "2"])),
        ]
        let lines = events.flatMap { follow(map.apply($0), in: &list) }
        #expect(lines == ["+ a", "= Home: 1 bots", "= Home: 2 bots"])
        #expect(list.values.map(mayReceiveToken) == [true])
        #expect(Array(list.values) == map.gateways)
    }
}
