internal import DNSSD

/// The endpoints with which another part of the program has a session. A value.
struct SessionEndpoints {
    /// Those whose session is alive: nothing is asked of them.
    private(set) var alive: Set<Endpoint> = []

    /// Those among them that were dropped meanwhile, and that the map may know from the session alone.
    private var dropped: Set<Endpoint> = []

    init() {}

    func contains(_ endpoint: Endpoint) -> Bool { alive.contains(endpoint) }

    /// Records that a session is alive.
    ///
    /// - Returns: `true` if it was not before.
    mutating func begin(_ endpoint: Endpoint) -> Bool { alive.insert(endpoint).inserted }

    /// Records that a session has ended, or has lost its endpoint.
    ///
    /// - Returns: Whether the endpoint was dropped meanwhile; `nil` if there was no session.
    mutating func end(_ endpoint: Endpoint) -> Bool? {
        guard alive.remove(endpoint) != nil else { return nil }
        return dropped.remove(endpoint) != nil
    }

    /// Records that an endpoint is asked no more, while its session is alive.
    mutating func drop(_ endpoint: Endpoint) { dropped.insert(endpoint) }

    /// Records that an endpoint is asked again.
    mutating func keep(_ endpoint: Endpoint) { dropped.remove(endpoint) }
}
