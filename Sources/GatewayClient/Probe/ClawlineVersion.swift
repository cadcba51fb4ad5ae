package import DNSSD
package import GatewayProtocol

/// The question over HTTP which version of its protocol a Clawline provider speaks, before anything is sent to it in that.
package enum ClawlineVersion {
    /// Asks a provider, and throws if it speaks another version. One that names none is taken for one that speaks ours.
    ///
    /// - Throws: ``/GatewayProtocol/SessionRefusal`` `protocolMismatch`; ``GatewayConnectionError``.
    package static func check(
        at endpoints: [Endpoint],
        transport: GatewayTransport,
        limits: ConnectionLimits = ConnectionLimits()
    ) async throws {
        if let version = try await reply(at: endpoints, transport: transport, limits: limits).version {
            try check(version)
        }
    }

    /// Throws a refusal if a version is another one than ours.
    package static func check(_ version: Int) throws(SessionRefusal) {
        guard version != ClawlineMessage.protocolVersion else { return }
        throw SessionRefusal(
            dialect: .clawline,
            reason: .protocolMismatch,
            credential: .none,
            expectedProtocol: version
        )
    }

    /// Asks for the version.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints, of which the first one that answers is asked.
    ///   - transport: With TLS or without; without the right certificate, nothing is sent.
    ///   - limits: The limits of the exchange.
    /// - Returns: The path, and the version; `nil` if the answer is none of a provider.
    /// - Throws: ``GatewayConnectionError``.
    package static func reply(
        at endpoints: [Endpoint],
        transport: GatewayTransport,
        limits: ConnectionLimits
    ) async throws -> (path: GatewayProbePath, version: Int?) {
        try await Dialer.run(limits: limits) { dialer in
            let connection = try await HTTPConnection.open(endpoints, transport: transport, dialer: dialer)
            let answer = try await connection.get(GatewayPages(connection.path.endpoint).version)
            guard answer.status == 200, answer.isWhole, case .clawline(let version) = HealthReply(parsing: answer.body)
            else { return (answer.path, nil) }
            return (answer.path, version)
        }
    }
}
