internal import Constellation
internal import DNSSD
internal import GatewayClient
public import GatewayProtocol
public import PairingStore

/// The result of unpairing, which is always done here.
public enum UnpairingResult: Hashable, Sendable {
    /// The gateway knows it too: its tokens open nothing any more.
    case withdrawn

    /// The gateway does not know it yet; for people, why. To be done with ``PairingCoordinator/withdraw(_:)`` when it is reached.
    case onlyHere(String)
}

/// Ending pairings, and taking them back.
extension PairingCoordinator {
    /// Unpairs: tells the gateway, where it can be reached and may be told, and moves the pairing into the bin.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - bots: The bots that are given up.
    /// - Throws: ``PairingError/Code/notStored`` alone.
    public func unpair(_ id: PairingID, bots: BotSelection = .all) async throws(PairingError) -> UnpairingResult {
        let pairing = try live(id)
        let given = pairing.bots.filter { bots.contains($0.id) }.map(\.id)
        let credentials = pairing.credentials.filter { credential in
            bots == .all || !credential.bots.isEmpty && credential.bots.allSatisfy(bots.contains)
        }
        let isWhole = credentials.count == pairing.credentials.count
        guard isWhole || !credentials.isEmpty else {
            let message = "expected bots of this pairing that can be given up alone, found none of them"
            throw PairingError(.unknownBots, message)
        }
        let result = await withdraw(isWhole ? .all : .some(given), pairing)
        let reason = BinReason.unpaired(withdrawnThere: result == .withdrawn)
        try stored { () throws(StoreError) in
            let time = configuration.now()
            if isWhole {
                try store.moveToBin(id, reason: reason, at: time)
            } else {
                for credential in credentials {
                    try store.moveToBin(credential.id, of: id, reason: reason, at: time)
                }
            }
        }
        await end(isWhole ? pairing.bots.map(\.id) : given, of: pairing)
        return result
    }

    /// Forgets a pairing without telling the gateway.
    ///
    /// - Throws: ``PairingError/Code/notStored`` alone.
    public func forget(_ id: PairingID) async throws(PairingError) {
        let pairing = try live(id)
        try stored { () throws(StoreError) in
            try store.moveToBin(id, reason: .forgotten, at: configuration.now())
        }
        await end(pairing.bots.map(\.id), of: pairing)
    }

    /// Takes a pairing out of the bin.
    ///
    /// - Throws: ``PairingError/Code/notStored`` alone.
    public func restore(_ id: PairingID) async throws(PairingError) {
        try stored { () throws(StoreError) in try store.restore(id) }
        let pairing = try live(id)
        guard let gateway = gatewayID(of: pairing) else { return }
        await constellation.apply(
            pairing.bots.map { bot in
                let key = BotKey(gateway: gateway, bot: bot.id)
                return .paired(PairedBot(id: key, name: bot.name, emoji: bot.emoji, gatewayName: pairing.name))
            }
        )
    }

    /// Tells a gateway of a pairing that was ended here while it could not be reached.
    ///
    /// - Throws: ``PairingError/Code/notStored`` alone.
    public func withdraw(_ binned: BinnedPairing) async throws(PairingError) -> UnpairingResult {
        guard binned.reason == .unpaired(withdrawnThere: false) else { return .withdrawn }
        let pairing = binned.pairing
        let given = pairing.credentials.flatMap(\.bots)
        let result = await withdraw(binned.isWhole || given.isEmpty ? .all : .some(given), pairing)
        guard result == .withdrawn else { return result }
        try stored { () throws(StoreError) in
            let reason = BinReason.unpaired(withdrawnThere: true)
            if binned.isWhole { return try store.moveToBin(pairing.id, reason: reason, at: binned.time) }
            for credential in pairing.credentials {
                try store.moveToBin(credential.id, of: pairing.id, reason: reason, at: binned.time)
            }
        }
        return result
    }

    private func withdraw(_ bots: BotSelection, _ pairing: StoredPairing) async -> UnpairingResult {
        guard let dialect = PairingDialects.all[pairing.dialect] else { return .onlyHere("it cannot be told") }
        let transport: GatewayTransport =
            switch pairing.trust {
            case .pinned(let leaf): .tls(pin: leaf)
            case .certified(let host): .certified(host: host)
            case .sameAddress, .lan: .plain
            }
        let door = door(pairing.endpoints, transport, pairing.resource, pairing.trust, known: pairing.endpoints)
        do {
            try await dialect.unpair(bots, as: device, through: door)
            return .withdrawn
        } catch let refusal as SessionRefusal where refusal.endsCredential || refusal.reason == .revoked {
            // It knows this device no more.
            return .withdrawn
        } catch {
            return .onlyHere("\(error)")
        }
    }

    private func end(_ bots: [BotID], of pairing: StoredPairing) async {
        guard let gateway = gatewayID(of: pairing) else { return }
        await constellation.apply(bots.map { .unpaired(BotKey(gateway: gateway, bot: $0)) })
    }

    private func live(_ id: PairingID) throws(PairingError) -> StoredPairing {
        let found = try stored { () throws(StoreError) in try store.pairing(id) }
        guard let found else { throw PairingError(.notStored, "expected a pairing, found none of this identifier") }
        return found
    }

    private func stored<Value>(_ body: () throws(StoreError) -> Value) throws(PairingError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw PairingError(.notStored, error.description, storeError: error)
        }
    }
}

extension BotSelection {
    /// Indicates whether a bot is one of the selection.
    func contains(_ bot: BotID) -> Bool {
        switch self {
        case .all: true
        case .some(let ids): ids.contains(bot)
        }
    }
}
