internal import GatewayProtocol

/// The devices that wait at a gateway for an approval which this device may give, as its session sees them. A value.
///
/// An OpenClaw gateway lists them when it is asked, and says in events what changes. Answers and events can come out of
/// order: what an event has said while an answer was under way is newer than the answer.
///
/// A Clawline provider tells of each when a session begins, and when it comes, and never that one waits no more: each is
/// forgotten when it was decided here, when its time must be over, or when a new session tells nothing of it.
struct WaitingDevices: Hashable, Sendable {
    /// The time after which the list is asked for again while a device waits: a request that expires is not reported.
    static let interval = Duration.seconds(60)

    /// The least time between two reports, however many events come.
    static let pause = Duration.milliseconds(100)

    /// The maximum number of devices at an OpenClaw gateway: `clawradar approvals` asks for the list itself, and shows more.
    static let most = 16

    /// The maximum number of devices at a Clawline provider, which lets no more wait: nothing else tells of them, and some
    /// that were left out would hide one.
    static let mostOfClawline = 100

    /// The time for which a Clawline provider lets a device wait.
    static let life = Duration.seconds(300)

    /// The time within which a Clawline provider has told of all that wait, once it has sent what was missed.
    static let settling = Duration.seconds(1)

    /// The time after which what was missed is not waited for any more.
    static let replaying = Duration.seconds(20)

    /// The time within which a Clawline provider refuses a decision that it has read.
    static let refusalTimeout = Duration.milliseconds(250)

    /// The dialect of the gateway.
    let dialect: GatewayDialect

    /// The devices, in the order in which they were seen.
    private(set) var requests: [DeviceRequest] = []

    /// Indicates whether the gateway has listed them.
    private var isKnown = false

    /// The devices as far as they are known; `nil` before the first list.
    var known: [DeviceRequest]? { isKnown ? requests : nil }

    /// Indicates whether the list is asked for, or will be; at a Clawline provider, whether ends are waited for.
    var isFollowed = false

    /// Indicates whether a change is to be reported in a moment.
    var isReportDue = false

    /// Indicates whether a Clawline provider has told of all that wait.
    private(set) var isSettled = false

    /// The number of messages that a Clawline provider still has to send before it tells who waits.
    private var replayLeft = 0

    /// Indicates whether a Clawline provider has sent what was missed.
    var isReplayed: Bool { replayLeft == 0 }

    /// The identifiers of which events have told since the list was last asked for.
    private var told: Set<String> = []

    /// The times at which devices that wait at a Clawline provider are forgotten.
    private var ends: [String: ContinuousClock.Instant] = [:]

    /// The identifiers under which something else has asked at a Clawline provider since they were shown. It is the device
    /// that chooses its identifier, and whoever listens without TLS reads it.
    private var contested: Set<String> = []

    init(dialect: GatewayDialect = .openClaw) {
        self.dialect = dialect
    }

    /// Records that the list is asked for, or that a Clawline provider tells of all from now on.
    ///
    /// - Parameter replayCount: The number of messages that the provider sends before it does.
    mutating func beginAsking(after replayCount: Int = 0) {
        told = []
        replayLeft = max(0, replayCount)
        isSettled = false
    }

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
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time now.
    ///   - time: The time now, in milliseconds since 1970.
    /// - Returns: `true` if anything has changed.
    mutating func take(_ event: GatewayEvent, at now: ContinuousClock.Instant, time: Int) -> Bool {
        switch (dialect, event.name) {
        case (.clawline, "pair_approval_request"):
            replayLeft = 0
            guard let request = DeviceRequest(clawline: event.payload, at: time) else { return false }
            let shown = requests.first { $0.id == request.id }
            // What was shown first stays: an approval would be that of whoever asks now.
            if let shown, !shown.isSameDevice(as: request) { contested.insert(request.id) }
            note(request.id)
            let isNews = shown == nil ? put(request) : false
            guard requests.contains(where: { $0.id == request.id }) else { return false }
            ends[request.id] = now + Self.life
            // A provider tells admins alone, so this device is one.
            defer { isKnown = true }
            return isNews || !isKnown
        case (.openClaw, "device.pair.requested"), (.openClaw, "node.pair.requested"):
            guard let request = event.payload.flatMap({ DeviceRequest(json: $0) }) else { return false }
            return put(request)
        case (.openClaw, "device.pair.resolved"), (.openClaw, "node.pair.resolved"):
            guard let id = event.payload?["requestId"]?.string, id.utf8.count <= 128 else { return false }
            note(id)
            let count = requests.count
            requests.removeAll { $0.id == id }
            return requests.count != count
        case (.clawline, "message"):
            replayLeft = max(0, replayLeft - 1)
            return false
        default:
            return false
        }
    }

    private mutating func put(_ request: DeviceRequest) -> Bool {
        note(request.id)
        if let place = requests.firstIndex(where: { $0.id == request.id }) {
            guard !requests[place].asks(for: request) else { return false }
            requests[place] = request
            return true
        }
        guard requests.count < (dialect == .clawline ? Self.mostOfClawline : Self.most) else { return false }
        requests.append(request)
        return true
    }

    // MARK: Clawline

    /// Returns whether several devices, or one under several names, have asked under an identifier.
    func isContested(_ id: String) -> Bool { contested.contains(id) }

    /// Takes in that a Clawline provider has told of all that wait.
    ///
    /// - Parameter isAdmin: Indicates whether this device is an admin there, by the session or by its token.
    /// - Returns: `true` if anything has changed.
    mutating func settle(isAdmin: Bool) -> Bool {
        let (before, wasKnown) = (requests, isKnown)
        isSettled = true
        let told = told
        keep { told.contains($0) }
        isKnown = isAdmin || !requests.isEmpty
        return requests != before || isKnown != wasKnown
    }

    /// The time at which the next device is forgotten; `nil` if none is.
    var nextEnd: ContinuousClock.Instant? { ends.values.min() }

    /// Forgets the devices whose time is over.
    ///
    /// - Returns: `true` if anything has changed.
    mutating func forgetEnded(at now: ContinuousClock.Instant) -> Bool {
        let ends = ends
        return keep { ends[$0].map { $0 > now } ?? true }
    }

    /// Takes in that a device was decided about here.
    mutating func forget(_ id: String) { keep { $0 != id } }

    @discardableResult
    private mutating func keep(_ isKept: (String) -> Bool) -> Bool {
        let count = requests.count
        requests.removeAll { !isKept($0.id) }
        ends = ends.filter { isKept($0.key) }
        contested = contested.filter(isKept)
        return requests.count != count
    }

    private mutating func note(_ id: String) {
        if told.count < 4 * DeviceRequestList.most { told.insert(id) }
    }
}

extension DeviceRequest {
    /// Returns whether another request under the same identifier can be that of the same device, by its own words.
    fileprivate func isSameDevice(as other: DeviceRequest) -> Bool {
        (name, platform) == (other.name, other.platform)
    }

    /// Indicates whether another request for the same is the same to whoever decides: a device that asks again renews its
    /// time.
    fileprivate func asks(for other: DeviceRequest) -> Bool {
        (name, roles, scopes, address) == (other.name, other.roles, other.scopes, other.address)
    }
}
