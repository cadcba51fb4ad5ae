internal import DNSSD
package import GatewayProtocol
package import Scanning

extension StoredPairing {
    /// Returns the change of transport that the row of its gateway shows: at a place of the pairing, it answers with TLS where
    /// it was paired without, or the other way round, and nowhere as it was. Nothing is sent there.
    ///
    /// - Parameter row: The row of its gateway.
    package func changeOfTransport(in row: Gateway) -> MoveReason? {
        let answers = row.paths.filter { $0.isAnswer && !$0.contradicts }
        return terms.changeOfTransport(
            answers.compactMap { path in path.outcome?.identity.map { (path.endpoint, $0) } }
        )
    }
}
