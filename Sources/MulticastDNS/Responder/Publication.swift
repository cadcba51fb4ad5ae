internal import DNSSD

/// Something that is published.
struct Publication: Sendable {
    /// A record that changes more often than ten times a minute is not told each time (RFC 6762 §8.4).
    private static let patience = (updates: 10, within: Duration.seconds(60))

    /// The advertisement that was asked for.
    let advertisement: Advertisement

    /// The name that it has, or is to get.
    var name: String

    /// The RDATA of its TXT records.
    var text: [UInt8]

    /// Its records.
    var records: PublishedRecords

    /// Indicates whether so many names were another's that each further try waits, which has been told.
    var isSlowed = false

    /// Indicates whether the name that was wanted is free again, while this has another one, and when that is looked up
    /// next.
    var wanted = WantedName()
    var nextLookup: ContinuousClock.Instant?

    /// Every instance name that it was to have, by its types.
    let wantedNames: [DomainName]

    /// The publication that claims that name while this one keeps its own, until that is announced.
    var successor: PublicationID?

    /// The publication whose successor it is.
    var successorOf: PublicationID?

    /// The state that was last told.
    var reported: PublicationState?

    /// The times at which its TXT record changed lately, the oldest first.
    private var updates: [ContinuousClock.Instant] = []

    init(_ advertisement: Advertisement, name: String, text: [UInt8], records: PublishedRecords) {
        self.advertisement = advertisement
        self.name = name
        self.text = text
        self.records = records
        self.wantedNames = records.names
    }

    /// Notes that its TXT record is another one.
    ///
    /// - Returns: When that may be announced.
    mutating func noteUpdate(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard let first = updates.first, updates.count == Self.patience.updates,
            first + Self.patience.within > now
        else {
            updates.append(now)
            if updates.count > Self.patience.updates { updates.removeFirst() }
            return now
        }
        // The newest text goes out then, however many came in between.
        return first + Self.patience.within
    }

    /// Indicates whether it is to be seen on an interface.
    func applies(to interface: NetworkInterface) -> Bool {
        advertisement.interfaces.isEmpty || advertisement.interfaces.contains(interface.name)
    }
}

/// A publication of one engine.
struct PublicationID: Hashable, Sendable, Comparable {
    let number: Int

    static func < (lhs: PublicationID, rhs: PublicationID) -> Bool { lhs.number < rhs.number }
}
