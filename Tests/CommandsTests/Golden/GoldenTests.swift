import Foundation
import Testing

/// Tests of the golden files themselves.
@Suite struct GoldenTests {
    /// The folder contains exactly the files that tests compare: any other file would protect nothing, and mislead its
    /// reader.
    @Test func everyFileIsRead() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Golden.folder.path)
        #expect(files.sorted() == Golden.allCases.map(\.rawValue).sorted())
    }

    @Test func differencesNameTheirLines() {
        let difference = Golden.difference(from: ["a", "b", "c"], to: ["a", "B", "c", "d"])
        #expect(difference == "- 2: b\n+ 2: B\n+ 4: d")
    }
}
