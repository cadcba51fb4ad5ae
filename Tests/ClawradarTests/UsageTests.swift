import TestSupport
import Testing

/// The *Usage* sections of doc comments are the first thing that a reader copies.
@Suite struct UsageTests {
    private static let modules = PublicNamesTests.modules + ["GatewayClient"]

    /// Each of them is compiled: in `Usages` as another package would, those of types that only this package uses in
    /// `PackageUsages`.
    @Test(arguments: modules) func theUsagesAreCompiled(module: String) throws {
        let usages = try SourceFile.all(of: module).flatMap(\.usages)
        let compiled = try ["Embedding/Usages", "ClawradarTests/PackageUsages"].map {
            try DocumentedCommand.text("Tests/\($0).swift")
        }
        #expect(usages.filter { usage in !compiled.contains { usage.isCompiled(inSource: $0) } } == [])
    }

    /// Both kinds of code blocks are found, and what follows them is not a part of them.
    @Test func fencedAndIndentedBlocksAreFound() throws {
        let text = """
            /// A thing.
            ///
            /// ## Usage
            ///
            ///     let thing = Thing()
            ///     thing.go { $0 }
            ///
            /// - Parameter other: Another one.
            struct Thing {
                /// ## Usage
                ///
                /// ```swift
                /// let other = 1
                ///
                /// go(other)
                /// ```
                ///
                /// All of it.
                func go() {}
            }
            """
        let usages = SourceFile(path: "Thing.swift", text: text).usages
        #expect(usages.count == 2)
        #expect(usages.first?.isCompiled(inSource: "let thing = Thing()\nthing.go { $0 }") == true)
        #expect(usages.last?.isCompiled(inSource: "let other = 1\n  go(other)") == true)
        #expect(usages.first?.isCompiled(inSource: "let thing = Thing()") == false)
    }

    /// All modules together have as many as there are headings, so that none is overlooked.
    @Test func noUsageIsOverlooked() throws {
        let files = try Self.modules.flatMap { try SourceFile.all(of: $0) }
        let headings = files.reduce(0) { $0 + $1.text.split(separator: "\n").count { $0.hasSuffix("/// ## Usage") } }
        #expect(headings > 20)
        #expect(files.reduce(0) { $0 + $1.usages.count } == headings)
    }
}
