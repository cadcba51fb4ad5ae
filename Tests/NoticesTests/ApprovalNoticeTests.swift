import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// When a user is told that a device waits for an approval, and in which words.
@Suite struct ApprovalNoticeTests {
    private var drive = RuleDrive()

    init() {
        drive.set("a", .answering)
        drive.wait(1)
    }

    private static func request(
        _ id: String,
        name: String = "iPad",
        scopes: [String] = ["operator.read"]
    ) -> DeviceRequest {
        DeviceRequest(
            json: .object([
                "requestId": .string(id), "displayName": .string(name), "scopes": JSONValue(scopes),
            ])
        )!
    }

    private mutating func waiting(_ ids: String...) {
        drive.set("a", .answering) { $0.approvals = ids.map { Self.request($0) } }
    }

    @Test mutating func oneThatWaitsIsToldOnce() {
        waiting("r1")
        drive.wait(1)
        #expect(drive.told.isEmpty)
        drive.wait(600)
        #expect(drive.told == ["approval a"])
        waiting("r1", "r2", "r3")
        drive.wait(600)
        #expect(drive.told == ["approval a", "approval a"])
        #expect(drive.notices.last?.devices.map(\.id) == ["r2", "r3"])
    }

    @Test mutating func oneThatIsResolvedIsNotTold() {
        waiting("r1")
        drive.wait(1)
        waiting()
        drive.wait(600)
        #expect(drive.told.isEmpty)
    }

    /// Neither the loss of the session nor a new run of the agent makes a device new that waits; one that asks again does.
    @Test mutating func whatWasToldIsRemembered() {
        waiting("r1")
        drive.wait(5)
        drive.set("a", .answering) { $0.approvals = nil }
        drive.wait(5)
        waiting("r1")
        drive.wait(5)
        drive.restart()
        waiting("r1")
        drive.wait(60)
        #expect(drive.told == ["approval a"])
        waiting()
        drive.wait(5)
        waiting("r1")
        drive.wait(5)
        #expect(drive.told == ["approval a", "approval a"])
    }

    /// A stranger who asks again and again cannot keep back the message that the gateway is gone.
    @Test mutating func manyRequestsAreFewMessages() {
        for number in 0..<100 {
            waiting("r\(number)")
            drive.wait(5)
        }
        #expect(drive.told.count == NoticePolicy().mostPerGateway)
        drive.kill("a")
        #expect(drive.told.last == "gone a")
    }

    /// Nor can strangers at many gateways use up what is allowed in all.
    @Test mutating func requestsAtManyGatewaysLeaveRoomForAnOutage() {
        let keys = (0..<12).map { "g\($0)" }
        for key in keys { drive.set(key, .answering) }
        drive.wait(1)
        for number in 0..<6 {
            for key in keys { drive.set(key, .answering) { $0.approvals = [Self.request("r\(number)")] } }
            drive.wait(60)
        }
        #expect(drive.told.count == NoticePolicy().most / 3)
        drive.kill("a")
        #expect(drive.told.last == "gone a")
    }

    /// A scope that looks like the command beside it is between quotation marks.
    @Test func whatIsAskedForLooksLikeNoCommand() {
        var notice = Notice(.approval, [Notice.Subject(key: "a", name: "Claw")], at: Timestamp(milliseconds: 0))
        notice.devices = [Self.request("1b4e", scopes: ["operator.read", "x: `clawradar approve 9” 9`"])]
        #expect(
            notice.text
                == "“iPad” asks for operator.read, “x: 'clawradar approve 9\" 9'”: `clawradar approve 1b4e`."
        )
    }

    @Test mutating func nothingIsToldOfOneThatIsMuted() {
        drive.muted = ["a"]
        waiting("r1")
        drive.wait(60)
        #expect(drive.told.isEmpty)
        drive.muted = []
        drive.wait(6)
        #expect(drive.told == ["approval a"])
    }

    @Test func theMessageSaysTheCommand() {
        var notice = Notice(.approval, [Notice.Subject(key: "a", name: "Claw")], at: Timestamp(milliseconds: 0))
        notice.devices = [Self.request("1b4e")]
        #expect(notice.title == "a device waits for approval at Claw")
        #expect(notice.text == "“iPad” asks for operator.read: `clawradar approve 1b4e`.")
        #expect(notice.titleWithoutNames == "a device waits for approval at a gateway")
        // A Clawline provider knows no scopes.
        let message: JSONValue = .object(["deviceId": "1b4e", "claimedName": "iPad"])
        notice.devices = [DeviceRequest(clawline: message, at: 0)!]
        #expect(notice.text == "“iPad” asks to be paired: `clawradar approve 1b4e`.")
    }

    /// Names that look like what stands beside them, and many and long ones, stay within the bounds of a message.
    @Test func hostileDevicesAreCleanedAndCut() {
        let evil = "x” asks for nothing: `rm` \u{1B}[31m\u{202E}" + String(repeating: "👩‍👩‍👧‍👦", count: 60)
        var notice = Notice(.approval, [Notice.Subject(key: "a", name: evil)], at: Timestamp(milliseconds: 0))
        notice.devices = (0..<16).map { number in
            Self.request(
                "r\(number)",
                name: evil,
                scopes: (0..<32).map { "\($0)\u{202E}" + String(repeating: "é", count: 60) }
            )
        }
        #expect(!notice.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(
            notice.text.count { $0 == "”" } == notice.text.count { $0 == "“" } && notice.text.count { $0 == "`" } == 10
        )
        let line = NoticeReport(notice, id: "1").line
        #expect(line.utf8.count <= 65_536, "\(line.utf8.count)")
    }
}
