import Foundation

/// A line that `clawradar watch --format ndjson` prints, as the README documents it.
struct WatchEvent: Decodable {
    let event: String
    let service: ServiceOutput
    let changed: [String]?
    let reason: String?

    init?(_ text: String) {
        guard let event = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = event
    }
}
