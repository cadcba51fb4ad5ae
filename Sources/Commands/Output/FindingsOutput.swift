internal import Constellation
internal import DNSSD

/// A scan that asks, as a whole, in JSON.
struct FindingsOutput: Encodable, Hashable {
    let gateways: [FoundGatewayOutput]

    /// The rows of the map that are no gateways.
    let others: [OtherOutput]
    let services: [ServiceOutput]

    /// The name of the backend that looked for services.
    let backend: String
    let elapsedMs: Int
    let losses: LossesOutput
    let warnings: [String]

    init(_ findings: Findings, _ result: ScanResult) {
        let services = ScanOutput(result)
        self.gateways = findings.gateways.map { FoundGatewayOutput($0, services: findings.services(of: $0)) }
        self.others = findings.others.map { OtherOutput($0, services: findings.services(of: $0)) }
        self.services = services.services
        self.backend = services.backend
        self.elapsedMs = services.elapsedMs
        self.losses = services.losses
        self.warnings = services.warnings
    }
}
