internal import GatewayProtocol

/// The nodes that wait at an OpenClaw gateway for an operator: apart from devices, and with methods and events of their own.
/// A value; not stored.
package struct NodeRequests: Hashable, Sendable {
    /// A node that waits.
    package struct Request: Hashable, Sendable {
        package let id: String
        package let nodeID: String
        package let name: String
        package let platform: String
        package let version: String

        /// The address from which it asked.
        package let address: String

        package init(id: String, nodeID: String, name: String, platform: String, version: String, address: String) {
            self.id = id
            self.nodeID = nodeID
            self.name = name
            self.platform = platform
            self.version = version
            self.address = address
        }
    }

    /// The nodes, those that have waited longest first.
    package var waiting: [Request] = []

    /// The nodes that were approved.
    package private(set) var approved: [Request] = []

    package init() {}

    /// The payload of `node.pair.list`.
    var list: JSONValue {
        .object(["pending": .array(waiting.map(\.json)), "paired": .array(approved.map(\.json))])
    }

    /// Decides about a node; returns what is sent then.
    mutating func decide(
        _ method: String,
        _ params: JSONValue?,
        at time: GatewayTime
    ) throws(OperatorRefusal) -> (payload: JSONValue, actions: [GatewayAction]) {
        guard let id = params?["requestId"]?.string, case .object(let fields)? = params, fields.count == 1 else {
            throw OperatorRefusal(message: "invalid \(method) params: must have required property 'requestId'")
        }
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            throw OperatorRefusal(message: "unknown requestId")
        }
        let request = waiting.remove(at: index)
        let isApproved = method == "node.pair.approve"
        if isApproved { approved.append(request) }
        let decision = isApproved ? "approved" : "rejected"
        let event: JSONValue = .object([
            "requestId": .string(id), "nodeId": .string(request.nodeID), "decision": .string(decision),
            "ts": .number(JSONNumber(time.date)),
        ])
        let payload: JSONValue = .object(["requestId": .string(id), "nodeId": .string(request.nodeID)])
        return (
            payload,
            [
                .note("node \(request.nodeID) (\(request.name)) was \(decision)"),
                .broadcast("node.pair.resolved", event, scope: OperatorScopes.pairing),
            ]
        )
    }
}

extension NodeRequests.Request {
    /// The node as operators see it.
    var json: JSONValue {
        .object([
            "requestId": .string(id), "nodeId": .string(nodeID), "displayName": .string(name),
            "platform": .string(platform), "version": .string(version), "remoteIp": .string(address), "ts": 1,
        ])
    }

    /// The event that reports it to operators.
    package var requested: GatewayAction { .broadcast("node.pair.requested", json, scope: OperatorScopes.pairing) }
}
