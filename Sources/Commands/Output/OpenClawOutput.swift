internal import DNSSD
internal import GatewayProtocol

/// Services in the shape of `openclaw gateway discover --json`, for scripts that read that.
///
/// As there, a field that is not known is left out, but for `wsUrl`, which is `null`.
struct OpenClawOutput: Encodable, Hashable {
    /// One service.
    struct Beacon: Encodable, Hashable {
        let instanceName: String
        let domain: String
        let displayName: String
        let host: String?
        let port: UInt16?
        let lanHost: String?
        let tailnetDns: String?
        let gatewayPort: Int?
        let sshPort: Int?
        let gatewayTls: Bool?
        let gatewayTlsFingerprintSha256: String?
        let cliPath: String?
        let role: String?
        let transport: String?
        let txt: [String: String]?
        let wsUrl: String?

        private enum CodingKeys: String, CodingKey {
            case instanceName, domain, displayName, host, port, lanHost, tailnetDns, gatewayPort, sshPort, gatewayTls
            case gatewayTlsFingerprintSha256, cliPath, role, transport, txt, wsUrl
        }

        init(_ service: Service) {
            // There a TXT record is a dictionary of texts, without the keys that have no value.
            var txt: [String: String] = [:]
            for entry in service.txt?.entries ?? [] {
                guard let value = entry.value else { continue }
                txt[entry.key] = String(decoding: value, as: UTF8.self)
            }
            func text(_ key: String) -> String? { txt[key].flatMap { $0.isEmpty ? nil : $0 } }
            let tls = text("gatewayTls").map { ["1", "true", "yes"].contains($0.lowercased()) }
            self.instanceName = service.instance.name
            self.domain = "\(service.instance.domain)."
            self.displayName = text("displayName") ?? service.instance.name
            self.host = service.host?.escaped
            self.port = service.port
            self.lanHost = text("lanHost")
            self.tailnetDns = text("tailnetDns")
            self.gatewayPort = text("gatewayPort").flatMap { Int($0) }
            self.sshPort = text("sshPort").flatMap { Int($0) }
            self.gatewayTls = tls
            self.gatewayTlsFingerprintSha256 = text("gatewayTlsSha256")
            self.cliPath = text("cliPath")
            self.role = text("role")
            self.transport = text("transport")
            self.txt = txt.isEmpty ? nil : txt
            let scheme = tls == true ? "wss" : "ws"
            if let host = service.host?.escaped, let port = service.port, port > 0 {
                self.wsUrl = "\(scheme)://\(host):\(port)"
            } else {
                self.wsUrl = nil
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(instanceName, forKey: .instanceName)
            try container.encode(domain, forKey: .domain)
            try container.encode(displayName, forKey: .displayName)
            try container.encodeIfPresent(host, forKey: .host)
            try container.encodeIfPresent(port, forKey: .port)
            try container.encodeIfPresent(lanHost, forKey: .lanHost)
            try container.encodeIfPresent(tailnetDns, forKey: .tailnetDns)
            try container.encodeIfPresent(gatewayPort, forKey: .gatewayPort)
            try container.encodeIfPresent(sshPort, forKey: .sshPort)
            try container.encodeIfPresent(gatewayTls, forKey: .gatewayTls)
            try container.encodeIfPresent(gatewayTlsFingerprintSha256, forKey: .gatewayTlsFingerprintSha256)
            try container.encodeIfPresent(cliPath, forKey: .cliPath)
            try container.encodeIfPresent(role, forKey: .role)
            try container.encodeIfPresent(transport, forKey: .transport)
            try container.encodeIfPresent(txt, forKey: .txt)
            try container.encode(wsUrl, forKey: .wsUrl)
        }
    }

    let timeoutMs: Int
    let domains: [String]
    let count: Int
    let beacons: [Beacon]

    init(_ services: [Service], timeout: TimeLimit) {
        self.timeoutMs = timeout.milliseconds
        self.domains = ["local."]
        self.count = services.count
        self.beacons = services.map(Beacon.init)
    }
}
