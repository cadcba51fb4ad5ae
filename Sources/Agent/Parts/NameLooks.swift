internal import Scanning

/// The times at which the addresses of host names are looked up: again when what a name led to misses, and now and then while
/// it does. A value.
struct NameLooks {
    /// The time between two looks for a name without an address.
    static let interval = Duration.seconds(30)

    /// The time between two looks for a name that leads to nothing that answers.
    static let pause = Duration.seconds(60)

    private var looks: [ProbeAddress: ContinuousClock.Instant] = [:]

    /// The names that have led to something that answers, since they were looked up.
    private var answering: Set<ProbeAddress> = []

    /// Takes in where names lead.
    ///
    /// - Parameter answers: Says whether something answers where a name leads; `nil` if it leads nowhere.
    /// - Returns: The names that are to be looked up now, and the time until the next ones may be; `nil` without any.
    mutating func look(
        _ names: Set<ProbeAddress>,
        at now: ContinuousClock.Instant,
        answers: (ProbeAddress) -> Bool?
    ) -> (due: [ProbeAddress], next: Duration?) {
        looks = looks.filter { names.contains($0.key) }
        answering.formIntersection(names)
        var due: [ProbeAddress] = []
        var next: Duration?
        for name in names {
            let found = answers(name)
            guard found != true else {
                answering.insert(name)
                continue
            }
            let pause = found == nil ? Self.interval : Self.pause
            let left = answering.contains(name) ? .zero : looks[name].map { $0 + pause - now } ?? .zero
            if left <= .zero {
                due.append(name)
                looks[name] = now
                answering.remove(name)
            }
            next = min(next ?? pause, left > .zero ? left : pause)
        }
        return (due, next)
    }
}
