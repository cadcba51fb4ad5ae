internal import DNSSD
public import GatewayProtocol
public import PairingStore

/// What an older configuration of bots becomes: pairings, one for each gateway. A value, which does no I/O.
///
/// Bots at one address become one pairing, but for those that are not connected by themselves. The identifiers are derived
/// from address and bot, so that whoever imports the same file again adds nothing.
///
/// A host name behind `wss://` proves itself by its certificate, and needs no question. Anything else awaits trust.
public struct BotMigration: Sendable {
    /// A pairing to be stored, with the secrets of its credentials.
    public struct Part: Sendable {
        /// The pairing.
        public var pairing: StoredPairing

        /// The secret of each credential.
        public var secrets: [CredentialID: Secret]
    }

    /// The new pairings, and the new parts of known ones.
    public private(set) var parts: [Part] = []

    /// The credentials of all bots of the file, new or not.
    public private(set) var credentials: Set<CredentialID> = []

    /// The number of bots that were imported before.
    public private(set) var knownBots = 0

    /// The number of bots that are new.
    public var newBots: Int { parts.reduce(0) { $0 + $1.pairing.bots.count } }

    /// Plans the import.
    ///
    /// - Parameters:
    ///   - bots: The bots of the file.
    ///   - known: The credentials in the store, those in the bin included: what was unpaired stays so.
    ///   - time: The time, in milliseconds since 1970.
    public init(_ bots: [OlderBot], known: Set<CredentialID>, at time: Int) {
        var places: [PairingID: Int] = [:]
        for bot in bots {
            let url = "\(bot.url)"
            let credential = CredentialID(derivedFrom: ["clawradar migrate 1", url, bot.id.text])
            credentials.insert(credential)
            guard !known.contains(credential) else {
                knownBots += 1
                continue
            }
            let id = PairingID(derivedFrom: ["clawradar migrate 1", url, bot.isEnabled ? "" : "disabled"])
            let index = places[id] ?? parts.count
            if index == parts.count {
                places[id] = index
                parts.append(Part(pairing: Self.pairing(id, bot, at: time), secrets: [:]))
            } else {
                // One name for several bots: that of their host.
                parts[index].pairing.name = bot.url.host
            }
            parts[index].pairing.bots.append(StoredBot(id: bot.id, name: bot.name))
            parts[index].pairing.credentials.append(
                StoredCredential(id: credential, bots: [bot.id], createdAt: time, deviceID: "")
            )
            parts[index].secrets[credential] = bot.token
        }
    }

    private static func pairing(_ id: PairingID, _ bot: OlderBot, at time: Int) -> StoredPairing {
        StoredPairing(
            id: id,
            // No row of the map has it: the map knows of the pairing once there is trust, or a session.
            gatewayID: "migrated:\(id)",
            name: bot.name,
            dialect: .optaplus,
            trust: bot.certifiedHost.map { .certified(host: $0) } ?? .awaited,
            endpoints: [],
            resource: bot.url.resource,
            remoteURL: "\(bot.url)",
            connectsAutomatically: bot.isEnabled,
            pairedAt: time
        )
    }
}

extension PairingStore {
    /// Stores the new parts of a migration. A bot whose pairing is there already is added to that.
    ///
    /// - Returns: The number of pairings that were added or changed.
    public func insert(_ migration: BotMigration) throws(StoreError) -> Int {
        let device = device
        for part in migration.parts {
            var pairing = part.pairing
            let place = Endpoint(address: .v4(IPv4Address(bits: 0)), port: 1, resource: pairing.remoteURL ?? "/")
            let deviceID = try device.id(at: pairing.trust, fingerprint: nil, endpoint: place)
            for index in pairing.credentials.indices { pairing.credentials[index].deviceID = deviceID }
            do throws(StoreError) {
                try insert(pairing, secrets: part.secrets)
            } catch {
                guard error.code == .exists else { throw error }
                try add(pairing, part.secrets)
            }
        }
        return migration.parts.count
    }

    private func add(_ pairing: StoredPairing, _ secrets: [CredentialID: Secret]) throws(StoreError) {
        for credential in pairing.credentials {
            guard let secret = secrets[credential.id] else { continue }
            let bots = pairing.bots.filter { credential.bots.contains($0.id) }
            try insert(credential, secret: secret, bots: bots, into: pairing.id)
        }
    }
}
