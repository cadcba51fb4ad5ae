/// The time at which a publication that had to take another name takes back its wanted name: after nobody has had that
/// name for a minute, and at most once in ten minutes.
///
/// A name that another device had for a moment, or that a forger claimed, is thus not lost permanently, and a name that
/// two hosts want does not move back and forth between them.
package struct WantedName: Hashable, Sendable {
    private static let hold = Duration.seconds(60)
    private static let interval = Duration.seconds(600)

    /// The time since which look-ups have found no owner of the name; `nil` while it has an owner, or was not looked
    /// up.
    private var free: ContinuousClock.Instant?

    /// The time of the last attempt to take the name back.
    private var tried: ContinuousClock.Instant?

    package init() {}

    /// The time at which the name is taken back, if no owner is found until then.
    package var due: ContinuousClock.Instant? {
        guard let free else { return nil }
        let earliest = free + Self.hold
        return tried.map { max($0 + Self.interval, earliest) } ?? earliest
    }

    /// Records that a look-up has found no owner.
    package mutating func noteFree(now: ContinuousClock.Instant) {
        if free == nil { free = now }
    }

    /// Records that the name has an owner.
    package mutating func noteOwner() {
        free = nil
    }

    /// Records an attempt to take the name back.
    package mutating func noteTry(now: ContinuousClock.Instant) {
        tried = now
        free = nil
    }
}

/// The rule by which the next name to try is found when an instance name is taken (RFC 6763 Appendix D).
package enum AlternativeName {
    /// Returns the next name: `Gateway` → `Gateway #2` → `Gateway #3`, as Avahi counts, in at most 63 bytes, cut
    /// between characters.
    package static func next(after name: String) -> String {
        var stem = name[...]
        var number = 2
        if let mark = name.lastIndex(of: "#"), mark > name.startIndex, name[name.index(before: mark)] == " ",
            let last = Int(name[name.index(after: mark)...]), last > 1, last < 1_000_000
        {
            stem = name[..<name.index(before: mark)]
            number = last + 1
        }
        let suffix = " #\(number)"
        while stem.utf8.count + suffix.utf8.count > 63, !stem.isEmpty { stem.removeLast() }
        return stem + suffix
    }
}
