/// One service instance seen on one path, with everything that was learned there.
///
/// A sighting is a whole: each one replaces the former of the same instance and path.
/// Everything in it comes from the network and is untrusted; see ``ServiceInstance`` and ``TXTRecord`` for their bounds.
public struct Sighting: Hashable, Sendable {
    /// Which instance.
    public var instance: ServiceInstance

    /// On which interface and family.
    public var path: ServicePath

    /// Who saw it.
    public var source: SightingSource

    /// How far its look-up has come.
    public var resolution: Resolution

    /// The target host of its SRV record, as an escaped name without the trailing dot; `nil` until known.
    public var host: String?

    /// The port of its SRV record; `nil` until known.
    public var port: UInt16?

    /// Every address of the host that was seen on this path, sorted, link-local ones with their scope.
    public var addresses: [IPAddress]

    /// Its TXT record; `nil` until known.
    public var txt: TXTRecord?

    /// Whether this very process published it.
    public var isOurs: Bool

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
        self.instance = instance
        self.path = path
        self.source = source
        self.resolution = resolution
        self.host = host
        self.port = port
        self.addresses = addresses
        self.txt = txt
        self.isOurs = isOurs
    }
}
