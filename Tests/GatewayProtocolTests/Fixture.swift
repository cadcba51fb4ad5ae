import Foundation
import GatewayProtocol
import Testing

/// A recorded message from the folder Fixtures, whose README.md describes all of them.
struct Fixture: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    init(_ name: String) throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
        self.name = name
        self.bytes = Array(try Data(contentsOf: url))
    }

    var json: JSONValue {
        get throws { try JSONValue(parsing: bytes) }
    }

    var testDescription: String { name }

    /// Returns the names of all recorded messages that begin with a prefix.
    static func names(_ prefix: String = "") throws -> [String] {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }
            .map { String($0.dropLast(".json".count)) }
            .sorted()
    }
}
