/// The leads that are looked at together, and the rows that came of them.
struct LeadGroup: SlabValue {
    /// Which group.
    let key: GroupKey

    /// Leads with a path that is conclusively proved. Nobody can forge his way in here.
    private(set) var proved: [Slot<Lead>] = []

    /// All others.
    private(set) var claimants: [Slot<Lead>] = []

    /// The rows that were made of the group as a whole.
    var rows: [Slot<Row>] = []

    /// Whether there are so many claimants that each is a row of its own, which is not in ``rows``.
    var isCrowded = false

    init(_ key: GroupKey) {
        self.key = key
    }

    var isEmpty: Bool { proved.isEmpty && claimants.isEmpty && rows.isEmpty }

    /// Takes a lead in.
    ///
    /// - Returns: Its place, which changes when another one that moves to it is told.
    mutating func add(_ lead: Slot<Lead>, isProved: Bool) -> Int {
        if isProved {
            proved.append(lead)
            return proved.count - 1
        }
        claimants.append(lead)
        return claimants.count - 1
    }

    /// Takes out the lead at a place, in constant time.
    ///
    /// - Returns: The lead that has this place now, if there is one.
    mutating func remove(at place: Int, isProved: Bool) -> Slot<Lead>? {
        isProved ? Self.remove(at: place, from: &proved) : Self.remove(at: place, from: &claimants)
    }

    private static func remove(at place: Int, from leads: inout [Slot<Lead>]) -> Slot<Lead>? {
        guard leads.indices.contains(place) else { return nil }
        leads.swapAt(place, leads.count - 1)
        leads.removeLast()
        return place < leads.count ? leads[place] : nil
    }

    mutating func vacate() {
        self = LeadGroup(key)
    }
}
