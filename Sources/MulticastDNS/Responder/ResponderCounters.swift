/// What a responder has not done for others, by what limit.
struct ResponderCounters: Hashable, Sendable {
    /// Queries that were not answered since their sender had asked for too much.
    var refused = 0

    /// Packets of known answers that there was no room for.
    var notDeferred = 0

    /// Messages that did not come from the link.
    var offLink = 0

    /// How often a name of ours was claimed by another.
    var conflicts = 0
}
