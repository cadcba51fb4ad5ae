package import DNSSD
internal import GatewayClient
public import GatewayProtocol
internal import Logging
public import Scanning

/// The result of unpairing. On this device, the pairing has ended in any case.
@nonexhaustive
public enum UnpairingResult: Hashable, Sendable {
    /// The gateway knows as well: its tokens are no longer valid.
    case withdrawn

    /// The gateway does not know yet, for this reason, which is a text for people. Call
    /// ``PairingCoordinator/withdraw(_:at:)`` when the gateway can be reached.
    case onlyHere(String)

    /// The gateway lets no device remove itself: this one keeps its access until the gateway's operator runs this
    /// command there.
    case removedByOperator(command: String)
}

/// Ending pairings, and restoring them.
extension PairingCoordinator {
    /// Ends a pairing: informs the gateway, if it can be reached and may be informed, and moves the pairing into the
    /// bin.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - bots: The bots that are given up; `nil` for all bots.
    ///   - rows: The rows of a scan, in which the gateway may be elsewhere than where it was last: it is informed where one
    ///     of them shows its pinned certificate.
    /// - Throws: `notStored`; `unknownBots` when none of the bots can be given
    ///   up alone.
    public func unpair(
        _ id: PairingID,
        bots: [BotID]? = nil,
        seenIn rows: [Gateway] = []
    ) async throws(PairingError) -> UnpairingResult {
        let bots = BotSelection(bots)
        let pairing = try await live(id, seenIn: rows)
        let given = pairing.bots.filter { bots.contains($0.id) }.map(\.id)
        let credentials = pairing.credentials.filter { credential in
            bots == .all || !credential.bots.isEmpty && credential.bots.allSatisfy(bots.contains)
        }
        let isWhole = credentials.count == pairing.credentials.count
        guard isWhole || !credentials.isEmpty else {
            let message = "expected bots of this pairing that can be given up alone, found none of them"
            throw PairingError(.unknownBots, message)
        }
        let selection = isWhole ? BotSelection.all : .some(given)
        // First here, where it is also what is still to be done there: if it cannot be written, the gateway is not told;
        // and if this process ends before the gateway has been told, the next one goes on.
        let time = configuration.now()
        let others = try await stored { store throws(StoreError) in
            let reason = BinReason.unpaired(withdrawnThere: false)
            let all = try store.pairings()
            if isWhole {
                try store.moveToBin(id, reason: reason, at: time)
            } else {
                try store.moveToBin(credentials.map(\.id), of: id, reason: reason, at: time)
            }
            return all
        }
        // Tokens that a later pairing has replaced are invalid already, and withdrawing them would end that pairing.
        let oldest = pairing.credentials.map(\.createdAt).min() ?? pairing.pairedAt
        let later = others.filter { $0.id != id }.flatMap { $0.credentials(reachedAs: pairing) }
            .filter { $0.createdAt > oldest }
        await end(isWhole ? pairing.bots.map(\.id) : given, of: pairing)
        if let selection = pairing.botsToWithdraw(selection, beside: later) {
            let result = await withdraw(selection, pairing, credentials)
            guard result == .withdrawn else { return result }
            await withdrawRest(of: pairing)
        }
        await noteWithdrawn(id, isWhole ? nil : Set(credentials.map(\.id)))
        return .withdrawn
    }

    /// Informs the gateway of a pairing, which was just reached, of what else was ended with it while it was away.
    private func withdrawRest(of pairing: StoredPairing) async {
        // A failure is ignored: it is tried again when the gateway is seen.
        for item in (try? await stored { store throws(StoreError) in try store.bin() }) ?? []
        where item.pairing.id != pairing.id && item.pairing.isSameGateway(as: pairing) {
            _ = try? await withdraw(item, at: pairing.endpoints)
        }
    }

    /// Records that the gateway knows of what was just moved into the bin.
    private func noteWithdrawn(_ id: PairingID, _ credentials: Set<CredentialID>?) async {
        do throws(PairingError) {
            try await stored { store throws(StoreError) in
                for item in try store.bin() where item.pairing.id == id {
                    let isMeant = item.pairing.credentials.contains { credentials?.contains($0.id) ?? item.isWhole }
                    if item.isWhole || isMeant { try store.noteWithdrawn(item) }
                }
            }
        } catch {
            // It is done on both sides. The gateway is told once more, and says that it knows no such pairing.
            logger?.warning("what the gateway has withdrawn could not be recorded: \(error)")
        }
    }

    /// Forgets a pairing without informing the gateway.
    ///
    /// - Throws: `notStored` alone.
    public func forget(_ id: PairingID) async throws(PairingError) {
        let pairing = try await live(id)
        let time = configuration.now()
        try await stored { store throws(StoreError) in try store.moveToBin(id, reason: .forgotten, at: time) }
        await end(pairing.bots.map(\.id), of: pairing)
    }

    /// Takes a pairing out of the bin.
    ///
    /// - Throws: `notStored` alone.
    public func restore(_ id: PairingID) async throws(PairingError) {
        try await stored { store throws(StoreError) in try store.restore(id) }
        let pairing = try await live(id)
        await report(pairing)
    }

