internal import GatewayProtocol

/// The devices that wait at a gateway for an approval which this device may give, as its session sees them. A value.
///
/// The gateway lists them when it is asked, and says in events what changes. Answers and events can come out of order: what
/// an event has said while an answer was under way is newer than the answer.
struct WaitingDevices: Hashable, Sendable {
    /// The time after which the list is asked for again while a device waits: a request that expires is not reported.
    static let interval = Duration.seconds(60)

    /// The least time between two reports, however many events come.
    static let pause = Duration.milliseconds(100)

    /// The maximum number of devices: `clawradar approvals` shows more.
    static let most = 16

    /// The devices, in the order in which they were seen.
    private(set) var requests: [DeviceRequest] = []

    /// Indicates whether the gateway has listed them.
    private var isKnown = false

    /// The devices as far as they are known; `nil` before the first list.
    var known: [DeviceRequest]? { isKnown ? requests : nil }

    /// Indicates whether the list is asked for, or will be.
    var isFollowed = false

    /// Indicates whether a change is to be reported in a moment.
    var isReportDue = false

    /// The identifiers of which events have told since the list was last asked for.
    private var told: Set<String> = []

    /// Records that the list is asked for.
    mutating func beginAsking() { told = [] }

    /// Takes in the list.
    ///
    /// - Returns: `true` if anything has changed.
    mutating func take(_ list: DeviceRequestList) -> Bool {
        let before = requests
        let listed = Dictionary(list.requests.map { ($0.id, $0) }) { first, _ in first }
        // The place and the words of a device stay while it waits, so that new ones, of which there may be more than are
        // kept, displace nobody.
        var waiting = before.compactMap { request -> DeviceRequest? in
            guard !told.contains(request.id) else { return request }
            return listed[request.id].map { request.asks(for: $0) ? request : $0 }
        }
        let known = Set(before.map(\.id))
        waiting += list.requests.filter { !told.contains($0.id) && !known.contains($0.id) }
        requests = Array(waiting.prefix(Self.most))
        defer { isKnown = true }
        return requests != before || !isKnown
    }

    /// Takes in an event of the gateway.
    ///
    /// - Returns: `true` if anything has changed.
    mutating func take(_ event: GatewayEvent) -> Bool {
        switch event.name {
        case "device.pair.requested":
            guard let request = event.payload.flatMap(DeviceRequest.init) else { return false }
            note(request.id)
            if let place = requests.firstIndex(where: { $0.id == request.id }) {
                guard !requests[place].asks(for: request) else { return false }
                requests[place] = request
                return true
            }
            guard requests.count < Self.most else { return false }
            requests.append(request)
            return true
        case "device.pair.resolved":
            guard let id = event.payload?["requestId"]?.string, id.utf8.count <= 128 else { return false }
            note(id)
            let count = requests.count
            requests.removeAll { $0.id == id }
            return requests.count != count
        default:
            return false
        }
    }

    private mutating func note(_ id: String) {
        if told.count < 4 * DeviceRequestList.most { told.insert(id) }
    }
}

extension DeviceRequest {
    /// Indicates whether another request for the same is the same to whoever decides: a device that asks again renews its
    /// time.
    fileprivate func asks(for other: DeviceRequest) -> Bool {
        (name, roles, scopes, address) == (other.name, other.roles, other.scopes, other.address)
    }
}
