internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// One place, by address, port and path, at which a candidate points, or that answers: the unit of probes and checks.
///
/// It has one probe result, one liveness and one held connection, shared by all candidates that point at it.
struct ScannedEndpoint {
    /// An answer of a gateway: the path on which it came, and the identity that it stated.
    struct Answer: Hashable {
        let path: GatewayProbePath
        let identity: GatewayIdentity
    }

    /// The facts that the map has been told of it, apart from its outcome and liveness.
    struct Told {
        /// The machine that has its address.
        var machine: Machine?

        /// Indicates whether the map knows from a session alone that it answers: no check will miss it there.
        var isKnownBySession = false

        /// The finding in place of the gateway.
        var silence: NoAnswer?

        /// The round-trip time.
        var roundTrip: Duration?

        /// Indicates whether a round-trip time differs so much from the last reported one that a person would care.
        func isWorthReporting(_ new: Duration?) -> Bool {
            guard let new else { return false }
            guard let roundTrip else { return true }
            let (low, high) = (min(new, roundTrip), max(new, roundTrip))
            return high - low > .milliseconds(2) && high > low * 3 / 2
        }
    }

    let endpoint: Endpoint

    /// The serial number of this endpoint.
    let number: Int

    /// The candidates that point at it.
    var candidates = EndpointCandidates()

    /// The last answer, if it came from a gateway.
    @Rare var answer: Answer?

    /// The signature of its answer over HTTP, with which later ones are compared.
    @Rare var signature: HTTPSignature?

    /// The time that connecting took.
    @Rare var connecting: Duration?

    /// The time at which a gateway last answered a probe there.
    @Rare var probedAt: ContinuousClock.Instant?

    @Rare private var rareTracker: LivenessTracker?
    @Rare private var rareTold: Told?
    @Rare private var rareHolding: EndpointHolding?

    // Most endpoints of a flood are never asked, and none answers: there is nothing of these to keep.
    var tracker: LivenessTracker {
        get { rareTracker ?? LivenessTracker() }
        set { rareTracker = newValue == LivenessTracker() ? nil : newValue }
    }

    var told: Told {
        get { rareTold ?? Told() }
        set { rareTold = newValue }
    }

    var holding: EndpointHolding {
        get { rareHolding ?? EndpointHolding() }
        set { rareHolding = newValue }
    }

    /// Indicates whether it decides whether its gateway answers, as far as the map has said.
    var leads = true

    var question = EndpointQuestion()
    var turn = EndpointTurn()

    init(_ endpoint: Endpoint, number: Int) {
        self.endpoint = endpoint
        self.number = number
    }

    /// Indicates whether any candidate points at it, so that it is kept even when it does not answer.
    var isWanted: Bool { candidates.isWanted }

    /// The precedence of its probe over others.
    var standing: ProbeStanding { answer == nil ? candidates.standing : .answered }

    /// The target of its gateway probe. The dialect that it last spoke comes first.
    var target: GatewayProbeTarget {
        var hints = candidates.hints
        if let answer {
            let transports: ProbeTransports = answer.path.isTLS ? .tlsFirst : .plainFirst
            let known = ProbeHint(expected: answer.identity.dialect, transports: transports)
            hints.removeAll { $0 == known }
            hints.insert(known, at: 0)
        }
        return GatewayProbeTarget(endpoints: [endpoint], rules: candidates.rules, hints: hints)
    }

    /// The time to wait for an answer.
    var answerTimeout: Duration {
        guard let answer else { return .seconds(1) }
        return LivenessCheck(path: answer.path, dialect: answer.identity.dialect, connecting: connecting).answerTimeout
    }
}
