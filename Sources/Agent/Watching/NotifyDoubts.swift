internal import DNSSD
internal import Scanning

/// The things in the key `notify` of the settings that are well written and lead nowhere: names that no gateway has had so
/// far, and files that are not there. A value.
struct NotifyDoubts {
    /// The time in which gateways are found, before it is said that none has a name.
    static let timeout = Duration.seconds(10)

    /// The time between two looks while something is in doubt.
    static let interval = Duration.seconds(5)

    private var settings: NoticeSettings?
    private var begun = ContinuousClock.now

    /// The time of the last look.
    private var last = ContinuousClock.now

    /// The names that no gateway has had yet.
    private var names: [String] = []
    private var files: [String] = []

    /// The time until the next look, at most; `nil` if there is nothing to look for.
    var pace: Duration? { names.isEmpty && files.isEmpty ? nil : Self.interval }

    /// Looks, if it is time to.
    ///
    /// - Parameter known: Returns the names and places of all gateways that are known.
    /// - Returns: A text about all doubts; `nil` if there are none.
    mutating func look(_ settings: NoticeSettings, at now: ContinuousClock.Instant, known: () -> Set<String>) -> String?
    {
        let isNew = settings != self.settings
        if isNew {
            self.settings = settings
            begun = now
            names = settings.policy.watched.names
        }
        if isNew || pace != nil && now - last >= Self.interval {
            last = now
            files = settings.missingFiles
            if !names.isEmpty { names.removeAll(where: known().contains) }
        }
        var doubts = files
        if !names.isEmpty, now - begun >= Self.timeout {
            let list = names.map { "“\($0)”" }.joined(separator: ", ")
            doubts.append("watch: no gateway that is known so far is called \(list)")
        }
        return doubts.isEmpty ? nil : "notify: \(doubts.joined(separator: "; "))"
    }
}

extension WatchedFacts {
    /// Returns the names and places by which gateways that are known can be chosen.
    func names(_ snapshot: ConstellationSnapshot, _ named: [NamedPlace]) -> Set<String> {
        var names = Set(chosenNames)
        for row in snapshot.gateways {
            names.formUnion(row.allNames)
            names.formUnion(row.paths.map(\.endpoint.description))
        }
        for place in named { names.insert(place.text) }
        return names
    }
}
