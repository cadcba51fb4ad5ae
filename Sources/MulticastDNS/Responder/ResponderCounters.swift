/// Counts of what a responder has not done for others, by the limit that forbade it.
struct ResponderCounters: Hashable, Sendable, CustomStringConvertible {
    /// Queries that were not answered since their sender had asked for too much.
    var refused = 0

    /// Packets of known answers that there was no room for.
    var notDeferred = 0

    /// Messages that did not come from the link.
    var offLink = 0

    /// The number of times that a name of ours was claimed by another.
    var conflicts = 0

    var description: String {
        """
        \(refused) queries of those who asked too much, \(notDeferred) packets of known answers too many, \(offLink) \
        messages from off the link; \(conflicts) claims to our names
        """
    }
}
