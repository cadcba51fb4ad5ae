/// One DNS-SD service instance (RFC 6763 §4.1), merged from all its sightings: one row, however many paths lead to it.
public struct DiscoveredService: Hashable, Sendable {
    /// The name, type and domain of the service: its identity.
    public let instance: ServiceInstance

    /// The sightings of the service, by path. Never empty in a service that a browser hands out, except in a lost one.
    public private(set) var sightings: [ServicePath: Sighting]

    /// The path whose sighting was the last to bring a change. Where paths differ, its sighting applies.
    private var leading: ServicePath?

    /// Creates a service that nobody has seen yet.
    public init(instance: ServiceInstance) {
        self.instance = instance
        self.sightings = [:]
    }

    /// Adds a sighting, or replaces the one of the same path.
    ///
    /// A sighting of another instance is ignored.
    public mutating func record(_ sighting: Sighting) {
        guard sighting.instance == instance, sightings[sighting.path] != sighting else { return }
        var known = sightings.updateValue(sighting, forKey: sighting.path)
        known?.heardFrom = sighting.heardFrom
        // A change of the senders alone is no change of the service.
        guard known != sighting else { return }
        if sighting.resolution == .resolved || leadingSighting?.resolution != .resolved { lead(with: sighting.path) }
    }

    /// Makes a path the leading one, unless it is not resolved and another one is.
    private mutating func lead(with path: ServicePath?) {
        if let path, sightings[path]?.resolution == .resolved {
            leading = path
        } else {
            leading = paths.first { sightings[$0]?.resolution == .resolved } ?? path ?? paths.first
        }
    }

    /// Removes the sighting of a path.
    ///
    /// - Returns: Whether there was a sighting to remove.
    @discardableResult
    public mutating func forget(_ path: ServicePath) -> Bool {
        guard sightings.removeValue(forKey: path) != nil else { return false }
        if leading == path { lead(with: nil) }
        return true
    }

    /// The path whose sighting provides the host, port and TXT record of the service.
    package var leadingPath: ServicePath? { leading }

    private var leadingSighting: Sighting? { leading.flatMap { sightings[$0] } }

    /// The paths that lead to the service, sorted.
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

    /// Indicates whether the service is one of this host, according to any of its paths: see ``Sighting/isOwn``.
    public var isOwn: Bool { sightings.values.contains(where: \.isOwn) }

    /// The progress of the look-up: resolved as soon as one path is, failed when all paths have failed.
    public var resolution: Resolution {
        if sightings.values.contains(where: { $0.resolution == .resolved }) { return .resolved }
        if sightings.values.contains(where: { $0.resolution == .resolving }) { return .resolving }
        return leadingSighting?.resolution ?? .resolving
    }
}
