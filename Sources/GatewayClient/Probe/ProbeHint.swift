package import GatewayProtocol

/// A candidate's hint about what its endpoint is: adds steps to a probe and orders them, but never removes one.
///
/// Anybody on the network can advertise a service that leads to somebody else's endpoint, so a hint may be forged.
package struct ProbeHint: Hashable, Sendable {
    /// The dialect that the endpoint is likely to speak, by its service type or its port; `nil` when anything is
    /// possible.
    package var expected: GatewayDialect?

    /// The transports to try, and which first.
    package var transports: ProbeTransports

    /// Indicates whether a place alone is the hint, at whose port a gateway of any dialect may listen: the questions for
    /// the others come after those of all hints.
    package var isOfPlace: Bool

    /// Creates a hint; by default one that leaves everything possible.
    ///
    /// - Parameters:
    ///   - expected: See ``GatewayProbeTarget/expected(of:)``.
    ///   - transports: `tlsFirst` when the TXT record hints at TLS.
    ///   - isOfPlace: `true` for what is expected by ``GatewayProbeTarget/expected(ofPort:)``.
    package init(
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        isOfPlace: Bool = false
    ) {
        self.expected = expected
        self.transports = transports
        // Otherwise it would differ from a hint that says the same, and what is there would be asked again.
        self.isOfPlace = isOfPlace && expected != nil
    }
}
