/// The actions that a ``Querier`` asks for.
struct QuerierActions {
    /// Packets to send to the group of its link, in order.
    var packets: [[UInt8]] = []

    /// The events that browses are to be told of.
    var events: [QuerierEvent] = []
}
