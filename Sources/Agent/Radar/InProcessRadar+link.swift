internal import GatewayProtocol
package import Pairing
package import Reports

/// Links to paired gateways, for other devices.
extension InProcessRadar {
    /// The time that a gateway has to make a code.
    private static let codeTimeout = Duration.seconds(10)

    /// Returns the link to a gateway: where this device is its owner, and a session with it is kept, with a setup code that
    /// works once and opens limited rights; else, or if the gateway makes none, without any secret.
    package func link(to id: PairingID) async throws(RadarError) -> LinkReport {
        let pairing = try await pairing(id)
        do throws(OutwardLink.Problem) {
            // Before a code is made, which would be in vain.
            let open = try OutwardLink(pairing)
            let code = await code(of: pairing, url: open.text)
            return LinkReport(pairing, try OutwardLink(pairing, code: code?.text), code)
        } catch {
            throw RadarError(.inapplicable, "no link to \(pairing.label): \(error)")
        }
    }

    private func code(of pairing: StoredPairing, url: String) async -> LinkReport.Code? {
        guard pairing.isOwned,
            let made = try? await setupCode(.limited, of: pairing, url: url, within: Self.codeTimeout)
        else { return nil }
        let end = Timestamp(milliseconds: made.end(madeAt: Timestamp.now.milliseconds))
        return LinkReport.Code(pairing.naming(made.code.text), until: end, access: made.access)
    }

    /// Asks a gateway at which this device is an owner for a setup code.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    ///   - limit: The time that the gateway has to make it.
    package func setupCode(
        _ wanted: MadeSetupCode.Access,
        of pairing: StoredPairing,
        url: String,
        within limit: Duration
    ) async throws -> MadeSetupCode {
        let params = MadeSetupCode.params(wanted, url: url)
        let answer = try await desk(within: limit).call(MadeSetupCode.method, params, at: pairing)
        return try MadeSetupCode(try answer.outcome.mapError { CallProblem(refusal: $0) }.get(), wanted: wanted)
    }
}
