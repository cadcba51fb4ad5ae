internal import DNSSD

/// An instance on one path, and what is known about it.
struct OneShotRow {
    /// The identity of the instance.
    let instance: ServiceInstance

    /// The source that brought the instance.
    let source: PacketSource

    /// Indicates whether a PTR record of a type that is browsed for leads to the instance.
    var isPointedTo = false

    var location: SRVData?

    /// The addresses that have sent the SRV record.
    private(set) var heardFrom: [IPAddress] = []

    /// The RDATA of the TXT record.
    var text: [UInt8]?

    /// Indicates whether the instance has been reported.
    var isReported = false

    /// Indicates whether something has changed that may have to be reported: a new row is a change itself.
    private var hasChanged = true

    /// Indicates whether ``takeSighting(on:hosts:)`` has not looked at the row yet.
    private var isNew = true

    /// Indicates whether the backend sees the instance as well, and is therefore responsible for it.
    var isConfirmed = false

    /// The number of times that the query has asked for the missing records of the instance.
    var rounds = 0

    /// The time until which the query waits for an answer to the latest of these questions.
    var askedUntil: ContinuousClock.Instant?

    /// Indicates whether the instance has answered in this check.
    var hasAnswered = true

    /// Indicates whether the instance was asked for by name in this check.
    var wasAsked = false

    /// Indicates whether a source has said that the instance may be gone, and it has not been asked for since.
    var awaitsReconfirmation = false

    /// Indicates whether the check under way covers the instance because a source has said that it may be gone.
    var isBeingReconfirmed = false

    /// The number of checks in a row in which the instance has not answered.
    var misses = 0

    init(instance: ServiceInstance, source: PacketSource) {
        self.instance = instance
        self.source = source
    }
}

// The methods that take changes in and report them. They work in place: a row has much to copy, and is looked at for
// every record.
extension OneShotRow {
    /// Records that a PTR record points to the instance.
    ///
    /// - Returns: Whether that is new.
    mutating func point() -> Bool {
        hasAnswered = true
        guard !isPointedTo else { return false }
        isPointedTo = true
        return true
    }

    /// Records the location of the instance, unless the backend is responsible for it.
    ///
    /// - Returns: Whether the location is new, and the host that the instance was on before.
    mutating func place(at new: SRVData) -> (isNew: Bool, host: DomainName?) {
        guard !isConfirmed else { return (false, nil) }
        hasAnswered = true
        let (host, port) = (location?.target, location?.port)
        location = new
        if host != new.target || port != new.port { heardFrom = [] }
        // Priority and weight are not reported: there is only one host.
        return (host != new.target || port != new.port, host)
    }

    /// Indicates whether it is new that this address has sent the instance's SRV record; never if the backend is
    /// responsible for the instance.
    func lacks(_ source: IPAddress) -> Bool { !isConfirmed && !heardFrom.contains(source) }

    /// Records an address that has sent the SRV record.
    ///
    /// - Parameter addresses: The addresses of the instance's host.
    mutating func hear(from source: IPAddress, _ addresses: [IPAddress]) {
        Sighting.add(source, to: &heardFrom) { addresses.contains($0) }
    }

    /// Returns the number of bytes by which the row would grow with this TXT record.
    func growth(with new: [UInt8]) -> Int { isConfirmed ? 0 : new.count - (text?.count ?? 0) }

    /// Stores the TXT record, unless the backend is responsible for the instance.
    ///
    /// - Returns: The number of bytes by which it is longer; `nil` if nothing has changed.
    mutating func describe(as new: [UInt8]) -> Int? {
        guard !isConfirmed else { return nil }
        hasAnswered = true
        guard text != new else { return nil }
        let growth = growth(with: new)
        text = new
        return growth
    }

    /// Records that something has changed that may have to be reported.
    ///
    /// - Returns: Whether there was no unreported change before.
    mutating func noteChange() -> Bool {
        defer { hasChanged = true }
        return !hasChanged
    }

    /// Returns the sighting to be reported now, if there is one, and whether this is the first call.
    mutating func takeSighting(
        on path: ServicePath,
        hosts: [DomainName: OneShotHost]
    ) -> (sighting: Sighting?, isFirst: Bool) {
        // The instance may be listed twice: the same packet may have had it given up and added again.
        guard hasChanged else { return (nil, false) }
        defer {
            hasChanged = false
            isNew = false
        }
        return (sighting(on: path, hosts: hosts), isNew)
    }

    /// Returns the sighting; `nil` until it is complete.
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
