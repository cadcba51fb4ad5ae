public import DNSSD
public import GatewayProtocol

/// What a gateway probe asks: the addresses of one gateway, and what is known about it beforehand.
public struct GatewayProbeTarget: Hashable, Sendable {
    /// The addresses, all of the same gateway; those that ``rules`` refuse are not contacted.
    public var endpoints: [Endpoint]

    /// Where may be connected to.
    public var rules: TargetRules

    /// What it is likely to speak, by its service type or its port; `nil` when anything is possible.
    public var expected: GatewayDialect?

    /// With TLS or without, and which first.
    public var transports: ProbeTransports

    /// The path to upgrade on.
    public var resource: String

    /// The certificate that it must show, if it is known; then only TLS is tried.
    public var pin: LeafFingerprint?

    /// Whether ``expected`` is what an earlier probe found. Then nothing is asked but the cheapest question that the
    /// process itself must answer: an OpenClaw gateway notes every WebSocket that leaves before `connect`.
    public var isRepeated: Bool

    /// - Parameters:
    ///   - endpoints: From SRV and address records alone, or typed in; never from TXT.
    ///   - rules: Where they come from.
    ///   - expected: See ``expected(of:)``.
    ///   - transports: `tlsFirst` when the TXT record hints at TLS.
    ///   - resource: `/`, unless the user typed another.
    ///   - pin: The certificate of a paired gateway.
    ///   - isRepeated: `true` to ask again a gateway that is known.
    public init(
        endpoints: [Endpoint],
        rules: TargetRules,
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        resource: String = "/",
        pin: LeafFingerprint? = nil,
        isRepeated: Bool = false
    ) {
        self.endpoints = endpoints
        self.rules = rules
        self.expected = expected
        self.transports = transports
        self.resource = resource
        self.pin = pin
        self.isRepeated = isRepeated
    }

    /// What a service of this type is likely to speak; `nil` when the type tells nothing.
    public static func expected(of type: ServiceType) -> GatewayDialect? {
        switch type.description.lowercased() {
        case "_openclaw._tcp": .design
        case "_openclaw-gw._tcp", "_clawdbot-gw._tcp", "_moltbot-gw._tcp": .openClaw
        case "_clawdbot-bridge._tcp": .bridge
        case "_openagents._tcp": .openAgents
        default: nil
        }
    }

    /// What is likely to listen on a port that was typed in.
    public static func expected(ofPort port: UInt16) -> GatewayDialect? {
        switch port {
        case 9_099: .openAgents
        case 18_790: .bridge
        case 18_800: .clawline
        default: nil
        }
    }

    /// The most connections that asking may open to one of the endpoints.
    public var mostConnections: Int {
        // Each question is a connection, and the other transport is tried once.
        questions.count + 1
    }

    /// What is asked, in this order.
    var questions: [ProbeQuestion] {
        isRepeated
            ? ProbeQuestion.repetition(for: expected, resource: resource)
            : ProbeQuestion.ladder(for: expected, resource: resource)
    }
}
