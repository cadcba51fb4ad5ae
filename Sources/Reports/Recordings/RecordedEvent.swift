internal import DNSSD
internal import GatewayProtocol
package import Scanning

/// One event of a recording, with its time.
package struct RecordedEvent: Hashable, Sendable {
    /// The maximum length of a line of a recording, in bytes: far more than the largest service needs.
    package static let lineLimit = 4_194_304

    /// The limits on the JSON of a line. Its length is the only bound on the number of its values, so that every line
    /// that was recorded can be read again.
    private static let limits = JSONLimits(maximumBytes: lineLimit, maximumDepth: 32, maximumValues: lineLimit)

    /// The time since the recording began.
    package let at: Duration

    /// The event.
    package let event: BotMapEvent

    /// Creates an event with its time. A time below 0 or above 10⁹ s is written as the nearer of the two.
    package init(at: Duration, event: BotMapEvent) {
        self.at = at
        self.event = event
    }

    /// The event as one line of JSON, with a line feed at its end.
    package var line: [UInt8] {
        let fields: KeyValuePairs<String, (any Recorded)?> =
            switch event {
            case .serviceFound(let service): ["at": at, "event": "serviceFound", "service": service]
            // A recording has no reasons.
            case .serviceLost(let instance, _): ["at": at, "event": "serviceLost", "instance": instance]
            case .endpointAdded(let endpoint, let reach, let entry, let source):
                [
                    "at": at, "event": "endpointAdded", "endpoint": endpoint, "reach": reach, "entry": entry,
                    "source": source,
                ]
            case .endpointRemoved(let endpoint): ["at": at, "event": "endpointRemoved", "endpoint": endpoint]
            case .probed(let endpoint, let outcome, let roundTrip):
                ["at": at, "event": "probed", "endpoint": endpoint, "outcome": outcome, "roundTrip": roundTrip]
            case .proved(let endpoint, let proof, let leaf):
                ["at": at, "event": "proved", "endpoint": endpoint, "proof": proof, "leaf": leaf]
            case .liveness(let endpoint, let liveness, let roundTrip):
                ["at": at, "event": "liveness", "endpoint": endpoint, "liveness": liveness, "roundTrip": roundTrip]
            case .sessionLiveness(let endpoint, let liveness, let roundTrip):
                [
                    "at": at, "event": "sessionLiveness", "endpoint": endpoint, "liveness": liveness,
                    "roundTrip": roundTrip,
                ]
            case .flooding(let endpoint, let isFlooding):
                ["at": at, "event": "flooding", "endpoint": endpoint, "isFlooding": isFlooding]
            case .readiness(let endpoint, let readiness):
                ["at": at, "event": "readiness", "endpoint": endpoint, "readiness": readiness]
            case .waiting(let endpoint, let reason):
                ["at": at, "event": "waiting", "endpoint": endpoint, "reason": reason]
            case .located(let endpoint, let machine):
                ["at": at, "event": "located", "endpoint": endpoint, "machine": machine]
            case .aliased(let aliases): ["at": at, "event": "aliased", "aliases": aliases]
            case .retired(let endpoint): ["at": at, "event": "retired", "endpoint": endpoint]
            case .paired(let bot): ["at": at, "event": "paired", "bot": bot]
            case .unpaired(let key): ["at": at, "event": "unpaired", "bot": key]
            case .revoked(let key): ["at": at, "event": "revoked", "bot": key]
            case .stateChanged(let key, let state): ["at": at, "event": "stateChanged", "bot": key, "state": state]
            }
        return JSONValue(recording: fields).encoded + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its line feed.
    ///
    /// - Throws: The reason why the line cannot be used. Memory and time are bounded whatever the line contains,
    ///   because a recording can come from an untrusted source.
    package init(line: [UInt8]) throws(RecordingProblem) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw RecordingProblem("a line is to be an object of JSON: \(error)")
        }
        let fields = try RecordedFields(value, of: "the event")
        self.at = try fields.value("at")
        self.event = try BotMapEvent(recording: fields)
    }
}

extension BotMapEvent {
    fileprivate init(recording fields: RecordedFields) throws(RecordingProblem) {
        let event: String = try fields.value("event")
        func endpoint() throws(RecordingProblem) -> Endpoint { try fields.value("endpoint") }
        func roundTrip() throws(RecordingProblem) -> Duration? { try fields.optional("roundTrip") }
        switch event {
        case "serviceFound": self = try .serviceFound(fields.value("service"))
        case "serviceLost": self = try .serviceLost(fields.value("instance"))
        case "endpointAdded":
            self = try .endpointAdded(
                endpoint(),
                fields.value("reach"),
                entry: fields.optional("entry"),
                source: fields.optional("source")
            )
        case "endpointRemoved": self = try .endpointRemoved(endpoint())
        case "probed": self = try .probed(endpoint(), fields.value("outcome"), roundTrip: roundTrip())
        case "proved": self = try .proved(endpoint(), fields.value("proof"), leaf: fields.optional("leaf"))
        case "liveness": self = try .liveness(endpoint(), fields.value("liveness"), roundTrip: roundTrip())
        case "sessionLiveness":
            self = try .sessionLiveness(endpoint(), fields.optional("liveness"), roundTrip: roundTrip())
        case "flooding": self = try .flooding(endpoint(), fields.value("isFlooding"))
        case "readiness": self = try .readiness(endpoint(), fields.optional("readiness"))
        case "waiting": self = try .waiting(endpoint(), fields.optional("reason"))
        case "located": self = try .located(endpoint(), fields.optional("machine"))
        case "aliased": self = try .aliased(fields.value("aliases"))
        case "retired": self = try .retired(endpoint())
        case "paired": self = try .paired(fields.value("bot"))
        case "unpaired": self = try .unpaired(fields.value("bot"))
        case "revoked": self = try .revoked(fields.value("bot"))
        case "stateChanged": self = try .stateChanged(fields.value("bot"), fields.value("state"))
        default: throw fields.unknownWord(at: "event")
        }
    }
}
