package import DNSSD
internal import GatewayProtocol

extension AdvertisedFacts {
    /// The version of the OptaPlus protocol, which every gateway that answers `gateway.discover` speaks.
    static let optaplusVersion = 3

    /// The port that OptaPlus clients assume when the TXT record names none.
    static let optaplusDefaultPort: UInt16 = 3_000

    /// Every key that is set here. Nobody else may set these keys for a gateway that answers for itself.
    package static let keys: Set<String> = [
        "fp", "name", "bots", "ver", "port", "role", "transport", "displayname", "lanhost", "gatewayport", "gatewaytls",
        "gatewaytlssha256", "gatewaydirectreachable", "bridgeport", "bridgetls", "bridgetlssha256",
    ]

    /// Returns the TXT record to advertise the gateway with, in the form of its dialect; everything in it is true.
    ///
    /// The record has at most about 340 bytes. `lanHost` is left out: it would become wrong when the host is renamed,
    /// and clients that use SRV do not read it.
    ///
    /// - Parameters:
    ///   - name: The gateway's name for people, see ``publishable(_:limit:)``.
    ///   - port: The port that the gateway listens on.
    ///   - isDirectlyReachable: Whether the gateway answers at an address that others on the network can reach.
    /// - Throws: ``/DNSSD/DNSSDError`` when the name does not fit.
    package func txtRecord(name: String, port: UInt16, isDirectlyReachable: Bool) throws(DNSSDError) -> TXTRecord {
        var record = TXTRecord()
        switch dialect {
        case .optaplus:
            record = try GatewayAdvertisement.txtRecord(
                fingerprint: fingerprint,
                name: name,
                // Readers treat more than 9,999 bots as a mistake.
                bots: bots.flatMap { $0 <= 9_999 ? $0 : nil },
                version: Self.optaplusVersion
            )
            // Some clients read only the TXT record, and never resolve SRV.
            if port != Self.optaplusDefaultPort { try record.set("\(port)", forKey: "port") }
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

    /// Returns the instance name under which gateways of the dialect are published: with the product appended where
    /// they append it.
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
