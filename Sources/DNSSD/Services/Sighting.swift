/// One service instance seen on one path, with everything that was learned about it there.
///
/// A sighting is complete in itself: each one replaces the previous sighting of the same instance and path.
/// Everything in it comes from the network and is untrusted; see ``ServiceInstance`` and ``TXTRecord`` for their bounds.
package struct Sighting: Hashable, Sendable {
    private struct Facts: Hashable {
        var instance: ServiceInstance

        // Behind the path is room for two small ones.
        var path: ServicePath
        var port: UInt16?
        var owner: Owner
        var source: SightingSource
        var resolution: Resolution
        var host: DomainName?
        var addresses: [IPAddress]
        var txt: TXTRecord?
        var heardFrom: [IPAddress]
    }

    /// The publisher of the service, as far as this process knows.
    private enum Owner {
        case unknown
        case thisHost
        case thisProcess
    }

    /// All values of the sighting, in an array with one element. All tables between the network and the user hold the
    /// same sighting and share this storage until one of them changes its copy.
    private var facts: [Facts]

    /// The instance that was seen.
    package var instance: ServiceInstance {
        get { facts[0].instance }
        set { facts[0].instance = newValue }
    }

    /// The interface and family on which it was seen.
    package var path: ServicePath {
        get { facts[0].path }
        set { facts[0].path = newValue }
    }

    /// The backend that saw the instance.
    package var source: SightingSource {
        get { facts[0].source }
        set { facts[0].source = newValue }
    }

    /// The progress of its look-up.
    package var resolution: Resolution {
        get { facts[0].resolution }
        set { facts[0].resolution = newValue }
    }

    /// The target host of its SRV record; `nil` until known.
    package var host: DomainName? {
        get { facts[0].host }
        set { facts[0].host = newValue }
    }

    /// The port of its SRV record; `nil` until known.
    package var port: UInt16? {
        get { facts[0].port }
        set { facts[0].port = newValue }
    }

    /// Every address of the host that was seen on this path, sorted, link-local ones with their scope.
    package var addresses: [IPAddress] {
        get { facts[0].addresses }
        set { facts[0].addresses = newValue }
    }

    /// Its TXT record; `nil` until known.
    package var txt: TXTRecord? {
        get { facts[0].txt }
        set { facts[0].txt = newValue }
    }

    /// The senders of the packets that contained exactly this SRV record, the newest last, link-local ones with their
    /// scope; at most ``maximumSources``. Empty if the backend does not report senders, as with Avahi and libdns_sd.
    ///
    /// An address of the service's host that is among them announced the service itself. That is no proof: anybody on
    /// the link can also forge a source address.
    package var heardFrom: [IPAddress] {
        get { facts[0].heardFrom }
        set { facts[0].heardFrom = newValue }
    }

    /// Indicates whether this very process published the service.
    package var isOurs: Bool {
        get { facts[0].owner == .thisProcess }
        set {
            if newValue {
                facts[0].owner = .thisProcess
            } else if isOurs {
                facts[0].owner = .unknown
            }
        }
    }

    /// Indicates whether it is a service of this host: published by this very process or through this host's daemon,
    /// seen on loopback, or announced from one of this host's own addresses.
    package var isOwn: Bool {
        get { facts[0].owner != .unknown }
        set {
            if !newValue {
                facts[0].owner = .unknown
            } else if !isOwn {
                facts[0].owner = .thisHost
            }
        }
    }

    /// Creates a sighting; by default, one of an instance that is still being looked up.
    ///
    /// The lists are stored as they are given: neither sorted, nor limited to ``maximumSources``.
    ///
    /// - Parameters:
    ///   - instance: The instance that was seen.
    ///   - path: The interface and family on which it was seen.
    ///   - source: The backend that saw it.
    ///   - resolution: The progress of its look-up.
    ///   - host: The target host of its SRV record.
    ///   - port: The port of its SRV record.
    ///   - addresses: The addresses of the host that were seen on this path, sorted.
    ///   - txt: Its TXT record.
    ///   - heardFrom: The senders of the packets that contained this SRV record, the newest last.
    ///   - isOurs: Indicates whether this very process published the service, which implies `isOwn`.
    ///   - isOwn: Indicates whether it is a service of this host.
    package init(
        instance: ServiceInstance,
        path: ServicePath,
        source: SightingSource,
        resolution: Resolution = .resolving,
        host: DomainName? = nil,
        port: UInt16? = nil,
        addresses: [IPAddress] = [],
        txt: TXTRecord? = nil,
        heardFrom: [IPAddress] = [],
        isOurs: Bool = false,
        isOwn: Bool = false
    ) {
        self.facts = [
            Facts(
                instance: instance,
                path: path,
                port: port,
                owner: isOurs ? .thisProcess : isOwn ? .thisHost : .unknown,
                source: source,
                resolution: resolution,
                host: host,
                addresses: addresses,
                txt: txt,
                heardFrom: heardFrom
            )
        ]
    }
}

/// The progress of the look-up of an instance's SRV, TXT and address records.
package enum Resolution: Hashable, Sendable {
    /// Queried, but not complete yet.
    case resolving

    /// SRV, TXT and at least one address are known.
    case resolved

    /// Nobody answered in time, or the answers cannot be used. The service can still become ``resolved``.
    ///
    /// The text names the missing record and says how long it was waited for.
    case failed(reason: String)

    /// Indicates whether there is nothing to wait for at the moment.
    package var isSettled: Bool { self != .resolving }
}
