internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// The requests to pair that wait for an approval, as the agent of this user tells that has made them.
struct OpenRequests: Sendable {
    /// A request, and the gateway at which it waits.
    private struct Item: Sendable {
        let gateway: String?
        let endpoint: String?
        let request: WaitingRequest
    }

    private let items: [Item]

    /// Asks the agent of this user, unless it is not to be asked. Where none runs, or it cannot be asked, which was said then,
    /// there are none.
    static func ask(
        _ agent: AgentOption,
        at client: @autoclosure () -> AgentClient = AgentOption.client
    ) -> OpenRequests {
        OpenRequests(agent.document("GET", "/api/v1/pair", within: .seconds(2), at: client()) ?? .null)
    }

    /// Reads the answer of an agent.
    init(_ json: JSONValue) {
        items = (json["pairings"]?.array ?? []).compactMap { pairing in
            guard pairing["state"]?.string == "approvalNeeded", let approval = pairing["approval"],
                let since = approval["since"]?.string.flatMap(Timestamp.init),
                let dialect = pairing["offer"]?["dialect"]?.string.flatMap({ GatewayDialect(rawValue: $0) })
            else { return nil }
            return Item(
                gateway: pairing["offer"]?["gateway"]?.string,
                endpoint: pairing["offer"]?["endpoint"]?.string,
                request: WaitingRequest(
                    dialect: dialect,
                    since: since.milliseconds,
                    id: approval["request"]?.string.flatMap { SessionRefusal.isRequestID($0) ? $0 : nil },
                    command: approval["command"]?.string.flatMap { Self.isCommand($0) ? $0 : nil }
                )
            )
        }
    }

    /// Indicates whether a command consists of words and spaces alone, as those of operators do, whoever has answered.
    private static func isCommand(_ text: String) -> Bool {
        text.split(separator: " ").allSatisfy { SessionRefusal.isRequestID(String($0)) }
    }

    /// Returns the request that waits at a gateway longest; `nil` if none does.
    ///
    /// - Parameters:
    ///   - gateway: The identifier of its row; `nil` if there is none.
    ///   - places: The places at which it answers.
    func request(at gateway: String?, _ places: [Endpoint]) -> WaitingRequest? {
        let names = Set(places.map(\.description))
        return items.filter { item in
            gateway != nil && item.gateway == gateway || item.endpoint.map(names.contains) == true
        }.map(\.request).min { $0.since < $1.since }
    }
}
