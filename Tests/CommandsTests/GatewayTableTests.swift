import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct GatewayTableTests {
    /// The table lists the gateways with their bots, and below them everything else with the reason why it is no
    /// gateway.
    @Test func gatewaysAreListedAboveOtherThings() throws {
        let text = GatewayTable.text(Rows.snapshot(try Rows.mixed()), width: nil)
        #expect(
            text == """
                GATEWAY  STATE      TIME    SPEAKS    ADDRESS        FINGERPRINT
                Home     answering  1.2 ms  optaplus  10.0.0.2:3000  abc123
                  🤖 Jarvis, 🤖 Friday

                OTHER THINGS   ADDRESS        TYPE            WHY IT IS NO GATEWAY
                10.0.0.3:22    10.0.0.3:22    -               an SSH server: “SSH-2.0-OpenSSH_9.2”
                10.0.0.4:3000  10.0.0.4:3000  -               connection refused
                lost           -              _openclaw._tcp  not resolved: nobody answered

                """
        )
    }

    @Test(arguments: [20, 40, 80])
    func everyLineFitsTheTerminal(width: Int) throws {
        let names = (1...40).map { "Bot with a long name \($0)" }
        var events = try Rows.mixed()
        events.append(.probed(Rows.endpoint(), Rows.gateway(bots: Rows.bots(names))))
        let lines = GatewayTable.text(Rows.snapshot(events), width: width).split(separator: "\n")
        if width >= 40 { #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(lines)") }
        #expect(lines.contains { $0.contains("and 8 more") }, "32 are shown")
    }

    /// Two gateways with the same fingerprint are marked, because at most one of them can be the real one.
    @Test func flagsAreTold() throws {
        let copy = try Fixture.service(name: "Copy", txt: [Array("fp=abc123".utf8)], port: 4_000)
        let events =
            try Rows.mixed() + [
                .endpointAdded(Rows.endpoint(9), .local), .probed(Rows.endpoint(9), Rows.gateway()),
                .serviceFound(copy), .liveness(Rows.endpoint(), .answering), .liveness(Rows.endpoint(9), .answering),
            ]
        let snapshot = Rows.snapshot(events)
        let text = GatewayTable.text(snapshot, width: nil)
        #expect(snapshot.gateways.count { $0.flags.contains(.sameFingerprint) } >= 2)
        #expect(text.contains("! another one claims the same fingerprint; at most one of them is what it says"))
    }

    @Test func namesOfBotsCannotBreakTheTerminal() throws {
        let evil = "\u{1B}[31m\u{202E}\nX"
        let bot = try #require(BotID(evil))
        let bots = [BotDescription(id: bot, name: evil, emoji: evil, status: evil)]
        let identity = Rows.gateway(fingerprint: evil, name: evil, bots: bots)
        let other = ProbeOutcome.somethingElse(ForeignAnswer(summary: "something", bytes: Array(evil.utf8)))
        let events: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(), .local), .probed(Rows.endpoint(), identity),
            .endpointAdded(Rows.endpoint(5), .local), .probed(Rows.endpoint(5), other),
        ]
        var feed = GatewayFeed()
        let lines = Rows.map(events).gateways.flatMap { feed.take(.change(.found($0), revision: 0)) }
            .map { GatewayLine.text($0, time: "12:00:00") }
        for text in lines + [GatewayTable.text(Rows.snapshot(events), width: nil)] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" }, "\(text)")
        }
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }
}
