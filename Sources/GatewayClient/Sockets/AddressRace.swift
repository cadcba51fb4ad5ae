internal import DNSSD

/// The order and the timing of the attempts to connect to several addresses (RFC 8305): each attempt has a head start
/// over the next, and the first that succeeds wins. A value: it receives events, and returns the next action.
struct AddressRace {
    /// The head start that each attempt has over the next (RFC 8305 §5).
    static let headStart = Duration.milliseconds(250)

    /// An event of the race.
    enum Event: Hashable {
        case connected(Int)
        case failed(Int, GatewayConnectionError)
        /// The head start of an attempt is over.
        case headStartOver(Int)
    }

    /// The action to take next.
    enum Action: Hashable {
        /// Connect to an address, and start its head start.
        case connect(Int)
        case wait
        case win(Int)
        case giveUp(GatewayConnectionError)
    }

    /// The endpoints in the order of the attempts.
    let endpoints: [Endpoint]
    private var next = 0
    private var running = 0
    private var failures: [GatewayConnectionError] = []
    private var isOver = false

    init(_ endpoints: [Endpoint]) {
        self.endpoints = Self.interleaved(endpoints)
    }

    /// Returns the endpoints with the best first and then the address families in turn, so that a family without
    /// connectivity costs one head start (§4).
    private static func interleaved(_ endpoints: [Endpoint]) -> [Endpoint] {
        let sorted = Set(endpoints).sorted()
        guard let first = sorted.first else { return [] }
        let same = sorted.filter { $0.address.family == first.address.family }
        let other = sorted.filter { $0.address.family != first.address.family }
        var result: [Endpoint] = []
        for index in 0..<max(same.count, other.count) {
            if index < same.count { result.append(same[index]) }
            if index < other.count { result.append(other[index]) }
        }
        return result
    }

    mutating func start() -> Action {
        guard !endpoints.isEmpty else { return .giveUp(GatewayConnectionError(.unreachable, "there is no address")) }
        return startNext()
    }

    mutating func receive(_ event: Event) -> Action {
        guard !isOver else { return .wait }
        switch event {
        case .connected(let index):
            isOver = true
            return .win(index)
        case .failed(_, let error):
            failures.append(error)
            running -= 1
            if next < endpoints.count { return startNext() }
            guard running == 0 else { return .wait }
            isOver = true
            return .giveUp(mostInformative)
        case .headStartOver(let index):
            // A failure may have started the next attempt already.
            return index == next - 1 && next < endpoints.count ? startNext() : .wait
        }
    }

    private mutating func startNext() -> Action {
        running += 1
        next += 1
        return .connect(next - 1)
    }

    /// The most informative failure: a refusal says more than silence, and silence more than an unreachable host.
    private var mostInformative: GatewayConnectionError {
        let order: [GatewayConnectionError.Code] = [.refused, .timedOut]
        for code in order {
            if let failure = failures.first(where: { $0.code == code }) { return failure }
        }
        return failures.first ?? GatewayConnectionError(.unreachable, "there is no address")
    }
}
