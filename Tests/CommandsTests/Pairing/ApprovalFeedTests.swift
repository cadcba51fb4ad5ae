import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Commands

/// The lines that say that a device waits for an approval.
@Suite final class ApprovalFeedTests {
    private var feed = ApprovalFeed()

    private static func session(_ requests: [DeviceRequest]?) -> ShownSession {
        var session = ShownSession(
            id: "c",
            pairing: "p",
            gateway: "g",
            name: "Claw",
            bots: [],
            state: requests == nil ? .disconnected : .connected,
            since: .now
        )
        session.requests = requests
        return session
    }

    private static func request(_ id: String, scopes: [JSONValue] = ["operator.read"]) throws -> DeviceRequest {
        let fields: [String: JSONValue] = [
            "requestId": .string(id), "displayName": "iPad\u{202E}", "scopes": .array(scopes), "ts": 1_000,
        ]
        return try #require(DeviceRequest(json: .object(fields)))
    }

    private func take(_ requests: [DeviceRequest]?) -> [ApprovalFeed.Change] {
        feed.take(.changes([.session(.changed(Self.session(requests)))], revision: 0))
    }

    private func texts(_ changes: [ApprovalFeed.Change]) -> [String] {
        changes.map { change in
            let line = ApprovalText.line(change, at: Timestamp(milliseconds: 3_000))
            return String(line.split(separator: " ", maxSplits: 1)[1])
        }
    }

    @Test func oneWaitsAndWaitsNoMore() throws {
        let request = try Self.request("1b4e")
        #expect(
            texts(take([request])) == [
                "! Claw  “iPad\u{FFFD}” waits for approval, 2 s: it asks for operator.read  (clawradar approve 1b4e)"
            ]
        )
        #expect(take([request]).isEmpty)
        #expect(feed.waiting.map(\.request) == [request])
        #expect(texts(take([])) == ["! Claw  “iPad\u{FFFD}” waits no more for approval"])
    }

    /// The loss of a session says nothing about who waits.
    @Test func aLostSessionIsNoDecision() throws {
        let request = try Self.request("1b4e")
        _ = take([request])
        #expect(take(nil).isEmpty && feed.waiting.isEmpty)
        #expect(take([request]).isEmpty && feed.waiting.count == 1)
        #expect(take([try Self.request("1b4e", scopes: ["operator.admin"])]).count == 1)
    }

    @Test func aProgramReadsItAsOneLine() throws {
        let change = try #require(take([try Self.request("1b4e")]).first)
        let json = ApprovalReport(change, at: Timestamp(milliseconds: 0)).json
        #expect(json["event"] == "approval" && json["state"] == "waits" && json["pairing"] == "p")
        #expect(json["request"]?["id"] == "1b4e" && json["request"]?["scopes"] == .array(["operator.read"]))
        #expect(json["command"] == "clawradar approve 1b4e")
    }
}
