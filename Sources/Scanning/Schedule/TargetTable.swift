internal import BotMap

/// The targets by their numbers, with how many of them have come how far: that costs the same however many there are.
struct TargetTable {
    /// What is counted.
    struct Tally: Hashable {
        /// Those that have been asked.
        var asked = 0

        /// Those behind which a gateway answered.
        var gateways = 0

        /// Those of them that are asked again and again.
        var watched = 0

        /// Those that wait since too many others lead to the same address.
        var putOff = 0
    }

    private var targets: [Int: ScanTarget] = [:]
    private(set) var tally = Tally()

    var count: Int { targets.count }
    var keys: some Collection<Int> { targets.keys }
    var values: some Collection<ScanTarget> { targets.values }

    subscript(id: Int) -> ScanTarget? {
        get { targets[id] }
        // In place: its sets would be copied whenever one of them changes.
        _modify {
            count(id, -1)
            defer { count(id, 1) }
            yield &targets[id]
        }
    }

    mutating func removeValue(forKey id: Int) -> ScanTarget? {
        count(id, -1)
        return targets.removeValue(forKey: id)
    }

    private mutating func count(_ id: Int, _ step: Int) {
        guard let place = targets.index(forKey: id) else { return }
        if targets.values[place].isAsked { tally.asked += step }
        if targets.values[place].isPutOff { tally.putOff += step }
        guard let liveness = targets.values[place].tracker.liveness else { return }
        tally.gateways += step
        if liveness != .gone { tally.watched += step }
    }
}
