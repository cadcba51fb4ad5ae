internal import DNSSD
package import GatewayProtocol

/// The pairings that an older configuration of bots becomes, one for each gateway. A value, which does no I/O.
///
/// Bots at one address become one pairing, but for those that are not connected by themselves. The identifiers are derived
/// from address and bot, so that whoever imports the same file again adds nothing.
///
/// A host name behind `wss://` proves itself by its certificate, and needs no question. Anything else awaits trust.
package struct BotMigration: Sendable {
    /// A pairing to be stored, with the secrets of its credentials.
    package struct Part: Sendable {
        /// The pairing.
        package var pairing: StoredPairing

        /// The secret of each credential.
        package var secrets: [CredentialID: Secret]

        /// The line of the file on which the bot of each credential begins.
        package var lines: [CredentialID: Int]
    }

    /// The new pairings, and the new parts of known ones.
    package private(set) var parts: [Part] = []

    /// The credentials of all bots of the file, new or not.
    package private(set) var credentials: Set<CredentialID> = []

    /// The number of bots that were imported before.
    package private(set) var knownBots = 0

    /// The number of bots that are new.
    package var newBots: Int { parts.reduce(0) { $0 + $1.pairing.bots.count } }

    /// Plans the import.
    ///
    /// - Parameters:
    ///   - bots: The bots of the file.
    ///   - known: The credentials in the store, those in the bin included: what was unpaired stays so.
    ///   - binned: The pairings in the bin. A new bot of their gateways becomes part of another pairing.
    ///   - time: The time, in milliseconds since 1970.
    package init(_ bots: [OlderBot], known: Set<CredentialID>, binned: Set<PairingID>, at time: Int) {
        var places: [PairingID: Int] = [:]
        for bot in bots {
            let url = "\(bot.url)"
            let credential = CredentialID(derivedFrom: ["clawradar migrate 1", url, bot.id.text])
            credentials.insert(credential)
            guard !known.contains(credential) else {
                knownBots += 1
                continue
            }
            let id = Self.id(at: url, isEnabled: bot.isEnabled, besides: binned)
            let index = places[id] ?? parts.count
            if index == parts.count {
                places[id] = index
                parts.append(Part(pairing: Self.pairing(id, bot, at: time), secrets: [:], lines: [:]))
            } else {
                // A pairing with several bots has the name of their host.
                parts[index].pairing.name = bot.url.host
            }
            parts[index].pairing.bots.append(StoredBot(id: bot.id, name: bot.name, accentColor: bot.accentColor))
            parts[index].pairing.credentials.append(
                StoredCredential(id: credential, bots: [bot.id], createdAt: time, deviceID: "")
            )
            parts[index].secrets[credential] = bot.token
            parts[index].lines[credential] = bot.line
        }
    }

    /// Returns the identifier of the pairing at an address: always the same, unless that is in the bin.
    private static func id(at url: String, isEnabled: Bool, besides binned: Set<PairingID>) -> PairingID {
        var texts = ["clawradar migrate 1", url, isEnabled ? "" : "disabled"]
        var id = PairingID(derivedFrom: texts)
        while binned.contains(id) {
            texts.append("again")
            id = PairingID(derivedFrom: texts)
        }
        return id
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
    /// - Returns: The bots that could not be stored, with the reasons. The others are.
    /// - Throws: An error that concerns all of the store, such as a full disk. What was stored before it stays.
    package func insert(_ migration: BotMigration) throws(StoreError) -> [OlderBotList.Refused] {
        let device = device
        var leftOut: [OlderBotList.Refused] = []
        for part in migration.parts {
            var pairing = part.pairing
            let place = Endpoint(address: .v4(IPv4Address(bits: 0)), port: 1, resource: pairing.remoteURL ?? "/")
            let deviceID = try device.id(at: pairing.trust, fingerprint: nil, endpoint: place)
            for index in pairing.credentials.indices { pairing.credentials[index].deviceID = deviceID }
            do throws(StoreError) {
                try insert(pairing, secrets: part.secrets)
            } catch {
                if error.code == .exists {
                    leftOut += try add(pairing, of: part)
                } else {
                    leftOut += try part.leftOut(pairing.credentials, error)
                }
            }
        }
        return leftOut
    }

    /// Adds bots to the pairing that their gateway has.
    private func add(
        _ pairing: StoredPairing,
        of part: BotMigration.Part
    ) throws(StoreError) -> [OlderBotList.Refused] {
        let present: StoredPairing?
        do throws(StoreError) {
            present = try self.pairing(pairing.id)
        } catch {
            return try part.leftOut(pairing.credentials, error)
        }
        let known = Dictionary((present?.bots ?? []).map { ($0.id, $0) }) { first, _ in first }
        var leftOut: [OlderBotList.Refused] = []
        for var credential in pairing.credentials {
            guard let secret = part.secrets[credential.id] else { continue }
            // Once the gateway is trusted, it knows this device by another identifier than while trust was awaited.
            if let deviceID = present?.credentials.first?.deviceID { credential.deviceID = deviceID }
            // The gateway's own name of a bot counts more than that of the file.
            let bots = pairing.bots.filter { credential.bots.contains($0.id) }.map { known[$0.id] ?? $0 }
            do throws(StoreError) {
                try insert(credential, secret: secret, bots: bots, into: pairing.id)
            } catch {
                leftOut += try part.leftOut([credential], error)
            }
        }
        return leftOut
    }
}

extension BotMigration.Part {
    /// Returns the bots of credentials that an error keeps from being stored; throws it if others cannot be stored
    /// either.
    fileprivate func leftOut(
        _ credentials: [StoredCredential],
        _ error: StoreError
    ) throws(StoreError) -> [OlderBotList.Refused] {
        guard [ErrorCode<StoreError>.exists, .notFound, .invalid, .unreadable].contains(error.code) else { throw error }
        let reason = "it cannot be stored: expected \(error.expected), found: \(error.found)"
        return credentials.map { OlderBotList.Refused(line: lines[$0.id] ?? 0, reason: reason) }
    }
}
