internal import DNSMessages
internal import DNSSD

/// Questions that wait for the rest of what the asker knows (RFC 6762 §7.2).
struct DeferredQueries: Sendable {
    /// Who asked, and where.
    struct Key: Hashable, Sendable {
        let source: SocketAddress
        let path: ServicePath
    }

    /// What one asked, and knows.
    struct Query: Sendable {
        /// The questions that we have an answer to.
        var questions: [DNSQuestion] = []

        /// Records of ours that it knows. Others are not kept: they would be without number.
        var known: Set<DNSRecord> = []

        /// How many packets they came in.
        var packets = 0

        /// When it is answered.
        var due: ContinuousClock.Instant
    }

    private let limits: ResponderLimits
    private var queries: [Key: Query] = [:]

    /// When the first one is to be answered.
    private(set) var deadline: ContinuousClock.Instant?

    init(limits: ResponderLimits) {
        self.limits = limits
    }

    /// How many wait.
    var count: Int { queries.count }

    /// Whether more of this one is expected.
    func contains(_ key: Key) -> Bool { queries[key] != nil }

    /// Adds a packet.
    ///
    /// - Returns: Whether there was room for it. A query that there is no room for is answered as it is.
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

    /// The queries that are to be answered now.
    mutating func takeDue(now: ContinuousClock.Instant) -> [(key: Key, query: Query)] {
        guard let deadline, deadline <= now else { return [] }
        let due = queries.filter { $0.value.due <= now }
        for key in due.keys { queries[key] = nil }
        self.deadline = queries.values.map(\.due).min()
        return due.map { ($0.key, $0.value) }
    }

    /// Forgets those of paths that are no more.
    mutating func keepOnly(_ paths: Set<ServicePath>) {
        queries = queries.filter { paths.contains($0.key.path) }
        deadline = queries.values.map(\.due).min()
    }
}
