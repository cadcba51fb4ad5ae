package import Constellation
internal import DNSSD
internal import GatewayProtocol

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
        var fields: [String: JSONValue] = ["at": JSONValue(recording: at)]
        switch event {
        case .serviceFound(let service):
            fields["event"] = "serviceFound"
            fields["service"] = service.recording
        case .serviceLost(let instance, _):
            // A recording has no reasons.
            fields["event"] = "serviceLost"
            fields["instance"] = instance.recording
        case .endpointAdded(let endpoint, let reach, let entry):
            fields["event"] = "endpointAdded"
            fields["endpoint"] = endpoint.recording
            fields["reach"] = .string(reach.rawValue)
            fields["entry"] = entry.map { JSONValue(recording: $0) }
        case .endpointRemoved(let endpoint):
            fields["event"] = "endpointRemoved"
            fields["endpoint"] = endpoint.recording
        case .probed(let endpoint, let outcome, let roundTrip):
            fields["event"] = "probed"
            fields["endpoint"] = endpoint.recording
            fields["outcome"] = outcome.recording
            fields["roundTrip"] = roundTrip.map { JSONValue(recording: $0) }
        case .proved(let endpoint, let proof, let leaf):
            fields["event"] = "proved"
            fields["endpoint"] = endpoint.recording
            fields["proof"] = .string(proof.recording)
            fields["leaf"] = leaf.map { .string($0.description) }
        case .liveness(let endpoint, let liveness, let roundTrip):
            fields["event"] = "liveness"
            fields["endpoint"] = endpoint.recording
            fields["liveness"] = .string(liveness.rawValue)
            fields["roundTrip"] = roundTrip.map { JSONValue(recording: $0) }
        case .sessionLiveness(let endpoint, let liveness, let roundTrip):
            fields["event"] = "sessionLiveness"
            fields["endpoint"] = endpoint.recording
            fields["liveness"] = liveness.map { .string($0.rawValue) }
            fields["roundTrip"] = roundTrip.map { JSONValue(recording: $0) }
        case .flooding(let endpoint, let isFlooding):
            fields["event"] = "flooding"
            fields["endpoint"] = endpoint.recording
            fields["isFlooding"] = .bool(isFlooding)
        case .readiness(let endpoint, let readiness):
            fields["event"] = "readiness"
            fields["endpoint"] = endpoint.recording
            fields["readiness"] = readiness?.recording
        case .waiting(let endpoint, let reason):
            fields["event"] = "waiting"
            fields["endpoint"] = endpoint.recording
            fields["reason"] = reason.map { .string($0.rawValue) }
        case .located(let endpoint, let machine):
            fields["event"] = "located"
            fields["endpoint"] = endpoint.recording
            fields["machine"] = machine?.recording
        case .aliased(let aliases):
            fields["event"] = "aliased"
            fields["aliases"] = JSONValue(recording: aliases.lazy.map(\.recording))
        case .retired(let endpoint):
            fields["event"] = "retired"
            fields["endpoint"] = endpoint.recording
        case .paired(let bot):
            fields["event"] = "paired"
            fields["bot"] = bot.recording
        case .unpaired(let key):
            fields["event"] = "unpaired"
            fields["bot"] = key.recording
        case .revoked(let key):
            fields["event"] = "revoked"
            fields["bot"] = key.recording
        case .stateChanged(let key, let state):
            fields["event"] = "stateChanged"
            fields["bot"] = key.recording
            fields["state"] = .string(state.rawValue)
        }
        return JSONValue.object(fields).encoded + [UInt8(ascii: "\n")]
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
            throw RecordingProblem(.malformed, "a line is to be an object of JSON: \(error)")
        }
        let fields = try RecordedFields(value, of: "the event")
        self.at = try fields.duration("at")
        func endpoint() throws(RecordingProblem) -> Endpoint {
            try Endpoint(recording: try fields.fields("endpoint"))
        }
        func key() throws(RecordingProblem) -> BotKey {
            try BotKey(recording: try fields.fields("bot"))
        }
        switch try fields.text("event") {
        case "serviceFound":
            self.event = .serviceFound(try DiscoveredService(recording: try fields.fields("service")))
        case "serviceLost":
            self.event = .serviceLost(try ServiceInstance(recording: try fields.fields("instance")))
        case "endpointAdded":
            self.event = .endpointAdded(
                try endpoint(),
                try fields.rawValue("reach", Reach.self),
                entry: try fields.optionalText("entry")
            )
        case "endpointRemoved":
            self.event = .endpointRemoved(try endpoint())
        case "probed":
            self.event = .probed(
                try endpoint(),
                try ProbeOutcome(recording: try fields.fields("outcome")),
                roundTrip: fields["roundTrip"] == nil ? nil : try fields.duration("roundTrip")
            )
        case "proved":
            self.event = .proved(
                try endpoint(),
                try GatewayProof(recording: try fields.text("proof"), of: fields),
                leaf: try fields.optionalLeaf("leaf")
            )
        case "liveness":
            self.event = .liveness(
                try endpoint(),
                try fields.rawValue("liveness", Liveness.self),
                roundTrip: fields["roundTrip"] == nil ? nil : try fields.duration("roundTrip")
            )
        case "sessionLiveness":
            self.event = .sessionLiveness(
                try endpoint(),
                fields["liveness"] == nil ? nil : try fields.rawValue("liveness", Liveness.self),
                roundTrip: fields["roundTrip"] == nil ? nil : try fields.duration("roundTrip")
            )
        case "flooding":
            self.event = .flooding(try endpoint(), try fields.bool("isFlooding"))
        case "readiness":
            let said = fields["readiness"] == nil ? nil : try Readiness(recording: try fields.fields("readiness"))
            self.event = .readiness(try endpoint(), said)
        case "waiting":
            let reason = fields["reason"] == nil ? nil : try fields.rawValue("reason", WaitingReason.self)
            self.event = .waiting(try endpoint(), reason)
        case "located":
            let machine = fields["machine"] == nil ? nil : try Machine(recording: try fields.fields("machine"))
            self.event = .located(try endpoint(), machine)
        case "aliased":
            self.event = .aliased(try fields.objects("aliases", GatewayAlias.init(recording:)))
        case "retired":
            self.event = .retired(try endpoint())
        case "paired":
            self.event = .paired(try PairedBot(recording: try fields.fields("bot")))
        case "unpaired":
            self.event = .unpaired(try key())
        case "revoked":
            self.event = .revoked(try key())
        case "stateChanged":
            self.event = .stateChanged(try key(), try fields.rawValue("state", BotState.self))
        default:
            throw fields.problem(at: "event", expected: "a word that this version knows")
        }
    }
}
