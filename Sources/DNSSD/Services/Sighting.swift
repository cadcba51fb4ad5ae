/// One service instance seen on one path, with everything that was learned there.
///
/// A sighting is a whole: each one replaces the former of the same instance and path.
/// Everything in it comes from the network and is untrusted; see ``ServiceInstance`` and ``TXTRecord`` for their bounds.
public struct Sighting: Hashable, Sendable {
    private struct Facts: Hashable {
        var instance: ServiceInstance
        var path: ServicePath
        var source: SightingSource
        var resolution: Resolution
        var host: String?
        var port: UInt16?
        var addresses: [IPAddress]
        var txt: TXTRecord?
        var isOurs: Bool
    }

    /// All of it, in an array of one: every table on the way from the network to the user holds the same sighting, and so
    /// they share it, until one changes its own.
    private var facts: [Facts]

    /// Which instance.
    public var instance: ServiceInstance {
        get { facts[0].instance }
        set { facts[0].instance = newValue }
    }

    /// On which interface and family.
    public var path: ServicePath {
        get { facts[0].path }
        set { facts[0].path = newValue }
    }

    /// Who saw it.
    public var source: SightingSource {
        get { facts[0].source }
        set { facts[0].source = newValue }
    }

    /// How far its look-up has come.
    public var resolution: Resolution {
        get { facts[0].resolution }
        set { facts[0].resolution = newValue }
    }

    /// The target host of its SRV record, as an escaped name without the trailing dot; `nil` until known.
    public var host: String? {
        get { facts[0].host }
        set { facts[0].host = newValue }
    }

    /// The port of its SRV record; `nil` until known.
    public var port: UInt16? {
        get { facts[0].port }
        set { facts[0].port = newValue }
    }

    /// Every address of the host that was seen on this path, sorted, link-local ones with their scope.
    public var addresses: [IPAddress] {
        get { facts[0].addresses }
        set { facts[0].addresses = newValue }
    }

    /// Its TXT record; `nil` until known.
    public var txt: TXTRecord? {
        get { facts[0].txt }
        set { facts[0].txt = newValue }
    }

    /// Whether this very process published it.
    public var isOurs: Bool {
        get { facts[0].isOurs }
        set { facts[0].isOurs = newValue }
    }

    public init(
        instance: ServiceInstance,
        path: ServicePath,
        source: SightingSource,
        resolution: Resolution = .resolving,
        host: String? = nil,
        port: UInt16? = nil,
        addresses: [IPAddress] = [],
        txt: TXTRecord? = nil,
        isOurs: Bool = false
    ) {
        self.facts = [
            Facts(
                instance: instance,
                path: path,
                source: source,
                resolution: resolution,
                host: host,
                port: port,
                addresses: addresses,
                txt: txt,
                isOurs: isOurs
            )
        ]
    }
}
