/// One DNS-SD service instance (RFC 6763 §4.1), merged from all its sightings: one row, however many paths lead to it.
public struct DiscoveredService: Hashable, Sendable {
    /// The name, type and domain of the service: its identity.
    public let instance: ServiceInstance

    /// The sightings of the service, sorted by path. A dictionary takes three times the room for one, and nearly all of the
    /// thousands of services that there may be have one or two.
    package private(set) var sortedSightings: [Sighting] = []

    /// The position of the sighting that was the last to bring a change. Where paths differ, it applies.
    private var leading: UInt32?

    /// Creates a service that nobody has seen yet.
    public init(instance: ServiceInstance) {
        self.instance = instance
    }

    /// The sightings of the service, by path. Never empty in a service that a browser hands out, except in a lost one.
    package var sightings: [ServicePath: Sighting] {
        Dictionary(sortedSightings.map { ($0.path, $0) }) { first, _ in first }
    }

    private func position(of path: ServicePath) -> Int? { sortedSightings.firstIndex { $0.path == path } }

    /// Returns the sighting of a path.
    package func sighting(on path: ServicePath) -> Sighting? { position(of: path).map { sortedSightings[$0] } }

    /// Adds a sighting, or replaces the one of the same path.
    ///
    /// A sighting of another instance is ignored.
    package mutating func record(_ sighting: Sighting) {
        guard sighting.instance == instance else { return }
        let place: Int
        if let known = position(of: sighting.path) {
            place = known
            var before = sortedSightings[place]
            guard before != sighting else { return }
            sortedSightings[place] = sighting
            before.heardFrom = sighting.heardFrom
            // A change of the senders alone is no change of the service.
            guard before != sighting else { return }
        } else {
            place = sortedSightings.firstIndex { sighting.path < $0.path } ?? sortedSightings.endIndex
            sortedSightings.insert(sighting, at: place)
            if let leading, leading >= place { self.leading = leading + 1 }
        }
        if sighting.resolution == .resolved || leadingSighting?.resolution != .resolved { lead(with: place) }
    }

    /// Makes a sighting the leading one, unless it is not resolved and another one is.
    private mutating func lead(with place: Int?) {
        let isResolved = { (sighting: Sighting) in sighting.resolution == .resolved }
        let given = place.flatMap { isResolved(sortedSightings[$0]) ? $0 : nil }
        let resolved = given ?? sortedSightings.firstIndex(where: isResolved)
        leading = (resolved ?? place ?? sortedSightings.indices.first).map { UInt32($0) }
    }

    /// Removes the sighting of a path.
    ///
    /// - Returns: Whether there was a sighting to remove.
    @discardableResult
    package mutating func forget(_ path: ServicePath) -> Bool {
        guard let place = position(of: path) else { return false }
        sortedSightings.remove(at: place)
        guard let leading else { return true }
        if leading == place { lead(with: nil) } else if leading > place { self.leading = leading - 1 }
        return true
    }

    /// The path whose sighting provides the host, port and TXT record of the service.
    package var leadingPath: ServicePath? { leadingSighting?.path }

    private var leadingSighting: Sighting? { leading.map { sortedSightings[Int($0)] } }

    /// The paths that lead to the service, sorted.
    package var paths: [ServicePath] { sortedSightings.map(\.path) }

    /// The target host of its SRV record.
    public var host: DomainName? { leadingSighting?.host }

    /// The port of its SRV record.
    public var port: UInt16? { leadingSighting?.port }

    /// Its TXT record.
    public var txt: TXTRecord? { leadingSighting?.txt }

    /// The addresses of all paths, each once, sorted.
    public var addresses: [IPAddress] { Set(sortedSightings.flatMap(\.addresses)).sorted() }

    /// Indicates whether this very process published the service.
    public var isOurs: Bool { sortedSightings.contains(where: \.isOurs) }

    /// Indicates whether the service is one of this host, according to any of its paths: see ``Sighting/isOwn``.
    public var isOwn: Bool { sortedSightings.contains(where: \.isOwn) }

    /// The progress of the look-up: resolved as soon as one path is, failed when all paths have failed.
    package var resolution: Resolution {
        if sortedSightings.contains(where: { $0.resolution == .resolved }) { return .resolved }
        if sortedSightings.contains(where: { $0.resolution == .resolving }) { return .resolving }
        return leadingSighting?.resolution ?? .resolving
    }
}
