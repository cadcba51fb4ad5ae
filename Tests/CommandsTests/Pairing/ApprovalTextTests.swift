import ArgumentParser
import GatewayProtocol
import Pairing
import Reports
import Testing

@testable import Agent
@testable import Commands
@testable import Console

/// The requests of strangers are shown completely, and in clean lines.
@Suite(.timeLimit(.minutes(1))) struct ApprovalTextTests {
    /// The time at which the requests of the tests were made.
    private static let time = 1_737_264_000_000

    private func admin() throws -> StoredPairing {
        var pairing = try Pairings.pairing("Home", id: "a")
        pairing.dialect = .openClaw
        pairing.credentials[0].scopes = ["operator.read", "operator.pairing"]
        return pairing
    }

    private func answer(_ requests: [[String: JSONValue]]) throws -> DeskAnswer {
        let pending = requests.map { JSONValue.object($0.merging(["ts": .number(JSONNumber(Self.time))]) { $1 }) }
        let list = try DeviceRequestList(json: .object(["pending": .array(pending)]))
        return DeskAnswer(pairing: try admin(), outcome: .success(list))
    }

    private func table(_ answers: [DeskAnswer], at time: Int, width: Int?) -> String {
        let reports = answers.flatMap { answer in answer.requests.map { DeviceRequestReport($0, at: answer.pairing) } }
        return ApprovalText.table(reports, at: time, width: width)
    }

    private func line(_ answer: DeskAnswer, _ decision: DeviceDecision, account: String? = nil) -> String {
        let report = DeviceRequestReport(answer.requests[0], at: answer.pairing)
        return ApprovalText.line(DecisionReport(decision, report, account: account), at: answer.pairing.label)
    }

    @Test func aDeviceIsShownWithAllThatItAsksFor() throws {
        let answer = try answer([
            [
                "requestId": "0f3c8a52-6b1e", "displayName": "Phone", "role": "operator",
                "scopes": .array(["operator.read"]),
            ],
            ["requestId": "1f3c8a52-6b1e", "role": "node", "scopes": .array([])],
        ])
        #expect(
            table([answer], at: Self.time + 90_000, width: nil) == """
                REQUEST   DEVICE   AGE   GATEWAY
                0f3c8a52  “Phone”  90 s  Home
                  asks for, as operator: operator.read
                1f3c8a52  -        90 s  Home
                  asks for, as node: no scope
                  more than this device can approve: operator.admin

                """
        )
        #expect(table([], at: 0, width: nil) == "")
        let gateway = answer.pairing.label
        #expect(line(answer, .approved) == "approved: “Phone” at \(gateway), as operator with operator.read")
    }

    /// A node asks for no scopes: it is shown what it is, and where it asks from.
    @Test func aNodeIsShownWithItsAddress() throws {
        let answer = try answer([
            [
                "requestId": "0f3c8a52-6b1e", "nodeId": "n1", "displayName": "Pad", "platform": "ios",
                "version": "1.2", "remoteIp": "10.0.0.7",
            ]
        ])
        let table = self.table([answer], at: Self.time, width: nil)
        #expect(table.contains("“Pad”") && table.contains("asks to be paired as a node, ios 1.2, from 10.0.0.7"))
        let report = DeviceRequestReport(answer.requests[0], at: answer.pairing).json
        #expect(DeviceRequest(report: report) == answer.requests[0] && report["kind"] == "node")
    }

    /// A Clawline provider knows no scopes: whoever is approved gets what every device has there.
    @Test func aDeviceOfClawlineAsksForNoScope() throws {
        var pairing = try Pairings.pairing("Claw", id: "a")
        pairing.dialect = .clawline
        let message: JSONValue = .object(["deviceId": "0f3c8a52-6b1e", "claimedName": "Phone"])
        let request = try #require(DeviceRequest(clawline: message, at: Self.time))
        let answer = DeskAnswer(pairing: pairing, outcome: .success(DeviceRequestList(requests: [request])))
        #expect(!pairing.isOwned && pairing.scopesLacking(for: request).isEmpty)
        #expect(
            table([answer], at: Self.time + 5_000, width: nil) == """
                REQUEST        DEVICE   AGE  GATEWAY
                0f3c8a52-6b1e  “Phone”  5 s  Claw
                  asks to be paired

                """
        )
        #expect(line(answer, .rejected) == "rejected: “Phone” at \(pairing.label)")
        let approved = line(answer, .approved, account: "user_1")
        #expect(approved == "approved: “Phone” at \(pairing.label), in the account user_1")
        let waiting = "“Phone” waits for approval, 5 s  (clawradar approve 0f3c8a52-6b1e)"
        #expect(ApprovalText.waiting(request, at: Self.time + 5_000) == waiting)
        // What an agent tells of it is read as it was.
        let report = DeviceRequestReport(request, at: pairing).json
        #expect(DeviceRequest(report: report) == request)
    }

    /// Identifiers that begin alike are shown whole, as `approve` needs them.
    @Test func identifiersThatBeginAlikeAreShownWhole() throws {
        let answer = try answer([["requestId": "0f3c8a52-1"], ["requestId": "0f3c8a52-2"]])
        let table = self.table([answer], at: Self.time, width: 80)
        #expect(table.contains("0f3c8a52-1") && table.contains("0f3c8a52-2"))
        #expect(try #require(RequestName("0f3c8a52")).matches(answer).count == 2)
        #expect(try #require(RequestName("0f3c8a52-1")).matches(answer).map(\.id) == ["0f3c8a52-1"])
        #expect(try #require(RequestName("0f3c8a5")).matches(answer).isEmpty, "too short to mean one")
    }

    /// A device of Clawline chooses its identifier: another one that begins alike is not meant by the beginning, even if
    /// only that one waits still, nor by an identifier that another gateway shows as well.
    @Test func whoeverBeginsAlikeIsNotMeant() throws {
        func answer(_ dialect: GatewayDialect, _ id: JSONValue) throws -> DeskAnswer {
            var pairing = try Pairings.pairing("Claw", id: "a")
            pairing.dialect = dialect
            pairing.credentials[0].scopes = ["operator.pairing"]
            let request = try #require(DeviceRequest(clawline: .object(["deviceId": id]), at: Self.time))
            let list = DeviceRequestList(requests: [request])
            return DeskAnswer(pairing: pairing, outcome: .success(list))
        }
        let id: JSONValue = "7a9619ff-8b86-4d01-b42d-00cf4fc964f1"
        let (clawline, openClaw) = (try answer(.clawline, id), try answer(.openClaw, id))
        let (short, whole) = (
            try #require(RequestName("7a9619ff")), try #require(RequestName("7a9619ff-8b86-4d01-b42d-00cf4fc964f1"))
        )
        let found = #expect(throws: RadarError.self) { try InProcessRadar.request(short, among: [clawline]) }
        #expect(found?.description.hasPrefix("expected the whole identifier") == true)
        #expect(try InProcessRadar.request(whole, among: [clawline]).0 == clawline.pairing)
        #expect(try InProcessRadar.request(short, among: [openClaw]).0 == openClaw.pairing)
        let both = #expect(throws: RadarError.self) {
            try InProcessRadar.request(whole, among: [openClaw, clawline])
        }
        #expect(both?.code == .inapplicable)
        let table = self.table([clawline], at: Self.time, width: 60)
        #expect(table.contains("7a9619ff-8b86-4d01-b42d-00cf4fc964f1"), "\(table)")
    }

    /// A name with line breaks, escapes and reversed text makes no line of its own and moves nothing.
    @Test func hostileTextsArePrintedInCleanLines() throws {
        let hostile = "\u{1B}[2J\rPhone\n0f3c8a52  Trusted\u{202E}\u{200B}" + String(repeating: "x", count: 500)
        let answer = try answer([
            [
                "requestId": "0f3c8a52-6b1e", "displayName": .string(hostile), "role": .string("ope\nrator"),
                "scopes": .array([.string("a\u{1B}]0;x\u{07}\nb")]),
            ]
        ])
        let request = try #require(answer.requests.first)
        let decided = line(answer, .approved)
        let table = self.table([answer], at: Self.time, width: 80)
        #expect(table.split(separator: "\n").count == 4)
        let problem = DecisionProblem(code: .beyondOurScopes, description: "")
        let refusal = RadarError(problem, .approved, about: request, at: answer.pairing).description
        for line in table.split(separator: "\n").map(String.init) + [decided, refusal] {
            let isClean = line.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.properties.generalCategory != .format
            }
            #expect(isClean, "\(line.debugDescription)")
        }
        #expect(decided.hasPrefix("approved: “\u{FFFD}[2J\u{FFFD}Phone\u{FFFD}"))
    }

    /// There is no word for *later*: whoever decides nothing has decided that, and reads for how long.
    @Test func decidingLaterIsSaid() {
        #expect(ApprovalText.later.contains("to decide later, do nothing"))
        let help = ApprovalsCommand.helpMessage(columns: 10_000)
        for word in ["to decide later, do nothing", "5 minutes"] { #expect(help.contains(word), "\(help)") }
    }

    @Test func whoIsNoAdminIsToldHowToBecomeOne() async throws {
        try await StoreOfTool.with(try Pairings.home()) { home in
            for verb in [["approvals"], ["approve", "0f3c8a52"], ["reject", "0f3c8a52"]] {
                let result = try await home.run(verb)
                #expect(result.status == 1 && result.output == "")
                #expect(result.errors.contains("clawradar pair NAME --as-admin"), "\(result.errors)")
            }
            let named = try await home.run(["approvals", "Studio"])
            #expect(named.status == 1 && named.errors.contains("no admin at “Studio”"))
        }
        try await StoreOfTool.with([]) { home in
            let empty = try await home.run(["approvals"])
            #expect(empty.status == 1 && empty.errors.contains("--as-admin"))
            let invalid = try await home.run(["approve", "a b"])
            #expect(invalid.status == 64)
        }
    }
}
