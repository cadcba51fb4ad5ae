internal import DNSSD

/// Names that are claimed together, on every path where they shall be known.
struct Claim: Sendable {
    /// The phase that it has reached on each path.
    var phases: [ServicePath: ClaimPhase] = [:]

    private var pacing = ConflictPacing()

    /// Indicates whether others have been told of it on every path.
    var isAnnounced: Bool { !phases.isEmpty && phases.values.allSatisfy(\.isAnnounced) }

    /// Notes a conflict.
    ///
    /// - Returns: When probing may begin again, and whether that is later since there were so many.
    mutating func noteConflict(
        now: ContinuousClock.Instant,
        delay: Duration = .zero
    ) -> (start: ContinuousClock.Instant, isSlowed: Bool) {
        let pause = pacing.noteConflict(now: now)
        return (now + max(delay, pause), pause > .zero)
    }

    /// Begins to probe anew, everywhere.
    mutating func restart(at time: ContinuousClock.Instant) {
        for path in phases.keys { phases[path] = .probing(sent: 0, next: time) }
    }
}

/// The subject of a claim to names: this host, or a publication.
enum ClaimKey: Hashable, Sendable, Comparable {
    case host
    case publication(PublicationID)

    /// The host first: what is published points to it.
    static func < (lhs: ClaimKey, rhs: ClaimKey) -> Bool {
        switch (lhs, rhs) {
        case (.host, .publication): true
        case (.publication(let left), .publication(let right)): left < right
        case (.host, .host), (.publication, .host): false
        }
    }
}
