internal import DNSMessages
internal import DNSSD

/// An instance on one path, with what is known of it.
struct OneShotRow {
    /// Its identity.
    let instance: ServiceInstance

    /// The source that brought the instance.
    let source: PacketSource

    /// Indicates whether a PTR record of a type that is browsed for leads to the instance.
    var isPointedTo = false

    var location: SRVData?

    /// The addresses that have sent the SRV record.
    private(set) var heardFrom: [IPAddress] = []

    /// The RDATA of its TXT record.
    var text: [UInt8]?

    /// Indicates whether the instance has been told of.
    var isReported = false

    /// Indicates whether something has come that may have to be told: a new row is news itself.
    private var hasNews = true

    /// Indicates whether none of what has come was ever looked at.
    private var isNew = true

    /// Indicates whether the backend sees the instance as well: then it is the backend's business.
    var isConfirmed = false

    /// The number of times that the records that the instance lacks have been asked for.
    var rounds = 0

    /// The time until which an answer to the latest of these questions is waited for.
    var askedUntil: ContinuousClock.Instant?

    /// Indicates whether the instance has answered in this check.
    var hasAnswered = true

    /// Indicates whether the instance was asked for by its name in this check.
    var wasAsked = false

    /// Indicates whether somebody said that the instance is gone, and it has not been asked since.
    var isInDoubt = false

    /// Indicates whether the instance is being asked because somebody said that it is gone.
    var isDoubted = false

    /// The number of checks in a row in which the instance has not answered.
    var misses = 0

    init(instance: ServiceInstance, source: PacketSource) {
        self.instance = instance
        self.source = source
    }
}

// What comes in and goes out, in place: a row has much to copy, and is looked at for every record.
extension OneShotRow {
    /// Notes that a PTR record leads to it.
    ///
    /// - Returns: Whether that is new.
    mutating func point() -> Bool {
        hasAnswered = true
        guard !isPointedTo else { return false }
        isPointedTo = true
        return true
    }

    /// Notes where it is. Not if that is the backend's business.
    ///
    /// - Returns: Whether that is new, and which host it was on before.
    mutating func place(at new: SRVData) -> (isNew: Bool, host: DomainName?) {
        guard !isConfirmed else { return (false, nil) }
        hasAnswered = true
        let (host, port) = (location?.target, location?.port)
        location = new
        if host != new.target || port != new.port { heardFrom = [] }
        // Priority and weight are told to nobody: there is one host.
        return (host != new.target || port != new.port, host)
    }

    /// Indicates whether it is news that this address has sent the instance's SRV record. Not if that is the backend's
    /// business.
    func lacks(_ source: IPAddress) -> Bool { !isConfirmed && !heardFrom.contains(source) }

    /// Notes who sent its SRV record.
    ///
    /// - Parameter addresses: Those of its host.
    mutating func hear(from source: IPAddress, _ addresses: [IPAddress]) {
        Sighting.add(source, to: &heardFrom) { addresses.contains($0) }
    }

    /// Returns the number of bytes by which the row would grow with this TXT record.
    func growth(with new: [UInt8]) -> Int { isConfirmed ? 0 : new.count - (text?.count ?? 0) }

    /// Notes what its TXT record holds. Not if that is the backend's business.
    ///
    /// - Returns: How many bytes longer it is; `nil` if nothing is new.
    mutating func describe(as new: [UInt8]) -> Int? {
        guard !isConfirmed else { return nil }
        hasAnswered = true
        guard text != new else { return nil }
        let growth = growth(with: new)
        text = new
        return growth
    }

    /// Notes that there is something to tell.
    ///
    /// - Returns: Whether there was nothing before.
    mutating func noteNews() -> Bool {
        defer { hasNews = true }
        return !hasNews
    }

    /// Returns the sighting to be told now, if there is one, and whether this is the first call.
    mutating func takeNews(
        on path: ServicePath,
        hosts: [DomainName: OneShotHost]
    ) -> (sighting: Sighting?, isFirst: Bool) {
        // It may be listed twice: given up, and made again by the same packet.
        guard hasNews else { return (nil, false) }
        defer {
            hasNews = false
            isNew = false
        }
        return (sighting(on: path, hosts: hosts), isNew)
    }

    /// Nothing before it is complete.
    private mutating func sighting(on path: ServicePath, hosts: [DomainName: OneShotHost]) -> Sighting? {
        guard isPointedTo, !isConfirmed, let location, let text, let host = hosts[location.target],
            !host.addresses.isEmpty
        else { return nil }
        isReported = true
        return Sighting(
            instance: instance,
            path: path,
            source: .oneShot,
            resolution: .resolved,
            host: location.target,
            port: location.port,
            addresses: host.addresses,
            txt: TXTRecord(decoding: text),
            heardFrom: heardFrom
        )
    }
}
