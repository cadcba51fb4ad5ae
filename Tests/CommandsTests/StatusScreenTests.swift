import DNSSD
import GatewayProtocol
import GatewaySamples
import Pairing
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Commands
@testable import Console

/// `status` is the one glance: it shows all that there is, what is wrong, and the command that helps.
@Suite struct StatusScreenTests {
    private static let now = Timestamp("2026-11-26T12:00:00.000Z")!

    private static func state(
        _ name: String,
        _ state: PairedState,
        since: String? = nil,
        reason: String? = nil,
        command: String? = nil
    ) -> JSONValue {
        .object([
            "name": .string(name), "state": .string(state.rawValue), "since": JSONValue(since), "path": .null,
            "reason": JSONValue(reason), "command": JSONValue(command), "heldBy": .null,
        ])
    }

    private static func agent(_ parts: [(name: String, state: String, reason: String?)]) -> JSONValue {
        .object([
            "version": "1.0", "process": 4_711,
            "parts": .array(
                parts.map {
                    .object(["name": .string($0.name), "state": .string($0.state), "reason": JSONValue($0.reason)])
                }
            ),
        ])
    }

    private static func text(_ document: StatusDocument, _ style: Style = Style(isOn: false)) -> String {
        StatusScreen.text(document, at: now, width: nil, style: style)
    }

    /// One that is not paired has a row beside those that are, and is not mistaken for one.
    @Test func gatewaysAreShownPairedOrNot() throws {
        let rows = try Rows.snapshot(Rows.mixed())
        let document = StatusDocument(
            gateways: [Self.state("Studio", .connected)],
            unpaired: rows.unpaired.map { GatewayReport($0).json }
        )
        #expect(rows.unpaired.map(\.name) == ["Home"])
        let lines = Self.text(document).split(separator: "\n")
        #expect(lines[1].hasPrefix("Studio   connected"), "\(lines)")
        #expect(lines[2].hasPrefix("Home     not paired"), "\(lines)")
    }

    @Test func withoutAPairingItSaysSoAndHowToPair() throws {
        let rows = try Rows.snapshot(Rows.mixed())
        let document = StatusDocument(gateways: [], unpaired: rows.unpaired.map { GatewayReport($0).json })
        #expect(Self.text(document).contains("nothing is paired. `clawradar pair NAME` pairs.\n"))
        #expect(document.next == NextStep.line(rows.gateways))
        #expect(document.next == "next: clawradar pair \"Home\"")
        #expect(StatusDocument(gateways: [], unpaired: []).next == nil)
    }

    /// A gateway that does not answer is red, with how long, and with the command that says why.
    @Test func whatIsDeadIsRedWithItsTime() {
        let command = "clawradar doctor \"Attic\""
        let state = Self.state("Attic", .gone, since: "2026-11-26T09:00:00.000Z", command: command)
        let document = StatusDocument(gateways: [state], unpaired: [])
        let text = Self.text(document, Style(isOn: true))
        #expect(text.contains("\u{1B}[31mgone\u{1B}[0m"), "\(text)")
        #expect(text.contains("\u{1B}[31m  it was connected last 3 h ago: \(command)\u{1B}[0m"), "\(text)")
        // Nobody knows since when.
        let never = StatusDocument(gateways: [Self.state("Attic", .gone, command: command)], unpaired: [])
        #expect(Self.text(never).contains("  it does not answer: \(command)\n"))
    }

    /// A reason that has its command is followed by no other.
    @Test func aCommandStandsOnce() {
        let command = "clawradar trust 1a2b3c4d"
        let reason = "another certificate is shown there. To accept it: \(command)"
        let state = Self.state("Attic", .changedLeaf, reason: reason, command: command)
        let text = Self.text(StatusDocument(gateways: [state], unpaired: []))
        #expect(text.contains("  \(reason)\n") && text.ranges(of: command).count == 1, "\(text)")
    }

    @Test func theAgentIsOnOffOrNotAsked() {
        var document = StatusDocument(gateways: [Self.state("Home", .connected)], unpaired: [])
        #expect(Self.text(document).contains("agent: off"))
        #expect(document.next == "next: clawradar agent install")
        document.absence = .notAsked
        #expect(Self.text(document).contains("agent: not asked") && document.next == nil)
        document.agent = Self.agent([("store", "running", nil), ("notices", "running", nil)])
        #expect(Self.text(document).contains("\nagent 1.0, process 4711: all parts work\n") && document.next == nil)
    }

