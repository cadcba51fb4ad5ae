import Foundation

/// The object that `clawradar scan --format json` prints, as the README documents it.
struct ScanOutput: Decodable {
    let services: [ServiceOutput]
    let backend: String
    let elapsedMs: Int
    let warnings: [String]

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    func service(_ instance: String) -> ServiceOutput? {
        services.first { Array($0.instance.utf8) == Array(instance.utf8) }
    }
}
