internal import Agent
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

extension ApprovalDesk {
    /// Runs a closure with the sessions of the gateways at which this device is an admin.
    ///
    /// - Parameters:
    ///   - name: The only gateway that is meant; `nil` for all.
    ///   - timeout: The time that they have to answer.
    ///   - common: The options of the command.
    static func run<Value: Sendable>(
        _ name: PairedName?,
        within timeout: TimeLimit,
        _ common: CommonOptions,
        _ body: @escaping @Sendable (ApprovalDesk, Connections) async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + timeout.duration
        let store = try StoreAccess.openExisting()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store?.pairings() ?? [] }
        var admins = try admins(name, among: pairings)
        guard let store else { throw noAdmin }
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        // Whoever is named is asked in any case: only the provider knows for sure.
        if name == nil { admins.removeAll { $0.pairing.dialect == .clawline && !mayBeAdmin($0, store) } }
        guard !admins.isEmpty else { throw noAdmin }
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: admins.flatMap(\.pairing.manualGateways)),
            logger: common.logger
        )
        var desk = ApprovalDesk(
            store: store,
            admins: admins,
            constellation: scanner.constellation,
            logger: common.logger,
            limit: timeout.duration,
            end: end
        )
        if admins.contains(where: { $0.pairing.dialect == .clawline }) {
            desk.agent = AgentSessions.ask(within: desk.left / 2)
        }
        return try await desk.run(scanner) { [desk] in try await body(desk, $0) }
    }

    /// Indicates whether this device is an admin of a Clawline provider by its own token.
    static func isAdmin(_ admin: AdminPairing, _ store: PairingStore) -> Bool { claims(admin, store)?.isAdmin == true }

    /// Indicates whether this device may be an admin of a Clawline provider: its token says so, or leaves it to the session.
    private static func mayBeAdmin(_ admin: AdminPairing, _ store: PairingStore) -> Bool {
        claims(admin, store).map { $0.isAdmin ?? true } == true
    }

    private static func claims(_ admin: AdminPairing, _ store: PairingStore) -> ClawlineClaims? {
        let secret = try? store.liveSecret(of: admin.credential.id, in: admin.pairing.id).secret
        return secret.flatMap(ClawlineClaims.init)
    }

    /// Returns the gateways at which this device is an admin, or the one that is meant.
    static func admins(
        _ name: PairedName?,
        among pairings: [StoredPairing]
    ) throws(CommandFailure) -> [AdminPairing] {
        guard let name else {
            let admins = pairings.compactMap(AdminPairing.init)
            guard !admins.isEmpty else { throw noAdmin }
            return admins
        }
        let pairing = try name.pairing(among: pairings)
        guard let admin = AdminPairing(pairing) else {
            let advice =
                pairing.dialect == .openClaw
                ? "`clawradar pair \(pairing.shortID) --as-admin` asks for that."
                : "Only OpenClaw gateways and Clawline providers have such devices."
            throw CommandFailure(.nothingFound, "this device is no admin at \(pairing.label). \(advice)")
        }
        return [admin]
    }

    private static let noAdmin = CommandFailure(
        .nothingFound,
        "this device is an admin at no gateway. `clawradar pair NAME --as-admin` asks an OpenClaw gateway for that. A "
            + "Clawline provider makes the first device an admin that it pairs."
    )
}
