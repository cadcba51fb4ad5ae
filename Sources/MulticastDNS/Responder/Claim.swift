internal import DNSSD

/// A claim to names that belong together, on every path where they are to be known.
struct Claim: Sendable {
    /// The phase that the claim has reached on each path.
    var phases: [ServicePath: ClaimPhase] = [:]

    private var pacing = ConflictPacing()

    /// Indicates whether the claim has been announced on every path.
    var isAnnounced: Bool { !phases.isEmpty && phases.values.allSatisfy(\.isAnnounced) }

    /// Records a conflict.
    ///
    /// - Returns: The time at which probing may begin again, and whether that is later because there were so many
    ///   conflicts.
    mutating func noteConflict(
        now: ContinuousClock.Instant,
        delay: Duration = .zero
    ) -> (start: ContinuousClock.Instant, isSlowed: Bool) {
        let pause = pacing.noteConflict(now: now)
        return (now + max(delay, pause), pause > .zero)
    }

    /// Begins to probe again on every path.
    mutating func restart(at time: ContinuousClock.Instant) {
        for path in phases.keys { phases[path] = .probing(sent: 0, next: time) }
    }
}

/// The subject of a claim to names: this host, or a publication.
enum ClaimKey: Hashable, Sendable, Comparable {
    case host
    case publication(PublicationID)

    /// The host comes first, since the records of publications point to it.
    static func < (lhs: ClaimKey, rhs: ClaimKey) -> Bool {
        switch (lhs, rhs) {
        case (.host, .publication): true
        case (.publication(let left), .publication(let right)): left < right
        case (.host, .host), (.publication, .host): false
        }
    }
}
