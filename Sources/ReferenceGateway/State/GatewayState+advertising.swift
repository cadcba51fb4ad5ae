internal import Advertising
package import DNSSD
package import GatewayProtocol

extension GatewayState {
    /// Returns the TXT record that a gateway of a dialect publishes, with the facts about this one.
    ///
    /// It does not claim that other hosts can reach the gateway, since that has not been checked.
    ///
    /// - Parameters:
    ///   - dialect: The dialect that it speaks.
    ///   - port: The port at which it listens.
    ///   - leaf: The certificate that it presents; `nil` without TLS.
    /// - Throws: ``/DNSSD/DNSSDError`` when the name does not fit.
    package func txtRecord(
        for dialect: GatewayDialect,
        port: UInt16,
        leaf: LeafFingerprint? = nil
    ) throws(DNSSDError) -> TXTRecord {
        let facts = AdvertisedFacts(
            dialect: dialect,
            fingerprint: fingerprint,
            name: name,
            bots: bots.count,
            leaf: leaf
        )
        var record = try facts.txtRecord(name: facts.name ?? name, port: port, isDirectlyReachable: false)
        // The gateway's fingerprint is this hash already, unless a label was chosen instead.
        if dialect == .optaplus { record.removeValue(forKey: "gatewayTlsSha256") }
        return record
    }
}
