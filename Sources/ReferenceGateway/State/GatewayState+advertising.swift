internal import Advertising
package import DNSSD
package import GatewayProtocol

extension GatewayState {
    /// The TXT record that gateways of a dialect publish; what it says is true.
    ///
    /// That others can reach it is not said, since nobody has looked.
    ///
    /// - Throws: ``DNSSDError`` when the name does not fit.
    package func txtRecord(for dialect: GatewayDialect, port: UInt16) throws(DNSSDError) -> TXTRecord {
        let facts = GatewayFacts(dialect: dialect, fingerprint: fingerprint, name: name, bots: bots.count)
        return try facts.txtRecord(name: facts.name ?? name, port: port, isDirectlyReachable: false)
    }
}
