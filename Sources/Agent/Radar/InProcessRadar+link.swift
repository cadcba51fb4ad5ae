internal import GatewayProtocol
package import Pairing
package import Reports

/// Links to paired gateways, for other devices.
extension InProcessRadar {
    /// The time that a gateway has to make a code.
    private static let codeTimeout = Duration.seconds(10)

    package func link(to id: PairingID, opening access: MadeSetupCode.Access) async throws(RadarError) -> LinkReport {
        let pairing = try await pairing(id)
        // Before a code is made, which would be in vain.
        var open = try LinkReport.of(pairing) { () throws(OutwardLink.Problem) in try LinkReport(pairing) }
        guard pairing.isOwned else {
            guard access == .limited else { throw RadarError(withoutOwner: pairing) }
            return open
        }
        if let problem = openStore?.keyProblem { throw RadarError(problem) }
        let made: MadeSetupCode
        do {
            made = try await setupCode(access, of: pairing, url: open.link)
        } catch {
            guard access == .limited else { throw RadarError(.notReached, "no setup code: \(error).") }
            open.trouble = "\(error)"
            return open
        }
        let end = Timestamp(milliseconds: made.end(madeAt: Timestamp.now.milliseconds))
        return try LinkReport.of(pairing) { () throws(OutwardLink.Problem) in
            try LinkReport(pairing, code: made.code.text, until: end, access: made.access)
        }
    }

    /// Asks a gateway at which this device is an owner for a setup code.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    private func setupCode(
        _ wanted: MadeSetupCode.Access,
        of pairing: StoredPairing,
        url: String
    ) async throws -> MadeSetupCode {
        let params = MadeSetupCode.params(wanted, url: url)
        let answer = try await desk(within: Self.codeTimeout).call(MadeSetupCode.method, params, at: pairing)
        return try MadeSetupCode(try answer.outcome.mapError { CallProblem(refusal: $0) }.get(), wanted: wanted)
    }
}

extension LinkReport {
    /// Makes the link to the gateway of a pairing, if there is one.
    fileprivate static func of(
        _ pairing: StoredPairing,
        _ body: () throws(OutwardLink.Problem) -> LinkReport
    ) throws(RadarError) -> LinkReport {
        do throws(OutwardLink.Problem) {
            return try body()
        } catch {
            throw RadarError(.inapplicable, "no link to \(pairing.label): \(error)")
        }
    }
}

extension RadarError {
    /// Makes the error of a setup code with full rights of a gateway that makes none for this device.
    package init(withoutOwner pairing: StoredPairing) {
        self.init(
            .inapplicable,
            "full rights are for an OpenClaw gateway at which this device is an owner: `clawradar pair \(pairing.shortID) "
                + "--as-owner`."
        )
    }
}
