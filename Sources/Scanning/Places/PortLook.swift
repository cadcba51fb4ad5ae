internal import DNSSD
internal import HostSystem

/// A look at which ports of some hosts programs listen, before anybody asks what they are: most hosts have none, and many do not
/// answer at all.
struct PortLook: Sendable {
    /// The threads that wait for answers.
    private static let calls = BlockingCalls(most: 2)

    /// The number of hosts that are looked at at once.
    let atOnce: Int

    /// The time that each of them has.
    let limit: Duration

    /// Returns those of the endpoints at which a program accepts connections.
    ///
    /// - Parameters:
    ///   - hosts: The endpoints of each host, the hosts in the order in which they are looked at.
    ///   - deadline: The time at which no more hosts are looked at; `nil` for none.
    ///   - told: Gets the number of hosts that were looked at, again and again.
    func open(
        at hosts: [[Endpoint]],
        until deadline: ContinuousClock.Instant? = nil,
        told: (Int) -> Void = { _ in }
    ) async -> [Endpoint] {
        var found: [Endpoint] = []
        for start in stride(from: 0, to: hosts.count, by: atOnce) {
            let left = deadline.map { min(limit, $0 - .now) } ?? limit
            guard left > .zero, !Task.isCancelled else { break }
            told(start)
            let end = min(start + atOnce, hosts.count)
            let part = hosts[start..<end].flatMap(\.self)
            found += await withCheckedContinuation { continuation in
                Self.calls.run { continuation.resume(returning: Knock.open(part, within: left)) }
            }
            if end == hosts.count { told(end) }
        }
        return found
    }
}
