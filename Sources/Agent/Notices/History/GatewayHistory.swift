package import GatewayProtocol
package import Pairing
package import Reports

/// The outages of watched gateways in a time, and what is not known of it. A value.
package struct GatewayHistory: Hashable, Sendable {
    /// The time after which an agent that wrote nothing did not run, in milliseconds: one that runs writes every minute.
    static let longestSilence = 150_000

    /// A gateway that is watched.
    package struct Gateway: Hashable, Sendable {
        package let key: String

        /// Its name, cleaned for people.
        package fileprivate(set) var name: String

        /// The time since which it is watched.
        package let since: Timestamp
    }

    /// A time in which a gateway did not answer.
    package struct Outage: Hashable, Sendable {
        package let key: String

        /// The name that it had then, or has now, cleaned for people.
        package fileprivate(set) var name: String

        package let began: Timestamp

        /// The end; `nil` while it lasts.
        package let ended: Timestamp?
        package let reason: String?

        /// The ways over which it answered before; empty if that is not known.
        package var ways: [Way] = []
    }

    /// Something else that has happened to a gateway: a way is lost or back, or something stands in the way of sessions.
    package struct Transition: Hashable, Sendable {
        package let key: String

        /// The name that it had then, or has now, cleaned for people.
        package fileprivate(set) var name: String

        package let time: Timestamp

        /// The kind of event, by the word of the message about it.
        package let kind: Notice.Kind

        /// The way that is lost or back.
        package let way: Way?
    }

    /// A time in which nothing is known of a gateway, or of any.
    package struct Unknown: Hashable, Sendable {
        /// The key of the gateway; `nil` for all.
        package let key: String?
        package let began: Timestamp
        package let ended: Timestamp
        package let reason: String
    }

    /// The time that it is about.
    package let since: Timestamp
    package let until: Timestamp

    package private(set) var gateways: [Gateway]

    /// The outages, in the order in which they began.
    package private(set) var outages: [Outage]

    /// The times in which one answered and was not ready, in the order in which they began.
    package private(set) var notReady: [Outage]

    /// The events besides outages, in their order.
    package private(set) var transitions: [Transition]

    /// The times of which nothing is known, in the order in which they began.
    package private(set) var unknown: [Unknown]

    /// Creates a history.
    ///
    /// - Parameter alive: The time at which an agent was last known to run; `nil` if none ever did.
    package init(
        since: Timestamp,
        until: Timestamp,
        alive: Timestamp?,
        gateways: [Gateway],
        outages: [Outage],
        notReady: [Outage] = [],
        transitions: [Transition] = [],
        unknown: [Unknown]
    ) {
        self.since = since
        self.until = until
        self.gateways = gateways
        self.outages = outages
        self.notReady = notReady
        self.transitions = transitions
        self.unknown = unknown
        if let alive, until.milliseconds - alive.milliseconds > Self.longestSilence {
            self.unknown.append(Unknown(key: nil, began: alive, ended: until, reason: "no agent runs"))
        }
    }

    /// Returns the part of it that is about the gateway with a key, watched or not any more.
    package func of(key: String) -> GatewayHistory {
        var part = self
        part.gateways = gateways.filter { $0.key == key }
        part.outages = outages.filter { $0.key == key }
        part.notReady = notReady.filter { $0.key == key }
        part.transitions = transitions.filter { $0.key == key }
        part.unknown = unknown.filter { $0.key == nil || $0.key == key }
        return part
    }

    /// Returns the same with one name for each gateway: the one that it has now, in place of those that it had whenever something
    /// happened. The name of a pairing, or from the user, counts before that of the history, which may be an older one.
    package func named(_ pairings: [StoredPairing], _ aliases: [GatewayAlias]) -> GatewayHistory {
        let watched = Dictionary(gateways.map { ($0.key, $0.name) }) { first, _ in first }
        let names = keys.reduce(into: watched) { names, key in
            let name =
                pairings.first { $0.id.description == key }?.name ?? aliases.first { $0.gatewayID == key }?.name
            if let name { names[key] = Notice.Subject(key: key, name: name).shownName }
        }
        var history = self
        for index in gateways.indices {
            history.gateways[index].name = names[gateways[index].key] ?? gateways[index].name
        }
        for index in outages.indices { history.outages[index].name = names[outages[index].key] ?? outages[index].name }
        for index in notReady.indices {
            history.notReady[index].name = names[notReady[index].key] ?? notReady[index].name
        }
        for index in transitions.indices {
            history.transitions[index].name = names[transitions[index].key] ?? transitions[index].name
        }
        history.gateways.sort { ($0.name, $0.key) < ($1.name, $1.key) }
        return history
    }

    /// The keys of all gateways in it, watched or not any more.
    package var keys: Set<String> {
        Set(gateways.map(\.key) + (outages + notReady).map(\.key) + transitions.map(\.key))
    }
}
