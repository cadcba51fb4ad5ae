/// The changes that have come from the cloud and gone by it. A value.
package struct CloudArrivals: Hashable, Sendable {
    /// The names of bots that came.
    package var came: [String] = []

    /// The names of those that are known, and have to be paired with here.
    package var known: [String] = []

    /// The names of gateways that were unpaired elsewhere, and are in the bin.
    package var ended: [String] = []

    /// The number of rows that were sent.
    package var sent = 0

    /// The number of those for which there is no room here.
    package var leftOut = 0

    package init() {}

    /// Indicates whether nothing has come or gone.
    package var isEmpty: Bool { came.isEmpty && known.isEmpty && ended.isEmpty }

    package static func += (left: inout CloudArrivals, right: CloudArrivals) {
        left.came += right.came
        left.known += right.known
        left.ended += right.ended
        left.sent += right.sent
        left.leftOut += right.leftOut
    }

    mutating func count(_ row: CloudEntryRow, isNew: Bool) {
        guard isNew, let name = row.name else { return }
        if row.note == .known { known.append(name) } else { came.append(name) }
    }
}