    /// Informs a gateway of a pairing that was ended here while the gateway could not be reached.
    ///
    /// - Parameters:
    ///   - binned: The pairing, in the bin.
    ///   - shown: The endpoints that have shown the pinned certificate since, wherever they are. If there are any, no
    ///     others are tried.
    /// - Throws: `notStored` alone.
    package func withdraw(
        _ binned: BinnedPairing,
        at shown: [Endpoint] = []
    ) async throws(PairingError) -> UnpairingResult {
        // Read again, since it may have been restored or paired anew meanwhile.
        let (item, live) = try await stored { store throws(StoreError) in
            (try store.bin().first { $0.id == binned.id }, try store.pairings())
        }
        guard let item, item.reason == .unpaired(withdrawnThere: false) else { return .withdrawn }
        if let bots = item.botsToWithdraw(beside: live) {
            let result = await withdraw(bots, item.pairing, item.pairing.credentials, at: shown)
            guard result == .withdrawn else { return result }
        } else if item.botsToWithdraw(beside: live.filter { $0.isSameGateway(as: item.pairing) }) != nil {
            return .onlyHere("another gateway that is paired has its address now")
        }
        try await stored { store throws(StoreError) in try store.noteWithdrawn(item) }
        return .withdrawn
    }

    private func withdraw(
        _ bots: BotSelection,
        _ pairing: StoredPairing,
        _ credentials: [StoredCredential],
        at shown: [Endpoint] = []
    ) async -> UnpairingResult {
        if let command = pairing.removingCommand { return .removedByOperator(command: command) }
        guard !pairing.dialect.hasOneToken else {
            return .onlyHere("it knows no devices, and whoever has its token can use it until that is changed")
        }
        guard pairing.dialect.letsDevicesLeave else {
            let devices = Set(credentials.map(\.deviceID)).sorted().joined(separator: ", ")
            return .onlyHere("only its operator can remove this device there, which it knows as \(devices)")
        }
        guard let dialect = PairingDialects.all[pairing.dialect] else { return .onlyHere("it cannot be told") }
        let identity: DeviceIdentity
        do throws(StoreError) {
            identity = try await store.performToEnd { store throws(StoreError) in
                // The request names this device, which is for this gateway alone: a row that somebody has changed leads
                // it nowhere.
                for credential in credentials { _ = try store.secret(of: credential.id, in: pairing.id) }
                return store.device
            }
        } catch {
            return .onlyHere(error.description)
        }
        let transport: GatewayTransport =
            switch pairing.trust {
            case .pinned(let leaf): .tls(pin: leaf)
            case .certified(let host): .certified(host: host)
            case .sameAddress, .lan, .tailnet, .tunnel: .plain
            }
        var endpoints = pairing.endpoints
        // Only a pinned certificate proves the gateway at other endpoints.
        if case .pinned = pairing.trust, !shown.isEmpty { endpoints = shown }
        let connection = connection(
            endpoints,
            transport,
            pairing.trust,
            known: pairing.endpoints,
            fingerprint: pairing.fingerprintToTell
        )
        do {
            for id in Set(credentials.map(\.deviceID)).sorted() {
                try await dialect.unpair(bots, as: device(identity, knownAs: id), through: connection)
            }
            return .withdrawn
        } catch let refusal as SessionRefusal where refusal.endsCredential || refusal.reason == .revoked {
            // The gateway no longer knows this device.
            return .withdrawn
        } catch {
            return .onlyHere("\(error)")
        }
    }

    private func end(_ bots: [BotID], of pairing: StoredPairing) async {
        guard let constellation, let gateway = gatewayID(of: pairing) else { return }
        await constellation.apply(bots.map { .unpaired(BotKey(gateway: gateway, bot: $0)) })
    }

    private func live(_ id: PairingID) async throws(PairingError) -> StoredPairing {
        let found = try await stored { store throws(StoreError) in try store.pairing(id) }
        guard let found else { throw PairingError(.notStored, "expected a pairing, found none of this identifier") }
        return found
    }

    /// Returns a live pairing with the places at which rows show its pinned certificate, and stores these: if its gateway
    /// cannot be informed now, that is tried there again.
    private func live(_ id: PairingID, seenIn rows: [Gateway]) async throws(PairingError) -> StoredPairing {
        var pairing = try await live(id)
        let shown = rows.flatMap(pairing.placesOfItsCertificate(in:))
        guard !shown.isEmpty else { return pairing }
        pairing.note(shown)
        // A failure is ignored: the gateway is informed there all the same, and another scan can find the places again.
        try? await stored { store throws(StoreError) in try store.update(id) { $0.note(shown) } }
        return pairing
    }

    /// Calls the store on its own thread, and waits for the result whatever becomes of this task: what was granted or ended
    /// is stored, or it is known why not.
    func stored<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(PairingError) -> Value {
        do throws(StoreError) {
            return try await store.performToEnd(body)
        } catch {
            throw PairingError(.notStored, error.description, storeError: error)
        }
    }
}

extension StoredPairing {
    /// Takes on the places that show the pinned certificate now, before those at which it was shown before.
    fileprivate mutating func note(_ shown: [Endpoint]) {
        endpoints = Array((shown + endpoints.filter { !shown.contains($0) }).prefix(StoreLimits.endpoints))
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
