import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The Clawline provider, by the guide that its clients are written from (`docs/ios-provider-connection.md` of Clawline).
@Suite struct ClawlineMustsTests {
    /// Every rule of the guide that a client can break, and every answer that it can wait for.
    @Test(arguments: Self.musts) func theGuideIsFollowed(must: Must) throws { try must.expect(of: .clawline) }

    private static let (first, second) = (
        "6f9619ff-8b86-4d01-b42d-00cf4fc964f1", "7a9619ff-8b86-4d01-b42d-00cf4fc964f1"
    )
    private static let account = "user_9a9619ff-8b86-4d01-b42d-00cf4fc964f1"

    private static func pair(
        _ device: String,
        name: String = "Pad",
        version: String = #""protocolVersion":1,"#,
        info: String = #"{"platform":"iOS","model":"iPad"}"#
    ) -> String {
        #"{"type":"pair_request",\#(version)"deviceId":"\#(device)","claimedName":"\#(name)","deviceInfo":\#(info)}"#
    }

    private static func auth(
        _ token: String,
        _ device: String = Self.first,
        version: String = #""protocolVersion":1,"#,
        last: String = ""
    ) -> String {
        #"{"type":"auth",\#(version)"token":"\#(token)","deviceId":"\#(device)"\#(last)}"#
    }

    private static func decision(_ device: String, _ rest: String) -> String {
        #"{"type":"pair_decision","deviceId":"\#(device)",\#(rest)}"#
    }

