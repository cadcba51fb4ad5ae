package import DNSSD
package import GatewayProtocol
internal import HostSystem

/// The JSON of a pairing on its way. Keys may be added; a value that this version does not know makes the whole unreadable,
/// since what is known of it in part could be trusted too far.
extension CarriedPairing {
    /// The interfaces of this host, by which the places in its links are found again.
    package static var interfaces: [NetworkInterface] { HostInterface.all.map(\.interface) }

    /// The JSON, which has the secrets.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(pairing.id.description), "gatewayID": .string(pairing.gatewayID),
            "name": .string(pairing.name), "dialect": .string(pairing.dialect.rawValue),
            "operatorTool": .string(pairing.operatorTool.rawValue), "trust": pairing.trust.carried,
            "places": .array(pairing.endpoints.map(\.carried)), "resource": .string(pairing.resource),
            "connectsAutomatically": .bool(pairing.connectsAutomatically),
            "pairedAt": JSONValue(integerLiteral: pairing.pairedAt), "bots": .array(pairing.bots.map(\.carried)),
            "credentials": .array(pairing.credentials.map { $0.carried(secrets[$0.id]) }),
        ]
        fields["fingerprint"] = pairing.fingerprint.map { .bytes($0.bytes) }
        fields["ownName"] = pairing.ownName.map { .string($0) }
        fields["remoteURL"] = pairing.remoteURL.map { .string($0) }
        fields["connectedURL"] = pairing.connectedURL.map { .string($0) }
        fields["lastConnected"] = pairing.lastConnected.map { JSONValue(integerLiteral: $0) }
        return .object(fields)
    }

    /// Reads a pairing; `nil` where anything in it is none that this version knows, or exceeds ``StoreLimits``.
    ///
    /// - Parameter interfaces: The interfaces of this host. A place in a link of another one is left out.
    package init?(_ json: JSONValue, interfaces: [NetworkInterface] = Self.interfaces) {
        guard let id = json["id"]?.string.flatMap({ PairingID($0) }), let gatewayID = json["gatewayID"]?.string,
            let name = json["name"]?.string, let trust = json["trust"].flatMap({ TrustPolicy(carried: $0) }),
            let dialect = json["dialect"]?.string.flatMap({ GatewayDialect(rawValue: $0) }),
            let resource = json["resource"]?.string, let pairedAt = json["pairedAt"]?.int,
            let places = json["places"]?.array, let bots = json["bots"]?.array?.each({ StoredBot(carried: $0) }),
            let credentials = json["credentials"]?.array?.each({ StoredCredential(carried: $0) }),
            let secrets = json["credentials"]?.array?.each({ $0["token"]?.secret })
        else { return nil }
        var fingerprint: GatewayFingerprint?
        if let told = json["fingerprint"] {
            guard let bytes = told.bytes, let read = GatewayFingerprint(bytes: bytes) else { return nil }
            fingerprint = read
        }
        guard let endpoints = places.each({ Endpoint.carried($0, interfaces) }) else { return nil }
        let pairing = StoredPairing(
            id: id,
            gatewayID: gatewayID,
            fingerprint: fingerprint,
            name: name,
            ownName: json["ownName"]?.string,
            dialect: dialect,
            operatorTool: json["operatorTool"]?.string.flatMap { SessionRefusal.OperatorTool(rawValue: $0) }
                ?? .openClaw,
            trust: trust,
            endpoints: endpoints.compactMap(\.self),
            resource: resource,
            remoteURL: json["remoteURL"]?.string,
            connectedURL: json["connectedURL"]?.string,
            connectsAutomatically: json["connectsAutomatically"]?.bool ?? true,
            pairedAt: pairedAt,
            lastConnected: json["lastConnected"]?.int,
            bots: bots,
            credentials: credentials
        )
        guard let bounded = try? pairing.bounded(), secrets.allSatisfy({ $0.count <= StoreLimits.secretBytes }) else {
            return nil
        }
        self.init(bounded, secrets: Dictionary(zip(credentials.map(\.id), secrets)) { first, _ in first })
    }
}

extension Endpoint {
    fileprivate var carried: JSONValue {
        var fields: [String: JSONValue] = [
            "address": .string(address.description), "port": JSONValue(integerLiteral: Int(port)),
            "resource": .string(resource),
        ]
        fields["serverName"] = serverName.map { .string($0.description) }
        return .object(fields)
    }

    /// Reads a place; `nil` where it is none, and `.some(nil)` where it is in a link of another host.
    fileprivate static func carried(_ json: JSONValue, _ interfaces: [NetworkInterface]) -> Endpoint?? {
        guard let text = json["address"]?.string, let port = json["port"]?.int.flatMap({ UInt16(exactly: $0) }),
            let resource = json["resource"]?.string
        else { return nil }
        var serverName: ServerName?
        if let name = json["serverName"] {
            guard let read = name.string.flatMap({ ServerName($0) }) else { return nil }
            serverName = read
        }
        guard let address = IPAddress(text, interfaces: interfaces) else {
            let isInLink = text.contains("%") && IPAddress(String(text.prefix { $0 != "%" })) != nil
            return isInLink ? .some(nil) : nil
        }
        return Endpoint(address: address, port: port, resource: resource, serverName: serverName)
    }
}

extension StoredBot {
    fileprivate var carried: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id.text), "name": .string(name), "isArchived": .bool(isArchived),
        ]
        fields["emoji"] = emoji.map { .string($0) }
        fields["accentColor"] = accentColor.map { .string($0) }
        return .object(fields)
    }

    fileprivate init?(carried json: JSONValue) {
        guard let id = json["id"]?.string.flatMap({ BotID($0) }), let name = json["name"]?.string else { return nil }
        self.init(
            id: id,
            name: name,
            emoji: json["emoji"]?.string,
            isArchived: json["isArchived"]?.bool ?? false,
            accentColor: json["accentColor"]?.string
        )
    }
}

extension StoredCredential {
    fileprivate func carried(_ secret: Secret?) -> JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id.description), "bots": .array(bots.map { .string($0.text) }),
            "generation": JSONValue(integerLiteral: generation), "createdAt": JSONValue(integerLiteral: createdAt),
            "deviceID": .string(deviceID), "scopes": .array(scopes.map { .string($0) }),
        ]
        fields["token"] = secret.map { .secret($0) }
        return .object(fields)
    }

    fileprivate init?(carried json: JSONValue) {
        guard let id = json["id"]?.string.flatMap({ CredentialID($0) }), let deviceID = json["deviceID"]?.string,
            let bots = json["bots"]?.array?.each({ $0.string.flatMap { BotID($0) } }),
            let generation = json["generation"]?.int, let createdAt = json["createdAt"]?.int,
            let scopes = json["scopes"]?.array?.each(\.string)
        else { return nil }
        self.init(
            id: id,
            bots: bots,
            generation: generation,
            createdAt: createdAt,
            deviceID: deviceID,
            scopes: scopes
        )
    }
}

extension Array {
    /// Returns what a closure makes of each element; `nil` if it makes nothing of one.
    func each<Value>(_ read: (Element) -> Value?) -> [Value]? {
        var values: [Value] = []
        for element in self {
            guard let value = read(element) else { return nil }
            values.append(value)
        }
        return values
    }
}

extension JSONValue {
    /// Bytes as text, in base64.
    static func bytes(_ bytes: [UInt8]) -> JSONValue { .string(Base64.standard.encode(bytes)) }

    /// The bytes that the text encodes; `nil` if there are none.
    var bytes: [UInt8]? { string.flatMap { Base64.standard.decode($0) } }
}
