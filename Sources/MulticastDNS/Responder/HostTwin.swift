internal import DNSMessages
internal import DNSSD

/// Another responder of this host that claims the host's name as well, on one path: its daemon, for one.
///
/// Both may say that it is this host's name, since it is. But they may know different addresses: avahi-daemon leaves the
/// link-local ones out where there are others, and takes any address that it does not know itself for another host's claim;
/// it would come up as `host-2`, with everything that it publishes. So we say nothing of the host while the other one claims
/// the name, and afterwards only what it says as well.
struct HostTwin: Sendable {
    /// The time for which nothing is said of the host: probing and announcing take less than two seconds (RFC 6762 §8).
    private static let silence = Duration.seconds(3)

    /// The records that it has claimed.
    private(set) var claimed: Set<DNSRecordData> = []

    /// The time until which nothing is said of the host; `nil` when that is over.
    var silentUntil: ContinuousClock.Instant?

    /// It claims these.
    mutating func noteClaim(_ records: [DNSRecord], now: ContinuousClock.Instant) {
        // What came with an earlier claim may not hold any more.
        if silentUntil == nil { claimed = [] }
        claimed.formUnion(records.map(\.data))
        silentUntil = now + Self.silence
    }

    /// Those of our records that it has nothing against.
    func agreed(_ ours: PublishedRecords) -> PublishedRecords {
        guard silentUntil == nil else { return .nothing }
        let types = Set(claimed.map(\.type))
        return ours.leavingOut { types.contains($0.type) && !claimed.contains($0.data) }
    }
}
