internal import Advertising
package import DNSSD
package import GatewayProtocol

extension GatewayState {
    /// The TXT record that gateways of a dialect publish; what it says is true.
    ///
    /// That others can reach it is not said, since nobody has looked.
    ///
    /// - Parameters:
    ///   - dialect: The dialect that it speaks.
    ///   - port: The port at which it listens.
    ///   - leaf: The certificate that it shows; `nil` without TLS.
    /// - Throws: ``DNSSDError`` when the name does not fit.
    package func txtRecord(
        for dialect: GatewayDialect,
        port: UInt16,
        leaf: LeafFingerprint? = nil
    ) throws(DNSSDError) -> TXTRecord {
        let facts = GatewayFacts(dialect: dialect, fingerprint: fingerprint, name: name, bots: bots.count, leaf: leaf)
        var record = try facts.txtRecord(name: facts.name ?? name, port: port, isDirectlyReachable: false)
        // The fingerprint says it already, unless a label was chosen for that.
        if dialect == .optaplus { record.removeValue(forKey: "gatewayTlsSha256") }
        return record
    }
}
