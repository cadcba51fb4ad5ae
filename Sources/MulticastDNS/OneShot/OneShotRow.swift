internal import DNSMessages
internal import DNSSD

/// What is known of one instance on one path.
struct OneShotRow {
    /// Its identity.
    let instance: ServiceInstance

    /// Who brought it.
    let source: PacketSource

    /// Whether a PTR record of a type that is browsed for leads to it.
    var isPointedTo = false

    var location: SRVData?

    /// Who has sent the SRV record.
    private(set) var heardFrom: [IPAddress] = []

    /// The RDATA of its TXT record.
    var text: [UInt8]?

    /// Whether it has been told of.
    var isTold = false

    /// Whether something has come that may have to be told: a new row is news itself.
    private var hasNews = true

    /// Whether nothing that has come was ever looked at.
    private var isNew = true

    /// Whether the backend sees it as well: then it is the backend's business.
    var isConfirmed = false

    /// How often what it lacks has been asked for.
    var rounds = 0

    /// Until when the answer to that is waited for.
    var askedUntil: ContinuousClock.Instant?

    /// Whether it has answered in this check.
    var hasAnswered = true

    /// Whether it was asked for by its name in this check.
    var wasAsked = false

    /// Whether somebody said that it is gone, and it has not been asked since.
    var isInDoubt = false

    /// Whether it is being asked because of that.
    var isDoubted = false

    /// In how many checks in a row it has not answered.
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

    /// Whether it is news that this one has sent its SRV record. Not if that is the backend's business.
    func lacks(_ source: IPAddress) -> Bool { !isConfirmed && !heardFrom.contains(source) }

    /// Notes who sent its SRV record.
    ///
    /// - Parameter addresses: Those of its host.
    mutating func hear(from source: IPAddress, _ addresses: [IPAddress]) {
        Sighting.add(source, to: &heardFrom) { addresses.contains($0) }
    }

    /// How many bytes longer it would be with this TXT record.
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

    /// What is to be told of it now, and whether it is asked for the first time.
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
        isTold = true
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
