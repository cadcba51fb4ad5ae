package import DNSSD
package import GatewayProtocol

/// The target of a gateway probe: the addresses of one gateway, and what is known about it beforehand.
package struct GatewayProbeTarget: Hashable, Sendable {
    /// The most hints that are used.
    package static let mostHints = 32

    /// The addresses, all of the same gateway and at the same path; those that ``rules`` refuse are not contacted.
    package var endpoints: [Endpoint]

    /// The rules for which endpoints may be connected to.
    package var rules: TargetRules

    /// The hints of the gateway's candidates, the most trusted first: together they decide which steps there are, and
    /// in which order.
    package var hints: [ProbeHint]

    /// The certificate that the gateway must show, if it is known; then only TLS is tried.
    package var pin: LeafFingerprint?

    /// Indicates whether the first hint is the result of an earlier probe. Then only the cheapest question is asked
    /// that needs the gateway's process: an OpenClaw gateway logs every WebSocket that is closed before `connect`.
    package var isRepeated: Bool

    /// Creates the target of a probe.
    ///
    /// - Parameters:
    ///   - endpoints: From SRV and address records alone, or typed in; never from TXT.
    ///   - rules: The rules for the source of the endpoints.
    ///   - hints: At most ``mostHints`` are used; none means that anything is possible.
    ///   - pin: The certificate of a paired gateway.
    ///   - isRepeated: `true` to ask a known gateway again.
    package init(
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

    /// Returns the dialect that a service of this type is likely to speak; `nil` when the type gives no hint.
    package static func expected(of type: ServiceType) -> GatewayDialect? {
        switch type.description.lowercased() {
        case "_openclaw._tcp": .optaplus
        case "_openclaw-gw._tcp", "_clawdbot-gw._tcp", "_moltbot-gw._tcp": .openClaw
        case "_clawdbot-bridge._tcp": .bridge
        case "_openagents._tcp": .openAgents
        default: nil
        }
    }

    /// Returns the dialect that is likely to be spoken on a port, and asked for first: any other may be spoken there, too
    /// (see ``ProbeHint/isOfPlace``).
    package static func expected(ofPort port: UInt16) -> GatewayDialect? {
        switch port {
        case 9_099: .openAgents
        case 18_790: .bridge
        case 18_800: .clawline
        default: nil
        }
    }

    /// The most connections that a probe may open to one of the endpoints.
    package var mostConnections: Int {
        // Each question takes a connection, and the other transport is tried once.
        questions.count + 1
    }

    /// The hints that are used.
    private var usedHints: [ProbeHint] { hints.isEmpty ? [ProbeHint()] : Array(hints.prefix(Self.mostHints)) }

    /// The questions in the order in which they are asked: those of all hints, each once, beginning with those of the
    /// first hint. What answers as expected is asked no other.
    var questions: [ProbeQuestion] {
        let place = GatewayPages(endpoints.first)
        if isRepeated, let known = usedHints.first?.expected { return [.cheapest(for: known, at: place)] }
        var questions: [ProbeQuestion] = []
        for expected in usedHints.map(\.expected) + (usedHints.contains(where: \.isOfPlace) ? [nil] : []) {
            for question in ProbeQuestion.sequence(for: expected, at: place) where !questions.contains(question) {
                questions.append(question)
            }
        }
        return questions
    }

    /// The transports to try, and which first: the order of the first hint, and only one transport where all hints
    /// agree on that.
    var transports: ProbeTransports {
        // Without TLS there is no certificate to compare with the pin, and we could be talking to an impostor.
        if pin != nil { return .tlsOnly }
        let wanted = usedHints.map(\.transports)
        guard let first = wanted.first, !wanted.allSatisfy({ $0 == first }) else { return wanted.first ?? .plainFirst }
        return first.isTLSFirst ? .tlsFirst : .plainFirst
    }

    /// Indicates whether one of the hints expects an OpenClaw gateway, which is given time to speak first.
    var mayGreet: Bool { usedHints.contains { $0.expected == .openClaw } }
}

/// The transports that a probe tries, and which of them first.
package enum ProbeTransports: Hashable, Sendable {
    /// Plain text first; TLS when the peer seems to want it.
    case plainFirst
    /// TLS first, as a TXT record hints; plain text when there is no TLS.
    case tlsFirst
    /// Only plain text, as `ws://` says.
    case plainOnly
    /// Only TLS, as `wss://` says.
    case tlsOnly

    /// Indicates whether TLS is tried before plain text.
    var isTLSFirst: Bool { self == .tlsFirst || self == .tlsOnly }

    /// Indicates whether the other transport is tried when the first looks like the wrong one.
    var canSwitch: Bool { self == .tlsFirst || self == .plainFirst }
}
