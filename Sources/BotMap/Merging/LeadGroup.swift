/// The leads that are looked at together, and the rows that came of them.
struct LeadGroup {
    /// Leads with a path that is conclusively proved. Nobody can forge his way in here.
    private(set) var proved: [GatewayLead] = []

    /// All others.
    private(set) var claimants: [GatewayLead] = []

    /// The rows that were made of the group as a whole.
    var rows: [GatewayID] = []

    /// Whether there are so many claimants that each is a row of its own, which is not in ``rows``.
    var isCrowded = false

    var isEmpty: Bool { proved.isEmpty && claimants.isEmpty && rows.isEmpty }

    /// Takes a lead in.
    ///
    /// - Returns: Its place, which changes when another one that moves to it is told.
    mutating func add(_ id: GatewayLead, isProved: Bool) -> Int {
        if isProved {
            proved.append(id)
            return proved.count - 1
        }
        claimants.append(id)
        return claimants.count - 1
    }

    /// Takes out the lead at a place, in constant time.
    ///
    /// - Returns: The lead that has this place now, if there is one.
    mutating func remove(at place: Int, isProved: Bool) -> GatewayLead? {
        isProved ? Self.remove(at: place, from: &proved) : Self.remove(at: place, from: &claimants)
    }

    private static func remove(at place: Int, from leads: inout [GatewayLead]) -> GatewayLead? {
        guard leads.indices.contains(place) else { return nil }
        leads.swapAt(place, leads.count - 1)
        leads.removeLast()
        return place < leads.count ? leads[place] : nil
    }
}
