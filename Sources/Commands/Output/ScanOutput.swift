internal import DNSSD

/// A whole scan in JSON.
struct ScanOutput: Encodable, Hashable {
    let services: [ServiceOutput]

    /// The name of the backend that looked for services.
    let backend: String
    let elapsedMs: Int
    let losses: LossesOutput
    let warnings: [String]

    init(_ result: ScanResult) {
        self.services = result.services.map(ServiceOutput.init)
        self.backend = result.source.rawValue
        self.elapsedMs = result.elapsedMilliseconds
        self.losses = LossesOutput(result.losses)
        self.warnings = result.warnings + [result.trouble?.message].compactMap(\.self)
    }
}
