import GatewayProtocol
import Testing

@testable import Pairing

/// The devices that wait for an approval, as a session sees them.
@Suite final class WaitingDevicesTests {
    private var devices = WaitingDevices()
    private var now = ContinuousClock.now

    private static func entry(_ id: String, scopes: [String] = ["operator.read"], time: Int = 1) -> JSONValue {
        .object([
            "requestId": .string(id), "scopes": .array(scopes.map { .string($0) }), "ts": .number(JSONNumber(time)),
        ])
    }

    private func list(_ entries: JSONValue...) throws -> Bool {
        devices.take(try DeviceRequestList(json: .object(["pending": .array(entries)])))
    }

    private func take(_ event: GatewayEvent) -> Bool { devices.take(event, at: now, time: 5_000) }

    private func requested(_ id: String, scopes: [String] = ["operator.read"], time: Int = 1) -> Bool {
        take(GatewayEvent(name: "device.pair.requested", payload: Self.entry(id, scopes: scopes, time: time)))
    }

    private func resolved(_ id: String) -> Bool {
        take(GatewayEvent(name: "device.pair.resolved", payload: .object(["requestId": .string(id)])))
    }

    private var ids: [String]? { devices.known?.map(\.id) }

    @Test func nothingIsKnownBeforeTheFirstList() throws {
        _ = requested("a")
        #expect(ids == nil)
        #expect(try list())
        #expect(ids == ["a"])
    }

    /// Nodes have events of their own, which say what they are and where.
    @Test func nodesAreToldOfByTheirOwnEvents() throws {
        #expect(try list(Self.entry("a")))
        let node: JSONValue = .object([
            "requestId": "n", "nodeId": "node-1", "displayName": "Pad", "platform": "ios", "version": "1.2",
            "remoteIp": "10.0.0.7", "ts": 1,
        ])
        let isNews = take(GatewayEvent(name: "node.pair.requested", payload: node))
        #expect(isNews && ids == ["a", "n"])
        let request = devices.known?.last
        #expect(request?.isNode == true && request?.deviceID == "node-1" && request?.address == "10.0.0.7")
        let isOver = take(GatewayEvent(name: "node.pair.resolved", payload: .object(["requestId": "n"])))
        #expect(isOver && ids == ["a"])
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
        let isNews = take(GatewayEvent(name: "device.pair.requested", payload: .string("?")))
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

    // MARK: Clawline

    private func told(_ id: String, name: String = "Pad") -> Bool {
        let message: [String: JSONValue] = [
            "type": "pair_approval_request", "deviceId": .string(id), "claimedName": .string(name),
            "deviceInfo": .object(["platform": "iOS", "model": "iPhone 15"]),
        ]
        return take(GatewayEvent(name: "pair_approval_request", payload: .object(message)))
    }

    /// A provider tells of each that waits after a session has begun, and then nothing more: an admin knows then that
    /// nobody else waits, and nobody else knows anything.
    @Test(arguments: [true, false]) func aProviderTellsAdminsAlone(isAdmin: Bool) {
        devices = WaitingDevices(dialect: .clawline)
        #expect(!devices.isSettled)
        devices.beginAsking()
        #expect(ids == nil)
        let isNews = devices.settle(isAdmin: isAdmin)
        #expect(isNews == isAdmin && ids == (isAdmin ? [] : nil))
        // Whoever is told of one is an admin, whatever its token says.
        #expect(told("a") && ids == ["a"])
        #expect(devices.known?.first?.platform == "iOS, iPhone 15" && devices.known?.first?.time == 5_000)
        #expect(!told("a") && !devices.isContested("a"))
    }

    /// Whoever takes over the identifier of a device that was shown takes not its place: that one stays shown, and is not to
    /// be approved before it was decided or forgotten.
    @Test func whoeverTakesAnIdentifierIsNotShownInItsPlace() {
        devices = WaitingDevices(dialect: .clawline)
        devices.beginAsking()
        _ = [told("a"), told("b")]
        #expect(!told("a", name: "Other") && devices.isContested("a") && !devices.isContested("b"))
        #expect(devices.requests.map(\.name) == ["Pad", "Pad"])
        #expect(!told("a") && devices.isContested("a"))
        devices.forget("a")
        #expect(!devices.isContested("a") && told("a", name: "Other") && !devices.isContested("a"))
    }

    /// A provider tells who waits once it has sent what was missed, which can take long.
    @Test func whatWasMissedComesFirst() {
        devices = WaitingDevices(dialect: .clawline)
        devices.beginAsking(after: 2)
        func receive(_ name: String) -> Bool { take(GatewayEvent(name: name, payload: .object([:]))) }
        #expect(!devices.isReplayed && !receive("message") && !devices.isReplayed)
        #expect(!receive("typing") && !devices.isReplayed && !receive("message") && devices.isReplayed)
        devices.beginAsking(after: 500)
        #expect(!devices.isReplayed && told("a") && devices.isReplayed)
        for count in [0, -1] {
            devices.beginAsking(after: count)
            #expect(devices.isReplayed)
        }
    }

    /// Of what was decided elsewhere nothing is told: it is forgotten with the next session, or when its time is over.
    @Test func whatWasDecidedElsewhereIsForgotten() {
        devices = WaitingDevices(dialect: .clawline)
        devices.beginAsking()
        _ = [told("a"), told("b")]
        now += .seconds(200)
        devices.beginAsking()
        #expect(!told("b") && ids == ["a", "b"])
        #expect(!devices.isSettled)
        #expect(devices.settle(isAdmin: true) && ids == ["b"])
        #expect(devices.isSettled)
        #expect(devices.nextEnd == now + WaitingDevices.life)
        _ = told("c")
        now += WaitingDevices.life - .seconds(1)
        #expect(!devices.forgetEnded(at: now) && told("c") == false)
        now += .seconds(1)
        #expect(devices.forgetEnded(at: now) && ids == ["c"])
        devices.forget("c")
        #expect(ids == [] && devices.nextEnd == nil)
    }

    /// However many a provider tells of, few are kept, with short texts; and events of another dialect say nothing.
    @Test func aProviderIsBounded() throws {
        devices = WaitingDevices(dialect: .clawline)
        let long = String(repeating: "x", count: 10_000)
        for number in 0..<1_000 { _ = told("r\(number)", name: long) }
        _ = [told(""), told("a b"), told("\u{202E}"), told(long)]
        #expect(ids?.count == WaitingDevices.mostOfClawline && devices.known?.first?.name?.utf8.count == 256)
        now += WaitingDevices.life
        #expect(devices.forgetEnded(at: now) && ids == [] && devices.nextEnd == nil)
        #expect(!requested("a") && !resolved("a"))
        devices = WaitingDevices()
        #expect(try list() && !told("a") && ids == [])
    }
}
