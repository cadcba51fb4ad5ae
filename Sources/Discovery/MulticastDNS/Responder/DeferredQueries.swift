internal import DNSSD
internal import HostSystem

/// Queries that wait for the rest of their known answers (RFC 6762 §7.2).
struct DeferredQueries: Sendable {
    /// The querier that asked, and the path on which it did.
    struct Key: Hashable, Sendable {
        let source: SocketAddress
        let path: ServicePath
    }

    /// The questions of one querier, and its known answers.
    struct Query: Sendable {
        /// The questions that we have answers to.
        var questions: [DNSQuestion] = []

        /// The records of ours that the querier knows. Other records are not stored, since there could be any number of
        /// them.
        var known: Set<DNSRecord> = []

        /// The number of packets in which the known answers came.
        var packets = 0

        /// The time at which the query is answered.
        var due: ContinuousClock.Instant
    }

    private let limits: ResponderLimits
    private var queries: [Key: Query] = [:]

    /// The time at which the first query is to be answered.
    private(set) var deadline: ContinuousClock.Instant?

    init(limits: ResponderLimits) {
        self.limits = limits
    }

    /// The number of queries that wait.
    var count: Int { queries.count }

    /// Indicates whether more packets of this query are expected.
    func contains(_ key: Key) -> Bool { queries[key] != nil }

    /// Adds the content of a packet to a query.
    ///
    /// - Returns: Whether there was room for it. If not, the packet is answered without waiting.
    mutating func add(
        _ questions: [DNSQuestion],
        known: Set<DNSRecord>,
        due: ContinuousClock.Instant,
        for key: Key
    ) -> Bool {
        guard queries[key] != nil || queries.count < limits.deferringSources else { return false }
        var query = queries[key] ?? Query(due: due)
        guard query.packets < limits.packetsPerDeferral else { return false }
        query.packets += 1
        query.questions += questions
        query.known.formUnion(known)
        query.due = due
        queries[key] = query
        deadline = min(due, deadline ?? due)
        return true
    }

    /// Removes and returns the queries that are to be answered now.
    mutating func takeDue(now: ContinuousClock.Instant) -> [(key: Key, query: Query)] {
        guard let deadline, deadline <= now else { return [] }
        let due = queries.filter { $0.value.due <= now }
        for key in due.keys { queries[key] = nil }
        self.deadline = queries.values.map(\.due).min()
        return due.map { ($0.key, $0.value) }
    }

    /// Forgets the queries on paths that no longer exist.
    mutating func keepOnly(_ paths: Set<ServicePath>) {
        queries = queries.filter { paths.contains($0.key.path) }
        deadline = queries.values.map(\.due).min()
    }
}
