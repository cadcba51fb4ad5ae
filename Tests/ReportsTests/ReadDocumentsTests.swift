import GatewayProtocol
import Reports
import Testing

@testable import Pairing

/// Documents that come back from an agent: what is shown of them is what it would show itself.
@Suite struct ReadDocumentsTests {
    private static let ends: [WithdrawalReport?] = [
        nil, .withdrawn, .notInformed, .pending(reason: "it does not answer"),
        .byOperator(command: "openclaw devices remove 1"),
    ]

    private func read(_ report: some JSONReport) throws -> JSONValue {
        try JSONValue(parsing: Array(report.line.utf8))
    }

    /// A pairing, and how it has ended, are read as they were written.
    @Test(arguments: ends) func aPairingIsReadAsItWasWritten(withdrawal: WithdrawalReport?) throws {
        let pairing = try PairingSample.pairing()
        let document = PairingDocument(PairingReport(pairing), withdrawal: withdrawal)
        let read = try PairingDocument(read(document), of: pairing.id)
        #expect(read == document)
        #expect(read.line == document.line)
    }

    /// The document of another pairing, or of none, is not taken for that of the one that was changed.
    @Test func anotherDocumentIsRefused() throws {
        let pairing = try PairingSample.pairing()
        let json = try read(PairingDocument(PairingReport(pairing)))
        let other = try #require(PairingID("ffffffffffffffffffffffffffffffff"))
        #expect(throws: RecordingProblem.self) { try PairingDocument(json, of: other) }
        for wrong: JSONValue in [.null, .object([:]), .object(["pairing": "x"])] {
            #expect(throws: RecordingProblem.self) { try PairingDocument(wrong, of: pairing.id) }
        }
        var fields = try #require(json.object)
        fields["withdrawn"] = true
        fields["reason"] = "it does not answer"
        #expect(throws: RecordingProblem.self) { try PairingDocument(.object(fields), of: pairing.id) }
    }

    /// A decision about a device is read as it was written, whatever the device says of itself.
    @Test func aDecisionIsReadAsItWasWritten() throws {
        let asked: JSONValue = .object([
            "requestId": "0f3c8a52-1", "displayName": "Pad\u{202E}", "nodeId": "n1", "platform": "ios", "version": "1",
            "remoteIp": "10.0.0.7", "roles": .array(["node"]), "scopes": .array(["operator.read"]),
            "ts": 1_700_000_000_000,
        ])
        let request = try #require(DeviceRequest(json: asked))
        let pairing = try PairingSample.pairing()
        let device = DeviceRequestReport(request, at: pairing)
        for (decision, account) in [(DeviceDecision.approved, "user_1"), (.rejected, nil)] {
            let report = DecisionReport(decision, device, account: account)
            let read = try DecisionReport(read(report))
            #expect(read == report && read.report.request == request && read.account == account)
            #expect(read.line == report.line)
        }
        #expect(throws: RecordingProblem.self) { try DecisionReport(.object(["decision": "postponed"])) }
        let other = try #require(PairingID(String(repeating: "f", count: 32)))
        let approvals = ApprovalsReport([
            ApprovalsReport.Answer(pairing: pairing.id, requests: [device], leftOut: 2, trouble: nil),
            ApprovalsReport.Answer(pairing: other, requests: [], leftOut: 0, trouble: "it is away"),
        ])
        #expect(try ApprovalsReport(read(approvals)) == approvals)
        #expect(throws: RecordingProblem.self) { try ApprovalsReport(.object(["gateways": .array([.object([:])])])) }
    }

    /// A link is read as it was written, with a code that works once and without, and with the reason why there is none.
    @Test func aLinkIsReadAsItWasWritten() throws {
        var pairing = try PairingSample.pairing()
        pairing.dialect = .openClaw
        var troubled = try LinkReport(pairing)
        troubled.trouble = "it refuses: no"
        let end = Timestamp(milliseconds: 1_700_000_000_000)
        let coded = try LinkReport(pairing, code: Secret("eyJ1cmwiOiJ3czovL2EifQ"), until: end, access: .full)
        #expect(coded.code?.end == end && coded.link.hasPrefix("oc-pair://"))
        for report in [try LinkReport(pairing), troubled, coded] {
            let read = try LinkReport(read(report))
            #expect(read == report && read.line == report.line)
        }
        #expect(throws: RecordingProblem.self) { try LinkReport(JSONValue.object(["link": "a"])) }
    }

    /// Names are read as they were written, whatever fingerprint a gateway tells.
    @Test func namesAreReadAsTheyWereWritten() throws {
        let odd = try #require(GatewayFingerprint(bytes: [0xFF, 0x00]))
        let report = AliasesReport([
            GatewayAlias(gatewayID: "fingerprint:abc", fingerprint: odd, leaf: PairingSample.leaf, name: "Attic"),
            GatewayAlias(gatewayID: "endpoint:10.0.0.2:1", fingerprint: nil, leaf: nil, name: "Küche"),
        ])
        #expect(try AliasesReport(read(report)).line == report.line)
        #expect(throws: RecordingProblem.self) { try AliasesReport(.object(["aliases": .array(["x"])])) }
    }

    /// The identity of this device is read as it was written.
    @Test func theDeviceIsReadAsItWasWritten() throws {
        let identity = DeviceIdentity(
            id: "1",
            name: "Studio",
            emoji: nil,
            platform: "linux",
            publicKey: [],
            privateKey: nil,
            sealed: nil
        )
        var report = DeviceReport(identity, openClawID: "2")
        #expect(try DeviceReport(read(DeviceDocument(report))) == report)
        report.lastActive = Timestamp(milliseconds: 1_700_000_000_123)
        #expect(try DeviceReport(read(DeviceDocument(report))) == report)
    }
}
