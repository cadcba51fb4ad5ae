internal import DNSSD

/// A service that is published, or is to be.
struct Publication: Sendable {
    /// The number of changes of the TXT record within a period after which further ones are announced together (RFC
    /// 6762 §8.4).
    private static let updateLimit = (updates: 10, within: Duration.seconds(60))

    /// The advertisement that was requested.
    let advertisement: Advertisement

    /// The instance name that the publication has, or is to get.
    var name: String

    /// The RDATA of its TXT records.
    var text: [UInt8]

    /// The records of the publication.
    var records: PublishedRecords

    /// Indicates whether so many names were taken that each further try is delayed, which has been reported.
    var isSlowed = false

    /// The state of the search whether the requested name is free again, while the publication has another one, and the
    /// time of the next look-up.
    var wanted = WantedName()
    var nextLookup: ContinuousClock.Instant?

    /// The instance names that were requested, one for each type.
    let wantedNames: [DomainName]

    /// The publication that claims the requested name, while this one keeps its present name until that claim is
    /// announced.
    var successor: PublicationID?

    /// The publication whose successor this one is.
    var successorOf: PublicationID?

    /// The state that was last reported.
    var reported: PublicationState?

    /// The times of the latest changes of the TXT record, the oldest first.
    private var updates: [ContinuousClock.Instant] = []

    init(_ advertisement: Advertisement, name: String, text: [UInt8], records: PublishedRecords) {
        self.advertisement = advertisement
        self.name = name
        self.text = text
        self.records = records
        self.wantedNames = records.names
    }

    /// Records that the TXT record has changed.
    ///
    /// - Returns: The time at which the change may be announced.
    mutating func noteUpdate(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard let first = updates.first, updates.count == Self.updateLimit.updates,
            first + Self.updateLimit.within > now
        else {
            updates.append(now)
            if updates.count > Self.updateLimit.updates { updates.removeFirst() }
            return now
        }
        // At that time the newest text is announced, however many came in between.
        return first + Self.updateLimit.within
    }

    /// Indicates whether the service is to be visible on an interface.
    func applies(to interface: NetworkInterface) -> Bool {
        advertisement.interfaces.isEmpty || advertisement.interfaces.contains(interface.name)
    }
}

/// The identity of a publication of one engine.
struct PublicationID: Hashable, Sendable, Comparable {
    let number: Int

    static func < (lhs: PublicationID, rhs: PublicationID) -> Bool { lhs.number < rhs.number }
}
