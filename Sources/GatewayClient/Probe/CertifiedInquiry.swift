package import DNSSD
package import GatewayProtocol

/// The question over HTTP what a host is that has proved its name by a certificate which this system trusts.
package enum CertifiedInquiry {
    /// Asks for the version of a Clawline provider.
    ///
    /// - Parameters:
    ///   - host: The name of the host.
    ///   - endpoints: Its endpoints, of which the first one that answers is asked.
    ///   - limits: The limits of the exchange.
    /// - Returns: The path, and the answer; `nil` if that is none of a gateway.
    /// - Throws: ``GatewayConnectionError``. Without such a certificate, nothing is sent.
    package static func version(
        of host: String,
        at endpoints: [Endpoint],
        limits: ConnectionLimits
    ) async throws -> (path: GatewayProbePath, reply: HealthReply?) {
        try await Dialer.run(limits: limits) { dialer in
            let transport = GatewayTransport.certified(host: host)
            let connection = try await HTTPConnection.open(endpoints, transport: transport, dialer: dialer)
            let answer = try await connection.get(GatewayPages(connection.path.endpoint).version)
            return (answer.path, answer.status == 200 && answer.isWhole ? HealthReply(parsing: answer.body) : nil)
        }
    }
}
