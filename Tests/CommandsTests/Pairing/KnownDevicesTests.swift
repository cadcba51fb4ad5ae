import GatewayProtocol
import Reports
import Testing

@testable import Commands

/// Who has come to a gateway since a code was made, from what it lists before and after.
@Suite struct KnownDevicesTests {
    private static func known(_ paired: [String], _ waiting: [(id: String, request: String)]) throws -> KnownDevices {
        let old = paired.map { JSONValue.object(["deviceId": .string($0), "displayName": "Phone"]) }
        let new = waiting.map { JSONValue.object(["deviceId": .string($0.id), "requestId": .string($0.request)]) }
        return try #require(KnownDevices(.object(["paired": .array(old), "pending": .array(new)])))
    }

    private typealias Waiting = [(id: String, request: String)]

    private static let cases: [(paired: [String], waiting: Waiting, found: String?, request: String?)] = [
        (["a"], [("b", "r-b")], nil, nil), (["a"], [], nil, nil),
        (["a"], [("b", "r-b"), ("c", "r-c")], "c", "r-c"), (["a", "c"], [("b", "r-b")], "c", nil),
        // It has waited before, and is approved.
        (["a", "b"], [], "b", nil),
        // It has asked anew.
        (["a"], [("b", "r-b2")], "b", "r-b2"),
        // One that is paired asks for more.
        (["a"], [("b", "r-b"), ("a", "r-a")], nil, nil),
    ]

    @Test(arguments: cases.indices) func whoHasCome(_ index: Int) throws {
        let (paired, waiting, found, request) = Self.cases[index]
        let before = try Self.known(["a"], [("b", "r-b")])
        let device = try Self.known(paired, waiting).newcomer(since: before)
        #expect(device?.id == found && device?.requestID == request)
    }

    @Test func whatIsNoListIsNone() {
        for json in [nil, JSONValue.object([:]), .object(["paired": .array([])])] { #expect(KnownDevices(json) == nil) }
    }

    /// Names and identifiers are a stranger's.
    @Test func textsAreCleaned() throws {
        let list: JSONValue = .object([
            "paired": .array([.object(["deviceId": "12\u{202E}4567890", "displayName": "Pho\u{1B}ne”"])]),
            "pending": .array([]),
        ])
        let empty = try Self.known([], [])
        let device = try #require(KnownDevices(list)?.newcomer(since: empty))
        let text = LinkUse.came(device).text(until: .now, isAdmin: true)
        #expect(text.hasPrefix("“Pho\u{FFFD}ne\"” (device 12\u{FFFD}45678) has come"), "\(text)")
    }
}
