/// What a ``Querier`` wants to be done.
struct QuerierActions {
    /// Packets to send to the group of its link, in order.
    var packets: [[UInt8]] = []

    /// What there is to tell.
    var events: [QuerierEvent] = []
}
