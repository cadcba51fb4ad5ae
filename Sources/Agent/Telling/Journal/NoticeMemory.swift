/// The things that an agent has remembered for the next one. A value.
package struct NoticeMemory: Sendable {
    /// The gateways that were watched.
    package var gateways: [RememberedGateway] = []

    /// The identifiers of the revocations that were told.
    package var revoked: Set<String> = []

    /// The messages that count against the limits of all.
    package var limits = NoticeLimits()

    /// The keys of the gateways that are known, the oldest first.
    package var known: [String] = []

    package init() {}

    init(_ store: NoticeStore) throws(NoticeStoreError) {
        gateways = try store.remembered()
        revoked = try store.toldRevocations()
        limits = try store.limits()
        known = try store.knownGateways()
    }
}
