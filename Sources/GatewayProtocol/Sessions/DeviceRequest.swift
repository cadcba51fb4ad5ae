/// A device or node that waits at a gateway for the approval of an admin, as an OpenClaw gateway lists it, or a Clawline
/// provider tells of it.
///
/// The device has chosen all of it but the identifier and the time, and nothing proves any of it.
package struct DeviceRequest: Hashable, Sendable {
    /// The maximum number of roles or scopes of a request. A request with more is not read at all: what is not shown
    /// must not be approved.
    private static let mostScopes = 32

    /// The maximum size of a role or scope, and of the other texts, in bytes. Other texts are cut.
    private static let scopeBytes = 128
    private static let textBytes = 256

    /// The identifier by which an operator decides, of characters that no shell expands.
    package let id: String

    /// Indicates whether it is a node, which carries out commands of the gateway: gateways list these on their own.
    package let isNode: Bool

    /// The name that the device gives itself; `nil` if it has none.
    package let name: String?

    /// The identifier of the device, the hash of its key.
    package let deviceID: String?

    package let platform: String?

    /// The version of the program of a node.
    package let version: String?

    /// The address from which it asked, as the gateway saw it.
    package let address: String?

    /// The roles that it asks for.
    package let roles: [String]

    /// The scopes that it asks for.
    package let scopes: [String]

    /// The scopes that an operator needs to approve a node, as far as the gateway names them.
    package let approvalScopes: [String]

    /// The time at which it asked, in milliseconds since 1970 by the gateway's clock; `nil` if the gateway does not say.
    package let time: Int?

    /// Reads an entry of the list; `nil` if it has no identifier that can be typed, or asks for what is not understood.
    package init?(json: JSONValue) {
        func text(_ key: String) -> String? {
            guard let text = json[key]?.string, !text.isEmpty else { return nil }
            return text.cut(toBytes: Self.textBytes)
        }
        guard let id = json["requestId"]?.string, SessionRefusal.isRequestID(id),
            let roles = Self.words(json["roles"]), let scopes = Self.words(json["scopes"]),
            let approvalScopes = Self.words(json["requiredApproveScopes"])
        else { return nil }
        self.id = id
        isNode = json["nodeId"]?.string != nil
        name = text("displayName")
        deviceID = text(isNode ? "nodeId" : "deviceId")
        platform = text("platform")
        version = isNode ? text("version") : nil
        self.approvalScopes = isNode ? approvalScopes : []
        address = text("remoteIp")
        let role = json["role"]?.string ?? ""
        guard role.utf8.count <= Self.scopeBytes else { return nil }
        self.roles = role.isEmpty || roles.contains(role) ? roles : [role] + roles
        self.scopes = scopes
        time = json["ts"]?.int
    }

    /// Reads what a Clawline provider tells an admin: a device's own identifier is that of its request, and it asks for no
    /// scope. `nil` if it has no identifier that can be typed.
    ///
    /// - Parameters:
    ///   - message: The message `pair_approval_request`.
    ///   - time: The time at which it came, in milliseconds since 1970: the provider does not say since when it waits.
    package init?(clawline message: JSONValue?, at time: Int) {
        func text(_ json: JSONValue?) -> String? {
            guard let text = json?.string, !text.isEmpty else { return nil }
            return text.cut(toBytes: Self.textBytes)
        }
        guard let id = message?["deviceId"]?.string, SessionRefusal.isRequestID(id) else { return nil }
        self.id = id
        isNode = false
        version = nil
        approvalScopes = []
        name = text(message?["claimedName"])
        deviceID = id
        let info = message?["deviceInfo"]
        let words = [text(info?["platform"]), text(info?["model"])].compactMap(\.self)
        platform = words.isEmpty ? nil : words.joined(separator: ", ").cut(toBytes: Self.textBytes)
        address = nil
        roles = []
        scopes = []
        self.time = time
    }

    /// Returns the texts of a list; none if it is absent, and `nil` if it is longer than allowed or has something else in
    /// it.
    private static func words(_ json: JSONValue?) -> [String]? {
        guard let json, json != .null else { return [] }
        guard let values = json.array, values.count <= mostScopes else { return nil }
        let words = values.compactMap(\.string).filter { !$0.isEmpty && $0.utf8.count <= scopeBytes }
        return words.count == values.count ? words : nil
    }

    /// Indicates whether it asks for roles or scopes. A Clawline provider has none.
    package var asksForScopes: Bool { !roles.isEmpty || !scopes.isEmpty }

    /// Indicates whether the device has chosen the identifier of the request, as at a Clawline provider.
    package var isNamedByItsDevice: Bool { id == deviceID }

    /// Returns the scopes that an operator lacks for approving this request: nobody can grant more than it has, and a
    /// role other than that of an operator can be granted by an admin of the gateway alone.
    ///
    /// - Parameter granted: The scopes of the operator.
    package func scopesLacking(in granted: [String]) -> [String] {
        var needed = [OperatorScopes.pairing] + scopes + approvalScopes
        if roles.contains(where: { $0 != OpenClawConnect.role }) { needed.append(OperatorScopes.admin) }
        var lacking: [String] = []
        for scope in needed where !OperatorScopes.allow(scope, granted: granted) && !lacking.contains(scope) {
            lacking.append(scope)
        }
        return lacking
    }
}

/// The devices that wait at a gateway, as `device.pair.list` and `node.pair.list` return them.
package struct DeviceRequestList: Hashable, Sendable {
    /// The maximum number of requests that are read.
    package static let most = 64

    /// The requests in the order of the gateway, without repeated identifiers.
    package let requests: [DeviceRequest]

    /// The number of entries that were left out, because there are too many or they could not be read.
    package let leftOut: Int

    /// Creates a list of all that wait.
    package init(requests: [DeviceRequest]) {
        self.init(requests: requests, leftOut: 0)
    }

    private init(requests: [DeviceRequest], leftOut: Int) {
        self.requests = requests
        self.leftOut = leftOut
    }

    /// Returns this list with the nodes that wait as well; `nil` if the gateway lists none.
    package func adding(_ nodes: DeviceRequestList?) -> DeviceRequestList {
        guard let nodes else { return self }
        let known = Set(requests.map(\.id))
        let all = requests + nodes.requests.filter { !known.contains($0.id) }
        let shown = Array(all.prefix(Self.most))
        return DeviceRequestList(requests: shown, leftOut: leftOut + nodes.leftOut + all.count - shown.count)
    }

    /// Reads the payload of the response.
    ///
    /// - Throws: ``GatewayMessageError`` if it contains no list.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        guard let entries = fields["pending"]?.array else {
            throw GatewayMessageError(.missingField, "the payload has no list of pending devices")
        }
        var requests: [DeviceRequest] = []
        var seen: Set<String> = []
        for entry in entries {
            guard requests.count < Self.most else { break }
            guard let request = DeviceRequest(json: entry), seen.insert(request.id).inserted else { continue }
            requests.append(request)
        }
        self.requests = requests
        leftOut = entries.count - requests.count
    }
}

/// The decision of an admin about a device that waits.
package enum DeviceDecision: String, Sendable {
    case approved
    case rejected

    /// Returns the method by which an OpenClaw gateway is told of it.
    package func method(about request: DeviceRequest) -> String {
        let family = request.isNode ? "node.pair" : "device.pair"
        return switch self {
        case .approved: "\(family).approve"
        case .rejected: "\(family).reject"
        }
    }
}
