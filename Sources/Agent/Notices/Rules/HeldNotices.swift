package import Reports

/// The messages that are not told now since enough were within the hour. A value.
package struct HeldNotices: Hashable, Sendable {
    /// The maximum number of gateways that are named.
    private static let mostNames = 3

    /// The user's own gateways about which something is to be told, as people see them.
    package let names: [String]

    /// Indicates whether something is to be told of other gateways.
    package let hasOthers: Bool

    /// The time at which the first of them may be told.
    package let until: Timestamp

    /// - Parameter held: The gateways, each with the time at which something may be told of it.
    init?(_ held: [(facts: GatewayFacts, until: Timestamp)]) {
        guard let first = held.map(\.until).min() else { return nil }
        names = held.filter(\.facts.isOwn).map(\.facts.subject.shownName).sorted()
        hasOthers = held.contains { !$0.facts.isOwn }
        until = first
    }

    /// The sentence about them.
    package var text: String { text(in: .current) }

    func text(in zone: TimeZoneOffset) -> String {
        // Others come and go as anybody likes: they are not counted.
        var about = names.prefix(Self.mostNames).map(\.self)
        let rest = names.count - about.count
        if rest > 0 { about.append("\(rest) more of yours") }
        if hasOthers { about.append("gateways that are not yours") }
        let clock = QuietHours.text(zone.minuteOfDay(until))
        return
            "as many messages as allowed within an hour were told: those about \(about.joined(separator: ", ")) wait, "
            + "the first until \(clock). That one of yours is gone or back is told at any time"
    }
}

extension NoticeRules {
    /// Returns the messages that would be told if more were allowed.
    ///
    /// - Parameter muted: The keys of the gateways of which nothing is to be told now.
    package func held(besides muted: Set<String>, at moment: Moment) -> HeldNotices? {
        guard !policy.isQuiet(at: moment) else { return nil }
        return HeldNotices(
            gateways.compactMap { key, gateway in
                guard !muted.contains(key) else { return nil }
                return end(of: gateway, at: moment.instant).map { (gateway.facts, $0) }
            }
        )
    }

    /// Returns the time at which the first message about a gateway that is held back is allowed; `nil` if none is.
    private func end(of gateway: WatchedGateway, at now: ContinuousClock.Instant) -> Timestamp? {
        let kinds = [gateway.presenceNews(at: now)].compactMap(\.self) + gateway.furtherNews(at: now).map(\.kind)
        return kinds.compactMap { limits.end(of: message($0, about: gateway), policy, at: now) }.min()
    }
}
