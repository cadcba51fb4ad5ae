internal import BotMap
internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// What services and typed-in addresses lead to: a set of endpoints that are supposed to be one thing.
struct ScanTarget {
    /// What an endpoint has answered as.
    struct Answer: Hashable {
        let path: GatewayProbePath
        let identity: GatewayIdentity

        var dialect: GatewayDialect { identity.dialect }
    }

    /// The endpoints that may be connected to, sorted.
    var endpoints: [Endpoint]

    /// The services that lead here.
    var services: Set<ServiceInstance> = []

    /// Whether the user named it.
    var isTypedIn = false

    /// What it is likely to speak.
    var expected: GatewayDialect?

    /// With TLS or without, and which first.
    var transports = ProbeTransports.plainFirst

    /// The path to upgrade on.
    var resource = "/"

    /// Where it may be connected to.
    var rules: TargetRules

    /// The endpoints behind which a gateway answered.
    var answers: [Endpoint: Answer] = [:]

    /// The endpoints that were asked beside one that answered, and were no gateway.
    var silent: Set<Endpoint> = []

    /// The endpoint that is asked whether it answers.
    var primary: Endpoint?

    /// Whether it has been asked what it is.
    var isAsked = false

    /// The endpoints that were asked since it was last to be asked what it is.
    var tried: Set<Endpoint> = []

    /// Probes that wait or run.
    var probes = 0

    /// Whether it waits since too many others lead to its address.
    var isPutOff = false

    var tracker = LivenessTracker()

    /// The round-trip time that was told last.
    var toldRoundTrip: Duration?

    /// The endpoints whose answer to the present check is missing; empty when no check runs.
    var outstanding: Set<Endpoint> = []

    /// Counts checks, so that the end of an earlier one is not taken for that of a later one.
    var check = 0

    /// When the last check began.
    var checkStart: ContinuousClock.Instant?

    /// When it is to be asked anew which bots it has.
    var refreshTime: ContinuousClock.Instant?

    /// Since when it waits for its turn to be asked; `nil` when it does not.
    var waitsSince: ContinuousClock.Instant?

    /// Counts appointments: only the latest one holds.
    var appointment = 0

    /// Whether anything but its own answers keeps it.
    var isWanted: Bool { isTypedIn || !services.isEmpty }

    init(endpoints: [Endpoint], rules: TargetRules) {
        self.endpoints = endpoints
        self.rules = rules
    }

    /// The question for some of its endpoints.
    func question(for endpoints: [Endpoint]) -> GatewayProbeTarget {
        GatewayProbeTarget(
            endpoints: endpoints,
            rules: rules,
            hints: [
                ProbeHint(
                    expected: endpoints.count == 1 ? answers[endpoints[0]]?.dialect ?? expected : expected,
                    transports: transports,
                    resource: resource
                )
            ]
        )
    }
}