    /// A part that works has no row; sinks that fail have one, with a command to try them.
    @Test func sinksThatFailAreShown() {
        var document = StatusDocument(gateways: [Self.state("Home", .connected)], unpaired: [])
        document.agent = Self.agent([("store", "running", nil), ("notices", "impaired", "phone: HTTP 403")])
        let text = Self.text(document)
        #expect(text.contains("phone: HTTP 403\n") && text.contains(": clawradar notify test\n"), "\(text)")
        #expect(!text.contains("store"), "\(text)")
    }

    @Test func whatWaitsIsSilentAndWasAwayIsShown() throws {
        let request = try #require(
            DeviceRequest(
                report: .object(["id": "1b4e0f3c", "name": "Kitchen iPad", "deviceID": "x", "kind": "device"])
            )
        )
        var session = ShownSession(
            id: "x",
            pairing: "1a2b3c4d5e6f",
            gateway: "fingerprint:abc",
            name: "Claw",
            bots: [],
            state: .connected,
            since: .now
        )
        session.requests = [request]
        var feed = ApprovalFeed()
        let waiting = feed.take(.changes([.session(.found(session))], revision: 1))
        #expect(waiting.count == 1)
        var document = StatusDocument(
            gateways: [],
            unpaired: [],
            waiting: waiting.map { ApprovalReport($0, at: Self.now).json }
        )
        document.silence = ["nothing is told of Home until 2026-11-26 14:00"]
        document.outage = GatewayHistory.Outage(
            key: "a",
            name: "Home",
            began: Timestamp("2026-11-26T08:00:00.000Z")!,
            ended: Timestamp("2026-11-26T08:03:00.000Z")!,
            reason: "no answer"
        )
        let text = Self.text(document)
        #expect(text.contains("! Claw  “Kitchen iPad” waits for approval"), "\(text)")
        #expect(text.contains("clawradar approve 1b4e0f3c"), "\(text)")
        #expect(text.contains("nothing is told of Home until 2026-11-26 14:00\n"), "\(text)")
        #expect(text.contains("last outage: Home, 2026-11-26 "), "\(text)")
        #expect(text.contains(", for 3 min, no answer: clawradar history\n"), "\(text)")
    }

    /// Anybody can advertise any number of gateways, and the glance stays one.
    @Test func aCrowdIsNotListed() throws {
        let row = try #require(Rows.snapshot(Rows.mixed()).unpaired.first.map { GatewayReport($0).json })
        let document = StatusDocument(gateways: [], unpaired: Array(repeating: row, count: 500))
        let text = Self.text(document)
        #expect(text.ranges(of: "not paired  ").count == 32, "\(text)")
        #expect(text.contains("and 468 more that are not paired: clawradar scan\n"), "\(text)")
    }

    /// JSON has the agent, too, and what it had before is where it was.
    @Test func theDocumentHasEverything() {
        var document = StatusDocument(gateways: [Self.state("Home", .connected)], unpaired: [])
        #expect(document.fields["agent"] == .null && document.json["gateways"]?.array?.count == 1)
        document.agent = Self.agent([])
        #expect(document.json["agent"]?["process"]?.int == 4_711)
    }

    /// With an agent, the same gateway is suggested as without, by the same word.
    @Test(arguments: ["Home", "10.0.0.9:3000", "Ätelier", "$(x)", "aaaaaaaa", "Jarvis"])
    func theNextStepIsTheSameWithAnAgent(name: String) throws {
        let rows = Rows.snapshot([
            .serviceFound(try Fixture.service()), .probed(Rows.endpoint(), Rows.gateway(name: name)),
            .liveness(Rows.endpoint(), .answering, roundTrip: .milliseconds(1)),
        ]).gateways
        let next = try #require(NextStep.line(rows))
        #expect(NextStep.line(reports: rows.map { GatewayReport($0).json }) == next)
    }

    /// A name that a paired gateway has, too, would not be clear.
    @Test func aNameOfAPairedGatewayIsNotSuggested() throws {
        let rows = try Rows.snapshot(Rows.mixed()).unpaired.map { GatewayReport($0).json }
        #expect(NextStep.line(reports: rows, paired: ["home"]) == "next: clawradar pair \"10.0.0.2:3000\"")
    }
}
