internal import DNSMessages

/// The stage that a claim has reached on one path (RFC 6762 §8).
enum ClaimPhase: Hashable, Sendable {
    /// So many probes have been sent; the next one is due, or the name is ours, at that time.
    case probing(sent: Int, next: ContinuousClock.Instant)

    /// The name is ours; the name of the host that it leads to is not yet.
    case waiting

    /// So many announcements have been sent, and the next one is due at that time.
    ///
    /// `only` is what has changed; `nil` is everything.
    case announcing(sent: Int, next: ContinuousClock.Instant, only: DNSRecordType?)

    /// Announced.
    case established

    /// Indicates whether we answer: not while what we would say leads to a name of this host that is not ours yet.
    var isAnswered: Bool {
        switch self {
        case .probing, .waiting: false
        case .announcing, .established: true
        }
    }

    /// Indicates whether the name is ours.
    var isOurs: Bool {
        switch self {
        case .probing: false
        case .waiting, .announcing, .established: true
        }
    }

    /// Indicates whether others have been told of the claim.
    var isAnnounced: Bool {
        switch self {
        case .probing, .waiting: false
        case .announcing(let sent, _, let only): sent > 0 || only != nil
        case .established: true
        }
    }

    /// The time at which the next step is due.
    var deadline: ContinuousClock.Instant? {
        switch self {
        case .probing(_, let next), .announcing(_, let next, _): next
        case .waiting, .established: nil
        }
    }
}
