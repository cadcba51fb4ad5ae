/// The bots of an OpenClaw gateway, from `agents.list` or from the snapshot of `hello-ok`. Untrusted: clean them before
/// showing them.
package struct AgentList: Hashable, Sendable {
    /// The bots in the order of the gateway: the first ``DiscoverPayload/maximumBots``, without repeated identifiers.
    package let bots: [BotDescription]

    /// Reads the payload of the response to `agents.list`.
    ///
    /// - Throws: ``GatewayMessageError`` when there is no list.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        guard let entries = fields["agents"]?.array else {
            throw GatewayMessageError(.missingField, "the payload has no list of agents")
        }
        self.init(entries, id: "id")
    }

    /// Reads `snapshot.health` of `hello-ok`; without a list of agents there are no bots.
    init(health: JSONValue?) {
        self.init(health?["agents"]?.array ?? [], id: "agentId")
    }

    private init(_ entries: [JSONValue], id: String) {
        func text(_ value: JSONValue?) -> String? {
            guard let text = value?.string, !text.isEmpty else { return nil }
            return text.cut(toBytes: BotDescription.maximumTextLength)
        }
        var bots: [BotDescription] = []
        var seen: Set<BotID> = []
        for entry in entries {
            guard bots.count < DiscoverPayload.maximumBots else { break }
            guard let id = entry[id]?.string.flatMap(BotID.init), seen.insert(id).inserted else { continue }
            let identity = entry["identity"]
            let name = text(identity?["name"]) ?? text(entry["name"]) ?? id.text
            bots.append(BotDescription(id: id, name: name, emoji: text(identity?["emoji"])))
        }
        self.bots = bots
    }
}
