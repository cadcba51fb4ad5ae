internal import DNSSD

/// A claim to names that belong together, on every path where they are to be known.
struct Claim: Sendable {
    /// The phase that the claim has reached on each path.
    var phases: [ServicePath: ClaimPhase] = [:]

    private var pacing = ConflictPacing()

    /// The last conflict about the present name: the time until which a further one is the same, and the time at which
    /// the pause that it caused ends.
    private var lastConflict: (end: ContinuousClock.Instant, pauseEnd: ContinuousClock.Instant)?

    /// The time for which conflicts about one name are the same: two hosts that probe for it at once meet on every
    /// path, and with each of their probes.
    private static let conflictLength = Duration.seconds(1)

    /// Indicates whether the claim has been announced on every path.
    var isAnnounced: Bool { !phases.isEmpty && phases.values.allSatisfy(\.isAnnounced) }

    /// Records a conflict about the present name.
    ///
    /// - Returns: The time at which probing may begin again, and whether that is later because there were so many
    ///   conflicts.
    mutating func noteConflict(
        now: ContinuousClock.Instant,
        delay: Duration = .zero
    ) -> (start: ContinuousClock.Instant, isSlowed: Bool) {
        if let lastConflict, now < lastConflict.end { return (max(now + delay, lastConflict.pauseEnd), false) }
        let pause = pacing.noteConflict(now: now)
        lastConflict = (now + Self.conflictLength, now + pause)
        return (now + max(delay, pause), pause > .zero)
    }

    /// Begins to probe for another name on every path.
    mutating func restart(at time: ContinuousClock.Instant) {
        lastConflict = nil
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
