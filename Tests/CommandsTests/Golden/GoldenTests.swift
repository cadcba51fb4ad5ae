import Foundation
import Testing

/// The goldens themselves.
@Suite struct GoldenTests {
    /// A file that no test reads guards nothing, and misleads.
    @Test func everyFileIsRead() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Golden.folder.path)
        #expect(files.sorted() == Golden.allCases.map(\.rawValue).sorted())
    }

    @Test func differencesNameTheirLines() {
        let difference = Golden.difference(from: ["a", "b", "c"], to: ["a", "B", "c", "d"])
        #expect(difference == "- 2: b\n+ 2: B\n+ 4: d")
    }
}
