internal import DNSSD

/// Another responder of this host that claims the host's name as well, on one path, such as the daemon of this host.
///
/// Both may claim the name, since it is this host's. But they may know different addresses: avahi-daemon leaves
/// link-local addresses out where there are others, and takes any address that it does not know itself for another
/// host's claim. It would then take the name `host-2` for the host and everything that it publishes. So we send no
/// records of the host while the other responder claims the name, and afterwards only those that agree with its own.
struct CoResponder: Sendable {
    /// The time for which no records of the host are sent: probing and announcing take less than two seconds (RFC 6762
    /// §8).
    private static let silence = Duration.seconds(3)

    /// The records that the other responder has claimed.
    private(set) var claimed: Set<DNSRecordData> = []

    /// The time until which no records of the host are sent; `nil` when that is over.
    var silentUntil: ContinuousClock.Instant?

    /// Stores the records that the other responder claims, and begins the silence.
    mutating func noteClaim(_ records: [DNSRecord], now: ContinuousClock.Instant) {
        // The records of an earlier claim may be out of date.
        if silentUntil == nil { claimed = [] }
        claimed.formUnion(records.map(\.data))
        silentUntil = now + Self.silence
    }

    /// Returns those of our records that do not conflict with the other responder's.
    func agreed(_ ours: PublishedRecords) -> PublishedRecords {
        guard silentUntil == nil else { return .nothing }
        let types = Set(claimed.map(\.type))
        return ours.leavingOut { types.contains($0.type) && !claimed.contains($0.data) }
    }
}
