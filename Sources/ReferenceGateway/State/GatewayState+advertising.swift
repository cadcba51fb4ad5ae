package import DNSSD
package import GatewayProtocol

extension GatewayState {
    /// The TXT record that gateways of a dialect publish; what it says is true.
    ///
    /// - Throws: ``DNSSDError`` when the name does not fit.
    package func txtRecord(for dialect: GatewayDialect, port: UInt16) throws(DNSSDError) -> TXTRecord {
        var record = TXTRecord()
        switch dialect {
        case .design:
            return try GatewayAdvertisement.txtRecord(
                fingerprint: fingerprint,
                name: name,
                bots: bots.count,
                version: Self.protocolVersion
            )
        case .openClaw:
            try record.set("gateway", forKey: "role")
            try record.set("gateway", forKey: "transport")
            try record.set("\(port)", forKey: "gatewayPort")
            try record.set(name, forKey: "displayName")
        case .bridge:
            try record.set("gateway", forKey: "role")
            try record.set("bridge", forKey: "transport")
            try record.set("\(port)", forKey: "bridgePort")
            try record.set(name, forKey: "displayName")
        case .openAgents:
            break
        case .clawline:
            try record.set(name, forKey: "name")
        }
        return record
    }
}
