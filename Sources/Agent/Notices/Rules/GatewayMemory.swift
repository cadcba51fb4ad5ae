package import GatewayProtocol
package import Reports

/// The memory of a watched gateway, which an agent that starts again needs so that nothing is told twice and every
/// return is told. A value.
package struct GatewayMemory: Hashable, Sendable {
    /// The news that the user was told last.
    package enum Told: String, Hashable, Sendable {
        /// That it answers, or nothing yet.
        case up
        /// That it is gone.
        case down
        /// That it goes away again and again.
        case unsteady
    }

    package internal(set) var told = Told.up

    /// Indicates whether it has ever answered. The silence of one that has not is nothing new.
    package internal(set) var hasAnswered = false

    /// The beginning of the outage that lasts; `nil` if it answers.
    package internal(set) var outage: Timestamp?

    /// The beginning of the outage that was told.
    package internal(set) var toldOutage: Timestamp?

    /// The end of the last outage, as the history has it; `nil` if none has ended.
    package internal(set) var outageEnd: Timestamp?

    /// The number of outages since the one that was told first, of one that goes away again and again.
    package internal(set) var outages = 0

    /// The number of all outages since it is watched.
    package internal(set) var allOutages = 0

    /// The facts of which the user was told that they have begun, and not yet that they are over; and those of the history.
    var toldFacts: Set<GatewayFact> = []
    var recordedFacts: Set<GatewayFact> = []

    /// The reasons that the user was told of the refusal that lasts: each is told once.
    var toldRefusals: Set<SessionRefusal.Reason> = []

    /// The times of the messages about it within the last hour, and of those about devices that wait for an approval there.
    package internal(set) var messages: [Timestamp] = []
    package internal(set) var approvalMessages: [Timestamp] = []

    /// The time at which its last return was told; `nil` if that says nothing any more.
    package internal(set) var returned: Timestamp?

    /// The times at which lost ways were back.
    package internal(set) var returnedWays: [Way: Timestamp] = [:]

    /// The name that the user has given it; `nil` if it has none.
    package internal(set) var alias: String?

    /// The one who answered last where the user has named it; `nil` if nobody has.
    package internal(set) var holder: Occupant?

    /// The length of the longest outage of one that goes away again and again, in milliseconds.
    package internal(set) var longestOutage = 0

    init() {}

    /// Reads what ``json`` has written; `nil` for anything else.
    package init?(_ json: JSONValue) {
        guard let told = json["told"]?.string.flatMap(Told.init), let hasAnswered = json["hasAnswered"]?.bool else {
            return nil
        }
        self.told = told
        self.hasAnswered = hasAnswered
        outage = json["outage"]?.string.flatMap(Timestamp.init)
        toldOutage = json["toldOutage"]?.string.flatMap(Timestamp.init)
        outageEnd = json["outageEnd"]?.string.flatMap(Timestamp.init)
        outages = json["outages"]?.int ?? 0
        allOutages = json["allOutages"]?.int ?? outages
        toldFacts = Self.facts(json, ways: "lostWays", troubles: "troubles", refusal: "isToldRefused")
        recordedFacts = Self.facts(
            json,
            ways: "recordedWays",
            troubles: "recordedTroubles",
            refusal: "isRecordedRefused"
        )
        toldFacts.formUnion((json["approvals"]?.array ?? []).compactMap(\.string).map { .approval(id: $0) })
        let reasons = (json["toldRefusals"]?.array ?? []).compactMap(\.string)
        toldRefusals = Set(reasons.compactMap(SessionRefusal.Reason.init))
        if json["isToldNotReady"]?.bool == true { toldFacts.insert(.notReady) }
        // Earlier versions wrote the time since which it is not ready.
        if json["unready"]?.bool == true || json["unready"]?.string != nil { recordedFacts.insert(.notReady) }
        alias = json["alias"]?.string
        holder = json["holder"].flatMap(Occupant.init)
        longestOutage = json["longestOutage"]?.int ?? 0
        messages = Timestamp.all(json["messages"])
        approvalMessages = Timestamp.all(json["approvalMessages"])
        returned = json["returned"]?.string.flatMap(Timestamp.init)
        for way in Way.allCases {
            returnedWays[way] = json["returnedWays"]?[way.rawValue]?.string.flatMap(Timestamp.init)
        }
    }

    /// Reads the facts of which somebody knows.
    private static func facts(_ json: JSONValue, ways: String, troubles: String, refusal: String) -> Set<GatewayFact> {
        let known = [ways, troubles].map { (json[$0]?.array ?? []).compactMap(\.string) }
        let all = Set(known[0].compactMap(Way.init).map(GatewayFact.lostWay))
            .union(known[1].compactMap(Trouble.init).map(GatewayFact.trouble))
        return json[refusal]?.bool ?? all.contains(.trouble(.refused)) ? all.union([.refusal]) : all
    }

    package var json: JSONValue {
        .object([
            "told": .string(told.rawValue),
            "hasAnswered": .bool(hasAnswered),
            "outage": JSONValue(outage?.description),
            "toldOutage": JSONValue(toldOutage?.description),
            "outageEnd": JSONValue(outageEnd?.description),
            "outages": .number(JSONNumber(outages)),
            "allOutages": .number(JSONNumber(allOutages)),
            "troubles": JSONValue(toldFacts.troubles.map(\.rawValue).sorted()),
            "lostWays": JSONValue(toldFacts.lostWays.map(\.rawValue).sorted()),
            "approvals": JSONValue(toldFacts.approvals.sorted()),
            "isToldRefused": .bool(toldFacts.contains(.refusal)),
            "toldRefusals": JSONValue(toldRefusals.map(\.rawValue).sorted()),
            "isToldNotReady": .bool(toldFacts.contains(.notReady)),
            "recordedTroubles": JSONValue(recordedFacts.troubles.map(\.rawValue).sorted()),
            "recordedWays": JSONValue(recordedFacts.lostWays.map(\.rawValue).sorted()),
            "isRecordedRefused": .bool(recordedFacts.contains(.refusal)),
            "unready": .bool(recordedFacts.contains(.notReady)),
            "alias": JSONValue(alias),
            "holder": holder?.json ?? .null,
            "longestOutage": .number(JSONNumber(longestOutage)),
            "messages": JSONValue(messages.map(\.description)),
            "approvalMessages": JSONValue(approvalMessages.map(\.description)),
            "returned": JSONValue(returned?.description),
            "returnedWays": .object(
                Dictionary(uniqueKeysWithValues: returnedWays.map { ($0.rawValue, .string($1.description)) })
            ),
        ])
    }
}

/// A gateway that an earlier run of the agent has watched. A value.
package struct RememberedGateway: Hashable, Sendable {
    /// The gateway, under its last name, cleaned for people.
    package let subject: Notice.Subject

    package let memory: GatewayMemory

    package init(_ subject: Notice.Subject, _ memory: GatewayMemory) {
        self.subject = subject
        self.memory = memory
    }
}
