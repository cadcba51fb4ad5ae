/// One DNS-SD service instance (RFC 6763 §4.1), folded from all its sightings: one row, however many paths lead to it.
public struct DiscoveredService: Hashable, Sendable {
    /// Its name, type and domain: its identity.
    public let instance: ServiceInstance

    /// The sightings of the service, by path. Never empty in a service that a browser hands out, except in one that is
    /// lost.
    public private(set) var sightings: [ServicePath: Sighting]

    /// The path whose sighting last brought news: where paths differ, what it says holds.
    private var leading: ServicePath?

    /// Makes a service that nobody has seen yet.
    public init(instance: ServiceInstance) {
        self.instance = instance
        self.sightings = [:]
    }

    /// Adds a sighting, or replaces the one of the same path.
    ///
    /// - Precondition: the sighting is of this instance; one of another is ignored.
    public mutating func record(_ sighting: Sighting) {
        guard sighting.instance == instance, sightings[sighting.path] != sighting else { return }
        var known = sightings.updateValue(sighting, forKey: sighting.path)
        known?.heardFrom = sighting.heardFrom
        // Who says the same is no news of what is said.
        guard known != sighting else { return }
        if sighting.resolution == .resolved || leadingSighting?.resolution != .resolved { lead(with: sighting.path) }
    }

    /// Lets a path lead, unless it is not resolved and another one is.
    private mutating func lead(with path: ServicePath?) {
        if let path, sightings[path]?.resolution == .resolved {
            leading = path
        } else {
            leading = paths.first { sightings[$0]?.resolution == .resolved } ?? path ?? paths.first
        }
    }

    /// Takes back what was seen on a path.
    ///
    /// - Returns: Whether there was anything to take back.
    @discardableResult
    public mutating func forget(_ path: ServicePath) -> Bool {
        guard sightings.removeValue(forKey: path) != nil else { return false }
        if leading == path { lead(with: nil) }
        return true
    }

    /// The path whose sighting speaks for the service: for host, port and TXT record.
    package var leadingPath: ServicePath? { leading }

    private var leadingSighting: Sighting? { leading.flatMap { sightings[$0] } }

    /// The paths that lead to it, sorted.
    public var paths: [ServicePath] { sightings.keys.sorted() }

    /// The target host of its SRV record.
    public var host: DomainName? { leadingSighting?.host }

    /// The port of its SRV record.
    public var port: UInt16? { leadingSighting?.port }

    /// Its TXT record.
    public var txt: TXTRecord? { leadingSighting?.txt }

    /// The addresses of all paths, each once, sorted.
    public var addresses: [IPAddress] { Set(sightings.values.flatMap(\.addresses)).sorted() }

    /// Indicates whether this very process published the service.
    public var isOurs: Bool { sightings.values.contains(where: \.isOurs) }

    /// Indicates whether a path shows it as a service of this host: see ``Sighting/isOwn``.
    public var isOwn: Bool { sightings.values.contains(where: \.isOwn) }

    /// Resolved as soon as one path is; failed when all have failed.
    public var resolution: Resolution {
        if sightings.values.contains(where: { $0.resolution == .resolved }) { return .resolved }
        if sightings.values.contains(where: { $0.resolution == .resolving }) { return .resolving }
        return leadingSighting?.resolution ?? .resolving
    }
}
