package import DNSSD
internal import GatewayProtocol

extension GatewayFacts {
    /// The version of the OptaPlus protocol, which a gateway that answers `gateway.discover` speaks.
    static let designVersion = 3

    /// The port that OptaPlus clients take when the TXT record names none.
    static let designPort: UInt16 = 3_000

    /// Every key that is set here: nobody else sets them beside a gateway that answers for itself.
    package static let keys: Set<String> = [
        "fp", "name", "bots", "ver", "port", "role", "transport", "displayname", "lanhost", "gatewayport", "gatewaytls",
        "gatewaytlssha256", "gatewaydirectreachable", "bridgeport", "bridgetls", "bridgetlssha256",
    ]

    /// The TXT record to advertise the gateway with, as gateways of its dialect do; everything in it is true.
    ///
    /// At most about 340 bytes. `lanHost` is left out: it would go wrong when the host is renamed, and nobody who routes
    /// by SRV reads it.
    ///
    /// - Parameters:
    ///   - name: The name for people, see ``publishable(_:limit:)``.
    ///   - port: Where it listens.
    ///   - isDirectlyReachable: Whether it answers at an address that others on the network can reach.
    /// - Throws: ``DNSSDError`` when the name does not fit.
    package func txtRecord(name: String, port: UInt16, isDirectlyReachable: Bool) throws(DNSSDError) -> TXTRecord {
        var record = TXTRecord()
        switch dialect {
        case .optaplus:
            record = try GatewayAdvertisement.txtRecord(
                fingerprint: fingerprint,
                name: name,
                // Readers take more than 9,999 for a mistake.
                bots: bots.flatMap { $0 <= 9_999 ? $0 : nil },
                version: Self.designVersion
            )
            // Clients exist that read TXT only, and never resolve SRV.
            if port != Self.designPort { try record.set("\(port)", forKey: "port") }
            try setTLS("gateway", in: &record)
        case .openClaw:
            try record.set("gateway", forKey: "role")
            try record.set("gateway", forKey: "transport")
            try record.set("\(port)", forKey: "gatewayPort")
            try record.set(name, forKey: "displayName")
            try setTLS("gateway", in: &record)
            if isDirectlyReachable { try record.set("1", forKey: "gatewayDirectReachable") }
        case .bridge:
            try record.set("gateway", forKey: "role")
            try record.set("bridge", forKey: "transport")
            try record.set("\(port)", forKey: "bridgePort")
            try record.set(name, forKey: "displayName")
            try setTLS("bridge", in: &record)
        case .openAgents:
            break
        case .clawline:
            try record.set(name, forKey: "name")
        }
        return record
    }

    private func setTLS(_ prefix: String, in record: inout TXTRecord) throws(DNSSDError) {
        guard let leaf else { return }
        try record.set("1", forKey: "\(prefix)Tls")
        try record.set("\(leaf)", forKey: "\(prefix)TlsSha256")
    }

    /// The instance name under which gateways of the dialect are published: with the product behind it where they do so.
    package func instanceName(_ name: String) -> String {
        let product =
            switch dialect {
            case .openClaw: " (OpenClaw)"
            case .bridge: " (Clawdbot)"
            case .optaplus, .openAgents, .clawline: ""
            }
        return name.cut(toBytes: Self.maximumNameLength - product.utf8.count) + product
    }
}
