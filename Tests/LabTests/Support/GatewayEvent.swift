import Foundation

/// A line about a gateway that `clawradar watch --format ndjson` prints, as the README documents it.
struct GatewayEvent: Decodable {
    let event: String
    let gateway: FoundGateway
    let changed: [String]?

    init?(_ text: String) {
        guard let event = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = event
    }
}
