import DNSSD
import GatewayClient
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Commands

/// The output of a gateway probe, for every possible verdict.
@Suite struct ProbeGoldenTests {
    private static let endpoint = Neighbourhood.endpoint(Neighbourhood.v4(2))

    private static func verdicts() throws -> [GatewayVerdict] {
        let many = (1...40).compactMap { number in
            BotID("bot-\(number)").map { BotDescription(id: $0, name: "Bot \(number)", emoji: nil, status: nil) }
        }
        let payloads = [
            DiscoverPayload(
                fingerprint: GatewayFingerprint("abc123"),
                name: "Home Gateway",
                bots: Neighbourhood.bots(),
                pairingRequired: true
            ),
            DiscoverPayload(fingerprint: nil, name: nil, bots: many, pairingRequired: false),
            DiscoverPayload(
                fingerprint: GatewayFingerprint(bytes: [0xFF, 0x1B]),
                name: "a\u{1B}[31m\r\nb\u{202E}c",
                bots: [],
                pairingRequired: nil
            ),
        ]
        let answers = [
            Neighbourhood.sshServer,
            ForeignAnswer(summary: "a web server (HTTP 200)", bytes: Array("HTTP/1.0 200 OK\r\n\r\n".utf8)),
            ForeignAnswer(summary: "something else", bytes: [0x00, 0xFF, 0x16, 0x03]),
            ForeignAnswer(summary: "a program that says nothing", bytes: []),
        ]
        let reasons: [NoAnswer] = [
            .refused, .unreachable, .tlsFailure, .closed, .noAnswer(within: .milliseconds(1_500)),
        ]
        let leaf = Neighbourhood.leaf.map { [NoAnswer.wrongLeaf(found: $0)] } ?? []
        let openClaw: [GatewayVerdict] = [
            .openClaw(OpenClawIdentification(evidence: .challenge)),
            .openClaw(OpenClawIdentification(evidence: .handshakeRefusal)),
            .openClaw(OpenClawIdentification(evidence: .health)),
        ]
        return payloads.map(GatewayVerdict.optaplus) + openClaw
            + [.bridge, .openAgents, .clawline(protocolVersion: 1), .clawline(protocolVersion: nil)]
            + answers.map(GatewayVerdict.other)
            + (reasons + leaf + TargetRefusal.allCases.map(NoAnswer.notAllowed)).map(GatewayVerdict.nothing)
    }

    /// Returns a report with a verdict. The steps are always the same, because they are shown whatever the verdict is.
    private static func report(_ verdict: GatewayVerdict) -> GatewayProbeReport {
        let steps: [(GatewayProbeStep.Kind, String, String, Duration, Bool)] = [
            (.connect, "", "connected", .microseconds(1_250), true), (.tls, "", "no TLS", .microseconds(20), false),
            (.webSocket, "upgrade /, gateway.discover", "gateway \u{1B}[2J\u{202E}with 1 bot", .seconds(1), true),
            (.line, "hello", "closed", .milliseconds(2), false), (.http, "GET /healthz", "200", .zero, true),
        ]
        let isThere = if case .nothing = verdict { false } else { true }
        return GatewayProbeReport(
            verdict: verdict,
            path: isThere ? GatewayProbePath(endpoint: endpoint, leaf: Neighbourhood.leaf) : nil,
            steps: steps.map { kind, question, result, elapsed, succeeded in
                GatewayProbeStep(
                    kind: kind,
                    endpoint: endpoint,
                    question: question,
                    result: result,
                    elapsed: elapsed,
                    succeeded: succeeded
                )
            },
            elapsed: .microseconds(12_345)
        )
    }

    @Test func table() throws {
        let findings = try Self.verdicts()
        var text = ""
        for width in [nil, 80, 40] {
            text += "── \(width.map { "\($0) columns" } ?? "through a pipe")\n"
            text += findings.first.map { ProbeTable.text(Self.report($0), width: width) } ?? ""
        }
        for verdict in findings {
            let table = ProbeTable.text(Self.report(verdict), width: nil)
            // The steps are left out: they are the same for all verdicts, and shown above.
            text += "── \(table.split(separator: "\n").dropFirst(6).joined(separator: "\n"))\n"
        }
        let silent = GatewayProbeReport(verdict: .nothing(.refused), path: nil, steps: [], elapsed: .zero)
        try Golden.probeTable.expect(text + "── nothing was tried\n" + ProbeTable.text(silent, width: nil))
    }

    @Test func json() throws {
        let lines = try Self.verdicts().map { ProbeReport(Self.report($0)).line }
        try Golden.probeJSON.expect(lines.joined())
    }
}
