internal import DNSSD

/// The state that a ``AvahiBrowseStateMachine`` keeps of one instance on one path.
struct BrowsedPath {
    /// Indicates whether a service browser has shown the instance here. Its records can come first.
    var isSeen = false

    /// The browsers that show it; empty while it is unconfirmed after the daemon went away.
    var browsers: Set<ObjectID> = []

    /// Its SRV records: normally one, and two for a second after a change. Each further one would cost two address
    /// browsers.
    var locations = RecordSet<ServiceLocation>(limit: 3)

    /// Its TXT records.
    var texts = RecordSet<[UInt8]>()

    /// Indicates whether this program published the instance.
    var isOurs = false

    /// Indicates whether the instance was published through the daemon of this host, or is seen on loopback.
    var isOwn = false

    /// The time since which a record has been missing.
    var incompleteSince: ContinuousClock.Instant?

    /// The sighting that was last reported.
    var reported: Sighting?

    /// Returns the first record that is missing for a complete sighting.
    func missingRecord(addresses: [IPAddress]) -> MissingRecord? {
        if locations.current == nil { return .srv }
        if addresses.isEmpty { return .address }
        return texts.current == nil ? .txt : nil
    }

    /// A record without which a sighting is not complete, with its name for messages.
    enum MissingRecord: String, CustomStringConvertible {
        case srv = "SRV record"
        case address = "address record"
        case txt = "TXT record"

        var description: String { rawValue }
    }

    /// Marks everything as unconfirmed, since the daemon is gone.
    mutating func doubt() {
        browsers = []
        incompleteSince = nil
        locations.doubt()
        texts.doubt()
    }

    /// Removes the records that have not been confirmed.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        let (first, second) = (locations.dropUnconfirmed(), texts.dropUnconfirmed())
        return first || second
    }
}
