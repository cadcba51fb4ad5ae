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
}

extension CloudRow {
    /// Returns the rows of a pairing, one for each of its bots; none for a gateway that nothing identifies, which is one
    /// without TLS that tells no fingerprint.
    ///
    /// Tokens that are bound to this device are left out: the row says that there is such a pairing, and no more.
    package static func rows(
        of carried: CarriedPairing,
        for owner: CloudOwner,
        sealedWith vault: VaultKey
    ) throws -> [CloudRow] {
        guard let gateway = carried.pairing.cloudKey else { return [] }
        let whole = carried.forAnotherDevice
        let bots: [StoredBot?] = carried.pairing.bots.isEmpty ? [nil] : carried.pairing.bots
        return try bots.map { bot in
            let part = whole.part(bot?.id)
            let name = bot.map { column($0.id.bytes) } ?? ""
            var row = CloudRow(
                key: Key(
                    user: owner.user,
                    bot: owner.sealsNames ? vault.blinded([gateway, name]) : name,
                    gateway: owner.sealsNames ? vault.blinded([gateway]) : gateway
                ),
                device: owner.device,
                // The token that stays here counts as well: who pairs again later wins.
                pairedAt: max(part.newest, carried.part(bot?.id).newest) * 1_000
            )
            if !owner.sealsNames { row.show(bot, of: carried.pairing) }
            row.lastConnected = carried.pairing.lastConnected.map { $0 * 1_000 }
            row.sealed = try vault.seal(part, for: row)
            return row
        }
    }

    private mutating func show(_ bot: StoredBot?, of pairing: StoredPairing) {
        (botName, botEmoji, remoteURL) = (bot?.name ?? pairing.name, bot?.emoji, pairing.remoteURL)
        let url = pairing.remoteURL.flatMap { GatewayURL($0) }
        let place = pairing.endpoints.first
        host = place?.serverName?.description ?? place?.address.description ?? url?.host
        port = place?.port ?? url?.port
    }

    /// The prefixes of what no gateway told. A text of a gateway that begins with one of them is written in hexadecimal, so
    /// that none can take the row of another.
    private static let prefixes = ["leaf:", "host:", "hex:", "sealed:", "vault:"]

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

extension CarriedPairing {
    /// Returns the part for one bot, with the newest credential that opens it.
    fileprivate func part(_ bot: BotID?) -> CarriedPairing {
        var pairing = pairing
        pairing.bots = pairing.bots.filter { $0.id == bot }
        let opening = pairing.credentials.filter { $0.bots.isEmpty || bot.map($0.bots.contains) ?? true }
        pairing.credentials = opening.max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { [$0] } ?? []
        for index in pairing.credentials.indices where !pairing.credentials[index].bots.isEmpty {
            pairing.credentials[index].bots = bot.map { [$0] } ?? pairing.credentials[index].bots
        }
        return CarriedPairing(pairing, secrets: secrets)
    }
}
