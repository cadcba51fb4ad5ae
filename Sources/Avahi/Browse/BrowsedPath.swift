internal import DNSSD

/// The state that a ``BrowseStateMachine`` keeps of one instance on one path.
struct BrowsedPath {
    /// Indicates whether a service browser has shown the instance here. Its records can come first.
    var isSeen = false

    /// The browsers that show it; empty while that is not confirmed after the daemon went away.
    var browsers: Set<ObjectID> = []

    /// Its SRV records. There is one, and for a second after a change two; each more would cost two address browsers.
    var locations = RecordSet<ServiceLocation>(limit: 3)

    /// Its TXT records.
    var texts = RecordSet<[UInt8]>()

    /// Indicates whether this program published the instance.
    var isOurs = false

    /// Indicates whether somebody has published the instance through the daemon of this host.
    var isOwn = false

    /// The time since which a record has been missing.
    var incompleteSince: ContinuousClock.Instant?

    /// The sighting that was last reported.
    var reported: Sighting?

    /// The first record that is missing for a complete sighting.
    func missingRecord(addresses: [IPAddress]) -> MissingRecord? {
        if locations.current == nil { return .srv }
        if addresses.isEmpty { return .address }
        return texts.current == nil ? .txt : nil
    }

    /// A record without which a sighting is not complete, named as people know it.
    enum MissingRecord: String, CustomStringConvertible {
        case srv = "SRV record"
        case address = "address record"
        case txt = "TXT record"

        var description: String { rawValue }
    }

    /// The daemon is gone: nothing is confirmed.
    mutating func doubt() {
        browsers = []
        incompleteSince = nil
        locations.doubt()
        texts.doubt()
    }

    /// Takes out the records that have not been confirmed.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        let (first, second) = (locations.dropUnconfirmed(), texts.dropUnconfirmed())
        return first || second
    }
}
