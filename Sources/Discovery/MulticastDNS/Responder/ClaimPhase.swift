internal import DNSSD

/// The stage that a claim has reached on one path (RFC 6762 §8).
enum ClaimPhase: Hashable, Sendable {
    /// `sent` probes have been sent; at `next`, another one is due or the name is ours.
    case probing(sent: Int, next: ContinuousClock.Instant)

    /// The name is ours, but the name of the host that it leads to is not ours yet.
    case waiting

    /// `sent` announcements have been sent, and the next one is due at `next`.
    ///
    /// `only` is the type of the records that have changed; `nil` announces all records.
    case announcing(sent: Int, next: ContinuousClock.Instant, only: DNSRecordType?)

    /// The claim has been announced.
    case established

    /// Indicates whether the responder answers for the claim: not while its records would lead to a host name that is
    /// not ours yet.
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

    /// Indicates whether the claim has been announced at least once.
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
