package import GatewayProtocol

/// Everything that a device takes to another one, as the content of a file that a passphrase opens. A value.
package struct DeviceFile: Hashable, Sendable {
    /// The two kinds of files.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// For a device beside this one: without its identity, and without the tokens that are bound to that.
        case copy
        /// For a device in place of this one, which then connects no more.
        case move
    }

    /// The identity of the device, to be sealed anew where it arrives.
    package struct Identity: Hashable, Sendable {
        let id: String
        let name: String
        let emoji: String?
        let platform: String
        let publicKey: [UInt8]
        let privateKey: Secret
    }

    /// The name of the device that it was written on, for people. Untrusted.
    package var deviceName: String

    /// The time at which it was written, in milliseconds since 1970.
    package var time: Int

    /// The identity, if the device was moved.
    package var identity: Identity?

    /// The pairings.
    package var pairings: [CarriedPairing]

    /// The names that the user has given to gateways.
    package var aliases: [GatewayAlias]

    /// The key of the user's rows in the cloud, if the device has one.
    package var vault: VaultKey?

    /// The kind of the file.
    package var kind: Kind { identity == nil ? .copy : .move }
}

// MARK: JSON

extension DeviceFile {
    /// The most bytes of a file: 4,096 pairings of a usual size are far less.
    package static let maximumBytes = 64 << 20

    private static let version = 1

    /// The content of the file, which is as secret as all that is in it.
    package var content: Secret {
        var fields: [String: JSONValue] = [
            "clawradar": "device", "version": JSONValue(integerLiteral: Self.version),
            "deviceName": .string(deviceName), "time": JSONValue(integerLiteral: time),
            "pairings": .array(pairings.map(\.json)), "aliases": .array(aliases.map(\.carried)),
        ]
        fields["identity"] = identity?.json
        fields["vault"] = vault.map { .object(["secret": .secret(RecoveryCode($0).text)]) }
        let bytes = JSONValue.object(fields).encoded
        defer { bytes.wipe() }
        return Secret(bytes: bytes)
    }

    /// Reads the content of a file; `nil` if it is none of this program, or of a later version.
    package init?(_ content: Secret) {
        let bytes = content.withUnsafeBytes { Array($0) }
        defer { bytes.wipe() }
        let limits = JSONLimits(maximumBytes: Self.maximumBytes, maximumValues: 1 << 22, hidesSecrets: true)
        let interfaces = CarriedPairing.interfaces
        guard let json = try? JSONValue(parsing: bytes, limits: limits), json["clawradar"]?.string == "device",
            json["version"]?.int == Self.version, let deviceName = json["deviceName"]?.string,
            let time = json["time"]?.int,
            let pairings = json["pairings"]?.array?.each({ CarriedPairing($0, interfaces: interfaces) }),
            pairings.count <= StoreLimits.pairings,
            let aliases = json["aliases"]?.array?.each({ GatewayAlias(carried: $0) })
        else { return nil }
        self.init(deviceName: deviceName, time: time, pairings: pairings, aliases: aliases)
        if let told = json["identity"] {
            guard let identity = Identity(told) else { return nil }
            self.identity = identity
        }
        vault = json["vault"]?["secret"]?.secret.flatMap { RecoveryCode.key($0) }
    }
}

extension DeviceFile.Identity {
    fileprivate var json: JSONValue {
        let key = privateKey.withUnsafeBytes { Base64.standard.encode(Array($0)) }
        var fields: [String: JSONValue] = [
            "id": .string(id), "name": .string(name), "platform": .string(platform), "publicKey": .bytes(publicKey),
            "secret": .secret(Secret(key)),
        ]
        fields["emoji"] = emoji.map { .string($0) }
        return .object(fields)
    }

    fileprivate init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, UUIDText.isRandom(id), let name = json["name"]?.string,
            let platform = json["platform"]?.string, platform.utf8.count <= StoreLimits.emojiBytes,
            let publicKey = json["publicKey"]?.bytes, let privateKey = json["secret"]?.bytes,
            DeviceRow.isPair(publicKey, privateKey)
        else { return nil }
        self.init(
            id: id,
            name: name.stored(StoreLimits.nameBytes),
            emoji: json["emoji"]?.string?.stored(StoreLimits.emojiBytes),
            platform: platform,
            publicKey: publicKey,
            privateKey: Secret(bytes: privateKey)
        )
    }
}

extension GatewayAlias {
    fileprivate var carried: JSONValue {
        var fields: [String: JSONValue] = ["gatewayID": .string(gatewayID), "name": .string(name)]
        fields["fingerprint"] = fingerprint.map { .bytes($0.bytes) }
        fields["leaf"] = leaf.map { .string($0.description) }
        return .object(fields)
    }

    fileprivate init?(carried json: JSONValue) {
        guard let gatewayID = json["gatewayID"]?.string, let name = json["name"]?.string else { return nil }
        self.init(
            gatewayID: gatewayID,
            fingerprint: json["fingerprint"]?.bytes.flatMap { GatewayFingerprint(bytes: $0) },
            leaf: json["leaf"]?.string.flatMap { LeafFingerprint($0) },
            name: name
        )
    }
}
