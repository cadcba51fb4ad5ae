internal import Crypto
internal import DNSSD
internal import GatewayProtocol

/// On whose behalf rows are made.
package struct CloudOwner: Hashable, Sendable {
    /// The identifier of the user.
    package let user: String

    /// The identifier of this device: ``DeviceIdentity/cloudID()``.
    package let device: String

    /// Indicates whether names, hosts and fingerprints are sealed too, by the user's choice. Otherwise they lie in clear.
    package let sealsNames: Bool

    package init(user: String, device: String, sealsNames: Bool = false) {
        (self.user, self.device, self.sealsNames) = (user.lowercased(), device, sealsNames)
    }

    /// The same, with names sealed.
    var sealing: CloudOwner { CloudOwner(user: user, device: device, sealsNames: true) }
}

/// The part of a pairing that is in one row of the cloud: one bot, with the newest credential that opens it. A value.
package struct CloudPart: Hashable, Sendable {
    /// The row.
    package let key: CloudRow.Key

    /// The pairing with that bot and that credential alone.
    package let pairing: StoredPairing

    /// The time of the token, in milliseconds since 1970. One that is bound to this device is renewed with every session.
    package var time: Int {
        CloudTime.bounded(pairing.dialect.bindsTokensToDevice ? pairing.pairedAt : pairing.newest)
    }

    /// The digest of what other devices are told. Its places are not in it: each device has its own way to a gateway.
    var digest: CloudDigest {
        let token = pairing.dialect.bindsTokensToDevice ? nil : pairing.credentials.first
        var told = CarriedPairing(pairing, secrets: [:])
        (told.pairing.endpoints, told.pairing.connectedURL, told.pairing.lastConnected) = ([], nil, nil)
        return CloudDigest(
            token: token.map { Array(SHA256.hash(data: Array("\($0.id) \($0.generation)".utf8)).prefix(16)) } ?? [],
            rest: Array(SHA256.hash(data: told.json.encoded).prefix(16))
        )
    }

    /// Returns the time at which its gateway was connected last, as the cloud is told of it: another one at most once an hour.
    ///
    /// - Parameter told: The time that the cloud has been told.
    func connectedAt(after told: Int?) -> Int? {
        guard let time = pairing.lastConnected.map(CloudTime.bounded) else { return told }
        return told.map { time - $0 < 3_600_000 ? $0 : time } ?? time
    }

    /// Returns its row.
    ///
    /// - Parameters:
    ///   - secrets: The secrets of the pairing. Those that are bound to this device are left out: the row says that there is
    ///     such a pairing, and no more.
    ///   - connectedAt: The time at which its gateway was connected last, as the cloud has been told.
    func row(
        _ version: CloudVersion,
        _ secrets: [CredentialID: Secret],
        connectedAt: Int? = nil,
        for owner: CloudOwner,
        sealedWith vault: VaultKey
    ) throws -> CloudRow {
        var row = CloudRow(key: key, device: version.device, pairedAt: version.pairedAt)
        if !owner.sealsNames { row.show(pairing.bots.first, of: pairing) }
        row.lastConnected = self.connectedAt(after: connectedAt).map { $0 * 1_000 }
        row.sealed = try vault.seal(CarriedPairing(pairing, secrets: secrets).forAnotherDevice, for: row)
        return row
    }
}

extension StoredPairing {
    /// Returns its parts, one for each of its bots; none for a gateway that nothing identifies, which is one without TLS that
    /// tells no fingerprint.
    package func cloudParts(for owner: CloudOwner, sealedWith vault: VaultKey) -> [CloudPart] {
        guard let gateway = cloudKey else { return [] }
        let ids: [BotID?] = bots.isEmpty ? [nil] : bots.map(\.id)
        return ids.map { id in
            let name = id.map { CloudRow.column($0.bytes) } ?? ""
            let key = CloudRow.Key(
                user: owner.user,
                bot: owner.sealsNames ? vault.blinded([gateway, name]) : name,
                gateway: owner.sealsNames ? vault.blinded([gateway]) : gateway
            )
            return CloudPart(key: key, pairing: part(id))
        }
    }

    /// Returns the part for one bot, with the newest credential that opens it.
    private func part(_ bot: BotID?) -> StoredPairing {
        var pairing = self
        pairing.bots = bots.filter { $0.id == bot }
        let opening = credentials.filter { $0.bots.isEmpty || bot.map($0.bots.contains) ?? true }
        pairing.credentials = opening.max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { [$0] } ?? []
        for index in pairing.credentials.indices where !pairing.credentials[index].bots.isEmpty {
            pairing.credentials[index].bots = bot.map { [$0] } ?? pairing.credentials[index].bots
        }
        return pairing
    }
}

extension CloudRow {
    fileprivate mutating func show(_ bot: StoredBot?, of pairing: StoredPairing) {
        (botName, botEmoji, remoteURL) = (bot?.name ?? pairing.name, bot?.emoji, pairing.remoteURL)
        let url = pairing.remoteURL.flatMap { GatewayURL($0) }
        let place = pairing.endpoints.first
        host = place?.serverName?.description ?? place?.address.description ?? url?.host
        port = place?.port ?? url?.port
    }

    /// The prefixes of what no gateway told. A text of a gateway that begins with one of them is written in hexadecimal, so
    /// that none can take the row of another.
    private static let prefixes = ["leaf:", "host:", "hex:", VaultKey.blindPrefix, wrappedKeyPrefix]

    /// Returns what a gateway told as the text of a column: exactly, unless PostgreSQL would refuse it.
    static func column(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0),
            !prefixes.contains(where: text.hasPrefix)
        else { return "hex:\(bytes.hexadecimal)" }
        return text
    }
}

extension StoredPairing {
    /// The gateway in the cloud's table: by the fingerprint that it told, else by what proves it; `nil` where nothing does.
    package var cloudKey: String? {
        if let fingerprint { return CloudRow.column(fingerprint.bytes) }
        switch trust {
        case .pinned(let leaf): return "leaf:\(leaf)"
        case .certified(let host): return "host:\(host.lowercased())"
        case .sameAddress, .lan, .tailnet, .tunnel: return nil
        }
    }
}
