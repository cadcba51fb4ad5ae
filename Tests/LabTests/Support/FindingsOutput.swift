import Foundation

/// The output of `clawradar scan --format json` about gateways, as the README documents it.
struct FindingsOutput: Decodable {
    let gateways: [FoundGateway]
    let others: [Other]
    let services: [ServiceOutput]
    let elapsedMs: Int
    let warnings: [String]

    struct Other: Decodable {
        let name: String
        let reason: String
    }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    func gateway(_ name: String) -> FoundGateway? { gateways.first { $0.name == name } }

    func reason(_ name: String) -> String? { others.first { $0.name == name }?.reason }
}
