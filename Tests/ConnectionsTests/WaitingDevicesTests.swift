import GatewayProtocol
import Testing

@testable import Connections

/// The devices that wait for an approval, as a session sees them.
@Suite final class WaitingDevicesTests {
    private var devices = WaitingDevices()

    private static func entry(_ id: String, scopes: [String] = ["operator.read"], time: Int = 1) -> JSONValue {
        .object([
            "requestId": .string(id), "scopes": .array(scopes.map { .string($0) }), "ts": .number(JSONNumber(time)),
        ])
    }

    private func list(_ entries: JSONValue...) throws -> Bool {
        devices.take(try DeviceRequestList(json: .object(["pending": .array(entries)])))
    }

    private func requested(_ id: String, scopes: [String] = ["operator.read"], time: Int = 1) -> Bool {
        devices.take(GatewayEvent(name: "device.pair.requested", payload: Self.entry(id, scopes: scopes, time: time)))
    }

    private func resolved(_ id: String) -> Bool {
        devices.take(GatewayEvent(name: "device.pair.resolved", payload: .object(["requestId": .string(id)])))
    }

    private var ids: [String]? { devices.known?.map(\.id) }

    @Test func nothingIsKnownBeforeTheFirstList() throws {
        _ = requested("a")
        #expect(ids == nil)
        #expect(try list())
        #expect(ids == ["a"])
    }

    /// An event that comes while the list is asked for is newer than the list.
    @Test func eventsAreNewerThanAnAnswerThatWasUnderWay() throws {
        #expect(try list(Self.entry("a"), Self.entry("b")))
        devices.beginAsking()
        #expect(resolved("a"))
        #expect(requested("c"))
        #expect(try !list(Self.entry("a"), Self.entry("b")))
        #expect(ids == ["b", "c"])
        // One that has expired is not on the next list, and no event tells of it.
        devices.beginAsking()
        #expect(try list(Self.entry("c")))
        #expect(ids == ["c"])
    }

    /// A device that asks again renews its time, which is no news; one that asks for more is.
    @Test func onlyWhatIsAskedForIsNews() throws {
        #expect(try list(Self.entry("a")))
        #expect(!requested("a", time: 2))
        #expect(devices.known?.first?.time == 1)
        #expect(requested("a", scopes: ["operator.admin"]))
        #expect(devices.known?.first?.scopes == ["operator.admin"])
        #expect(!resolved("other"))
        let isNews = devices.take(GatewayEvent(name: "device.pair.requested", payload: .string("?")))
        #expect(!isNews)
    }

    /// However many ask, those that are known keep their places: otherwise they would be told of as over, and anew.
    @Test func whoeverCameFirstIsNotDisplaced() throws {
        #expect(try list(Self.entry("a"), Self.entry("b")))
        #expect(requested("c"))
        devices.beginAsking()
        let flood = (0..<60).map { Self.entry("flood-\($0)") }
        let all = flood + [Self.entry("a"), Self.entry("b"), Self.entry("c")]
        let isNews = devices.take(try DeviceRequestList(json: .object(["pending": .array(all)])))
        #expect(isNews)
        #expect(ids?.count == WaitingDevices.most)
        #expect(ids?.prefix(3) == ["a", "b", "c"])
    }

    @Test func aFloodIsBounded() throws {
        #expect(try list())
        for number in 0..<10_000 { _ = requested("r\(number)") }
        #expect(ids?.count == WaitingDevices.most)
        for number in 0..<10_000 { _ = resolved("r\(number)") }
        #expect(ids == [])
    }
}
