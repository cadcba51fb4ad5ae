/// The counts of the work that a responder has refused, by the limit that forbade it, and of conflicts.
struct ResponderCounters: Hashable, Sendable, CustomStringConvertible {
    /// The number of queries that were not answered because their sender had asked for too much.
    var refused = 0

    /// The number of packets of known answers for which there was no room.
    var notDeferred = 0

    /// The number of messages that did not come from the link.
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
