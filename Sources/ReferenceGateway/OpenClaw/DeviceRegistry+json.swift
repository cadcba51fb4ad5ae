internal import GatewayProtocol

extension DeviceRegistry {
    /// The stored form of the devices. It holds secrets.
    var json: JSONValue {
        .array(devices.values.sorted { ($0.approvedAt, $0.id) < ($1.approvedAt, $1.id) }.map(\.json))
    }

    /// Reads the stored form; `nil` if any part of it is not valid.
    init?(json: JSONValue) {
        guard let entries = json.array, entries.count <= Self.limit else { return nil }
        let devices = entries.compactMap(Device.init(json:))
        guard devices.count == entries.count else { return nil }
        self.init(devices)
    }
}

extension DeviceRegistry.Device {
    fileprivate init?(json: JSONValue) {
        guard let id = json["deviceId"]?.string, let key = json["publicKey"]?.string.flatMap(Base64.url.decode),
            key.count == 32, let platform = json["platform"]?.string, let roles = json["roles"]?.object
        else { return nil }
        let grants = roles.compactMapValues(DeviceRegistry.Grant.init(json:))
        guard grants.count == roles.count else { return nil }
        self.init(
            id: id,
            publicKey: key,
            name: json["name"]?.string ?? "",
            platform: platform,
            deviceFamily: json["deviceFamily"]?.string,
            grants: grants,
            approvedAt: json["approvedAtMs"]?.int ?? 0
        )
    }

    fileprivate var json: JSONValue {
        .object([
            "deviceId": .string(id), "publicKey": .string(Base64.url.encode(publicKey)), "name": .string(name),
            "platform": .string(platform), "deviceFamily": deviceFamily.map(JSONValue.string) ?? .null,
            "approvedAtMs": .number(JSONNumber(approvedAt)), "roles": .object(grants.mapValues(\.json)),
        ])
    }
}

extension DeviceRegistry.Grant {
    fileprivate init?(json: JSONValue) {
        guard let scopes = json["scopes"]?.array?.map(\.string), !scopes.contains(nil) else { return nil }
        self.scopes = scopes.compactMap { $0 }
        guard let token = json["token"]?.string else { return }
        self.token = DeviceRegistry.Token(secret: Secret(token), issuedAt: json["issuedAtMs"]?.int ?? 0)
    }

    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = ["scopes": .array(scopes.map(JSONValue.string))]
        fields["token"] = token?.secret.revealed.map(JSONValue.string)
        fields["issuedAtMs"] = token.map { .number(JSONNumber($0.issuedAt)) }
        return .object(fields)
    }
}
