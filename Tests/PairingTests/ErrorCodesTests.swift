import DNSSD
import Foundation
import Testing

@testable import Pairing

/// The lists of error codes, from which metrics and the readers of recordings take theirs: none is forgotten there.
@Suite struct ErrorCodesTests {
    @Test(arguments: [
        ("Pairing/PairingError.swift", ErrorCode<PairingError>.all.map(\.description)),
        ("DNSSD/Backends/BackendError.swift", ErrorCode<BackendError>.all.map(\.description)),
    ])
    func eachCodeIsListed(file: String, listed: [String]) throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "Sources/\(file)"), encoding: .utf8)
        let declared = text.matches(of: /public static var (\w+): Self \{ Self\(\) \}/).map { String($0.output.1) }
        #expect(!declared.isEmpty && listed.sorted() == declared.sorted())
    }
}