    private static let approval = decision(second, #""approve":true,"userId":"\#(account)""#)

    /// Pairs the first device, and returns its token.
    private static func token(_ gateway: inout RawGateway) throws -> String {
        try gateway.say(pair(first), on: 90)
        return try #require(try gateway.operate("approve", first).others.first?["token"]?.string)
    }

    /// Begins a session of the first device, which is an admin, on connection 1, and lets the second one wait.
    private static func begin(_ gateway: inout RawGateway) throws {
        try gateway.say(auth(try token(&gateway)))
        try gateway.say(pair(second), on: 2)
    }

    private static func isInvalid(_ reply: RawGateway.Reply, closes: Bool = true) -> Bool {
        reply.answers.count == 1 && reply.first?["type"] == "error" && reply.code == "invalid_message"
            && (reply.close != nil) == closes
    }

    private static let musts: [Must] = [
        Must("Authenticated session", "requests name version 1 of the protocol, else invalid_message and a close") {
            for version in ["", #""protocolVersion":2,"#, #""protocolVersion":"1","#] {
                guard isInvalid(try $0.say(pair(first, version: version), on: 2)),
                    isInvalid(try $0.say(auth("x", version: version), on: 3))
                else { return false }
                (_, _) = (try $0.open(2), try $0.open(3))
            }
            return true
        },
        Must("Authenticated session, 6", "GET /version says which version it speaks") { _ in
            let page = try #require(GatewayDialect.clawline.page("/version"))
            return try JSONValue(parsing: page) == .object(["protocolVersion": 1])
        },
        Must("Pairing, 1", "a device is a UUID of version 4") {
            for id in ["ABC123", "6f9619ff-8b86-1d01-b42d-00cf4fc964f1", ""] {
                guard isInvalid(try $0.say(pair(id))) else { return false }
                _ = try $0.open(1)
            }
            return true
        },
        Must("Pairing, 2", "a request says platform and model") {
            for info in ["null", "{}", #"{"platform":"iOS"}"#, #"{"platform":"","model":"x"}"#] {
                guard isInvalid(try $0.say(pair(first, info: info))) else { return false }
                _ = try $0.open(1)
            }
            return true
        },
        Must("Pairing, 4", "a claimed name has at most 64 bytes") {
            let isLong = isInvalid(try $0.say(pair(first, name: String(repeating: "ä", count: 33))))
            return try isLong && $0.say(pair(first, name: String(repeating: "ä", count: 32)), on: 2).answers.isEmpty
        },
        Must("Pairing, 3 and 4", "a grant has token and account, and ends the connection: sessions have their own") {
            $0.state.clawline.approvesAll = true
            let reply = try $0.say(pair(first))
            return reply.first?["success"] == true && reply.first?["token"]?.string?.isEmpty == false
                && reply.first?["userId"]?.string?.hasPrefix("user_") == true && reply.close != nil
        },
        Must("Authenticated session, 5", "the session says whether the device is an admin: the first one is") {
            let reply = try $0.say(auth(try token(&$0)))
            try $0.say(pair(second), on: 2)
            let other = try #require(try $0.say(approval).others.first?["token"]?.string)
            let session = try $0.say(auth(other, second), on: 3)
            return reply.first?["isAdmin"] == true && session.first?["isAdmin"] == false
        },
        Must("Authenticated session, 3", "the result says what is missed of the history") {
            let session = try $0.say(auth(try token(&$0))).first
            return session?["replayCount"]?.int == 0 && session?["replayTruncated"] == false
                && session?["historyReset"] == false && session?["sessionId"]?.string != nil
        },
        Must("Authenticated session, 2", "the last message is one of the server's, null, or left out") {
            let token = try token(&$0)
            for (last, isTaken) in [(#""s_1""#, true), ("null", true), (#""c_1""#, false)] {
                let reply = try $0.say(auth(token, last: #","lastMessageId":\#(last)"#))
                guard isTaken ? reply.first?["success"] == true : isInvalid(reply) else { return false }
                _ = try $0.open(1)
            }
            return true
        },
        Must("Authenticated session, 4; errors", "a refusal has its reason") { gateway in
            func reason(_ token: String, _ device: String, _ gateway: inout RawGateway) throws -> String? {
                _ = try gateway.open(1)
                let reply = try gateway.say(auth(token, device))
                return reply.close == nil ? nil : reply.first?["reason"]?.string
            }
            let token = try token(&gateway)
            guard try reason("x", first, &gateway) == "auth_failed",
                try reason(token, second, &gateway) == "auth_failed"
            else { return false }
            try gateway.operate("reject", first)
            guard try reason(token, first, &gateway) == "device_not_approved" else { return false }
            try gateway.operate("revoke", first)
            return try reason(token, first, &gateway) == "token_revoked"
        },
        Must("Pairing, approvals", "an admin is told who waits, at once and when its session begins") {
            let token = try token(&$0)
            let told = try $0.say(pair(second), on: 2).others.first
            let again = try $0.say(auth(token)).answers.last
            return told?["type"] == "pair_approval_request" && told?["deviceId"] == .string(second)
                && told?["claimedName"] == "Pad" && told?["deviceInfo"]?["model"] == "iPad" && told == again
        },
        Must("Pairing, approvals", "an approval names the account; without one the device waits on") {
            try begin(&$0)
            for rest in [#""approve":true"#, #""approve":true,"userId":null"#, #""approve":true,"userId":"u""#] {
                guard isInvalid(try $0.say(decision(second, rest)), closes: false) else { return false }
            }
            return $0.state.clawline.queue.requests.count == 1
        },
        Must("Pairing, approvals", "the device belongs to the account that the approval names; the admin hears nothing")
        {
            try begin(&$0)
            let reply = try $0.say(approval)
            return reply.answers.isEmpty && reply.others.first?["userId"] == .string(account)
        },
        Must("Pairing, approvals", "a rejection needs no account, and is told to the device") {
            try begin(&$0)
            let reply = try $0.say(decision(second, #""approve":false"#))
            return reply.answers.isEmpty && reply.others.first?["reason"] == "pair_denied"
        },
        Must("Pairing, approvals", "the first decision counts, later ones get invalid_message") {
            try begin(&$0)
            try $0.say(approval)
            return isInvalid(try $0.say(approval), closes: false)
        },
        Must("Pairing, approvals", "nobody else decides") {
            try begin(&$0)
            return try isInvalid($0.say(approval, on: 5), closes: false)
                && $0.state.clawline.queue.requests.count == 1
        },
        Must("Errors", "another session of the device replaces this one, and says so") {
            let token = try token(&$0)
            try $0.say(auth(token))
            let reply = try $0.say(auth(token), on: 2)
            return reply.others.first?["code"] == "session_replaced" && reply.actions.contains(.displace(token: token))
        },
        Must("Rate limits", "the sixth request of a kind within a minute is refused") {
            for connection in 1...6 {
                let (pair, auth) = (try $0.say(pair(first), on: connection), try $0.say(auth("x"), on: 10 + connection))
                let isLast = connection == 6
                guard (pair.code == "rate_limited") == isLast, (auth.code == "rate_limited") == isLast else {
                    return false
                }
            }
            return true
        },
        Must("Rate limits", "a queue that is full is too much") {
            for index in 0..<64 {
                try $0.say(pair("6f9619ff-8b86-4d01-b42d-00cf4fc964\(index + 10)"), on: index)
            }
            return try $0.say(pair(second), on: 100).code == "rate_limited"
        },
    ]
}
