internal import DNSSD
package import GatewayProtocol
package import Pairing
package import Reports

/// The devices that wait for an approval, and decisions about them.
extension InProcessRadar {
    package func approvals(at id: PairingID?, within limit: Duration) async throws(RadarError) -> ApprovalsReport {
        let admins = try await admins(at: id)
        let answers = try await desk(within: limit).answers(of: admins)
        return ApprovalsReport(
            answers.map { answer in
                ApprovalsReport.Answer(
                    pairing: answer.pairing.id,
                    requests: answer.requests.map { DeviceRequestReport($0, at: answer.pairing) },
                    leftOut: (try? answer.outcome.get())?.leftOut ?? 0,
                    trouble: answer.trouble
                )
            }
        )
    }

    package func decide(
        _ name: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        at id: PairingID?,
        within limit: Duration
    ) async throws(RadarError) -> DecisionReport {
        let admins = try await admins(at: id)
        let desk = try desk(within: limit)
        let choosers = admins.count { !RequestName.mayBeCut(in: $0.dialect) }
        let answers = await desk.answers(of: admins, naming: name) { answers in
            // Where devices choose their identifiers, another gateway can have one that waits under the same.
            answers.contains { !name.matches($0).isEmpty }
                && answers.count { !RequestName.mayBeCut(in: $0.pairing.dialect) } == choosers
        }
        let (pairing, request) = try Self.request(name, among: answers)
        do throws(DecisionProblem) {
            let made = try await desk.decide(decision, about: request, to: account, at: pairing)
            return DecisionReport(decision, DeviceRequestReport(made.request, at: pairing), account: made.account)
        } catch {
            throw RadarError(error, decision, about: request, at: pairing)
        }
    }

    /// Returns questions over the sessions that are kept.
    func desk(within limit: Duration) throws(RadarError) -> GatewayDesk {
        guard let sessions = sessions() else { throw .noSessions }
        return GatewayDesk(sessions, within: limit)
    }

    // MARK: The gateways that are asked

    /// Returns the gateways at which this device is an admin, or the one that is meant.
    ///
    /// At a Clawline provider, only the provider knows: it tells admins which devices wait, and nobody else.
    package func admins(at id: PairingID?) async throws(RadarError) -> [StoredPairing] {
        let admins = try await read { store throws(StoreError) in
            let all = try store.pairings().filter { (id == nil || $0.id == id) && $0.adminCredential != nil }
            if !all.isEmpty, let problem = store.keyProblem { throw problem }
            // Whoever is named is asked in any case: only the provider knows for sure.
            return all.filter { id != nil || $0.dialect != .clawline || Self.mayBeAdmin($0, store) }
        }
        guard admins.isEmpty else { return admins }
        guard let id else { throw .noAdmin }
        let pairing = try await pairing(id)
        let advice =
            pairing.dialect == .openClaw
            ? "`clawradar pair \(pairing.shortID) --as-admin` asks for that."
            : "Only OpenClaw gateways and Clawline providers have such devices."
        throw RadarError(.conflict, "this device is no admin at \(pairing.label). \(advice)")
    }

    /// Indicates whether this device may be an admin of a Clawline provider: its token says so, or leaves it to the session.
    private static func mayBeAdmin(_ pairing: StoredPairing, _ store: PairingStore) -> Bool {
        let secret = pairing.adminCredential.flatMap { try? store.liveSecret(of: $0.id, in: pairing.id).secret }
        return secret.flatMap(ClawlineClaims.init).map { $0.isAdmin ?? true } == true
    }

    /// Returns the only request that is meant by an identifier.
    static func request(
        _ name: RequestName,
        among answers: [DeskAnswer]
    ) throws(RadarError) -> (StoredPairing, DeviceRequest) {
        let found = answers.flatMap { answer in name.matches(answer).map { (answer.pairing, $0) } }
        guard let first = found.first else {
            let reason =
                answers.allSatisfy { name.beginnings($0.requests).isEmpty }
                ? "no device waits as \(name.text). `clawradar approvals` shows those that do."
                : "expected the whole identifier of a request, found \(name.text): at a Clawline provider devices choose "
                    + "theirs, and another one can begin alike. `clawradar approvals` shows the whole."
            throw RadarError(.notFound, reason + answers.compactMap { $0.trouble.map { " \($0)." } }.joined())
        }
        guard found.count == 1 else {
            let list = found.prefix(8).map { "\($0.1.id) at \($0.0.label)" }.joined(separator: ", ")
            throw RadarError(.inapplicable, "\(name.text) can be \(list). Give more of it, or --gateway.")
        }
        return first
    }
}

extension RadarError {
    fileprivate static let noAdmin = RadarError(
        .notFound,
        "this device is an admin at no gateway. `clawradar pair NAME --as-admin` asks an OpenClaw gateway for that. A "
            + "Clawline provider makes the first device an admin that it pairs."
    )

    /// Makes the error of a decision that was not made.
    package init(
        _ problem: DecisionProblem,
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        at pairing: StoredPairing
    ) {
        let undecided = "not \(decision.rawValue) by \(pairing.label): \(problem)."
        switch problem.code {
        case .noAccounts:
            self.init(
                .inapplicable,
                "only the devices of a Clawline provider belong to accounts, and \(pairing.label) is none: leave --user out."
            )
        case .beyondOurScopes:
            let device = request.name.map { DisplayText($0, limit: 40).quoted } ?? "a device without a name"
            let lacking = pairing.scopesLacking(for: request).map(DeviceRequest.shown).joined(separator: ", ")
            self.init(
                .conflict,
                "not approved: \(device) needs the approval of a device with \(lacking) at \(pairing.label), which this device "
                    + "does not have. On its host: openclaw devices approve \(request.id)"
            )
        case .notWaiting: self.init(.notFound, undecided)
        case .contested: self.init(.conflict, undecided)
        case .notReached: self.init(.notReached, undecided)
        case .unknown:
            self.init(
                .unknown,
                "perhaps \(decision.rawValue) by \(pairing.label), which has not answered: \(problem). `clawradar approvals` "
                    + "shows whether the device waits still."
            )
        }
    }
}
