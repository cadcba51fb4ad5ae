public import DNSSD
public import GatewayProtocol

/// The target of a gateway probe: the addresses of one gateway, and what is known about it beforehand.
public struct GatewayProbeTarget: Hashable, Sendable {
    /// The most hints that are read.
    public static let mostHints = 32

    /// The most paths that are upgraded on.
    static let mostResources = 4

    /// The addresses, all of the same gateway; those that ``rules`` refuse are not contacted.
    public var endpoints: [Endpoint]

    /// The rules for which endpoints may be connected to.
    public var rules: TargetRules

    /// The hints that the gateway's candidates give, the most trusted first: together they say which steps there are,
    /// and in which order.
    public var hints: [ProbeHint]

    /// The certificate that it must show, if it is known; then only TLS is tried.
    public var pin: LeafFingerprint?

    /// Indicates whether the first hint is what an earlier probe found. Then nothing is asked but the cheapest question
    /// that the process itself must answer: an OpenClaw gateway notes every WebSocket that leaves before `connect`.
    public var isRepeated: Bool

    /// - Parameters:
    ///   - endpoints: From SRV and address records alone, or typed in; never from TXT.
    ///   - rules: Where they come from.
    ///   - hints: At most ``mostHints`` are read; none means that anything is possible.
    ///   - pin: The certificate of a paired gateway.
    ///   - isRepeated: `true` to ask again a gateway that is known.
    public init(
        endpoints: [Endpoint],
        rules: TargetRules,
        hints: [ProbeHint] = [],
        pin: LeafFingerprint? = nil,
        isRepeated: Bool = false
    ) {
        self.endpoints = endpoints
        self.rules = rules
        self.hints = hints
        self.pin = pin
        self.isRepeated = isRepeated
    }

    /// Returns the dialect that a service of this type is likely to speak; `nil` when the type tells nothing.
    public static func expected(of type: ServiceType) -> GatewayDialect? {
        switch type.description.lowercased() {
        case "_openclaw._tcp": .optaplus
        case "_openclaw-gw._tcp", "_clawdbot-gw._tcp", "_moltbot-gw._tcp": .openClaw
        case "_clawdbot-bridge._tcp": .bridge
        case "_openagents._tcp": .openAgents
        default: nil
        }
    }

    /// Returns the dialect that is likely to be spoken on a port that was typed in.
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

    /// The hints that are read.
    private var usedHints: [ProbeHint] { hints.isEmpty ? [ProbeHint()] : Array(hints.prefix(Self.mostHints)) }

    /// The questions in the order in which they are asked: the steps of all hints, each once, the first hint's first.
    var questions: [ProbeQuestion] {
        if isRepeated, let known = usedHints.first {
            return ProbeQuestion.repetition(for: known.expected, resource: known.resource)
        }
        var questions: [ProbeQuestion] = []
        var resources: Set<String> = []
        for hint in usedHints {
            for question in ProbeQuestion.sequence(for: hint.expected, resource: hint.resource)
            where !questions.contains(question) {
                if case .webSocket(let resource) = question {
                    guard resources.count < Self.mostResources else { continue }
                    resources.insert(resource)
                }
                questions.append(question)
            }
        }
        return questions
    }

    /// With TLS or without, and which first: as the first hint has it, and one alone only where all want no other.
    var transports: ProbeTransports {
        // Without TLS nothing could be compared with the pin, and an impostor would be talked to.
        if pin != nil { return .tlsOnly }
        let wanted = usedHints.map(\.transports)
        guard let first = wanted.first, !wanted.allSatisfy({ $0 == first }) else { return wanted.first ?? .plainFirst }
        return first.isTLSFirst ? .tlsFirst : .plainFirst
    }

    /// Indicates whether one of the candidates is an OpenClaw gateway, which is given time to speak first.
    var mayGreet: Bool { usedHints.contains { $0.expected == .openClaw } }
}

/// With TLS or without, and which of them first.
public enum ProbeTransports: Hashable, Sendable {
    /// Without; with TLS when that seems to be wanted.
    case plainFirst
    /// With TLS, as a TXT record hints; without when there is none.
    case tlsFirst
    /// Without TLS, as `ws://` says.
    case plainOnly
    /// With TLS, as `wss://` says.
    case tlsOnly

    /// Indicates whether TLS is tried before plain text.
    var isTLSFirst: Bool { self == .tlsFirst || self == .tlsOnly }

    /// Indicates whether the other transport is tried when the first looks like the wrong one.
    var canSwitch: Bool { self == .tlsFirst || self == .plainFirst }
}
