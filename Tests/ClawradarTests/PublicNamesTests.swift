import Foundation
import TestSupport
import Testing

/// Programs that embed the libraries import Foundation and others in the same files. A public type whose name one of
/// those has too would be ambiguous there, as `Scanner` was.
@Suite struct PublicNamesTests {
    /// The libraries of this package: those that others can import, and those that `Clawradar` brings along.
    static let modules = [
        "Advertising", "Agent", "Clawradar", "DNSSD", "Discovery", "GatewayProtocol", "Pairing", "Scanning",
    ]

    /// The list is compiled beside the other imports. A type that is not in it would not be checked.
    @Test(arguments: modules) func everyPublicTypeIsNamedBesideOtherImports(module: String) throws {
        let named = try Set(
            DocumentedCommand.text("Tests/Embedding/PublicTypes.swift").matches(of: /(\w+)(?:<Never>|\))?\.self/)
                .map { String($0.output.1) }
        )
        let declared = try SourceFile.all(of: module).flatMap { file in
            file.text.matches(
                of: /^public (?:(?:final|indirect) )?(?:struct|class|actor|enum|protocol|typealias) (\w+)/
                    .anchorsMatchLineEndings()
            ).map { String($0.output.1) }
        }
        #expect(!declared.isEmpty)
        #expect(declared.filter { !named.contains($0) }.sorted() == [])
    }

    /// The modules above are all that others can import.
    @Test func theModulesAreThoseOfThePackage() throws {
        let package = try DocumentedCommand.text("Package.swift")
        let list = try #require(package.firstMatch(of: /let libraries = \[([^\]]*)\]/)).output.1
        let libraries = list.matches(of: /"(\w+)"/).map { String($0.output.1) }
        let brought = try DocumentedCommand.text("Sources/Clawradar/Clawradar.swift")
            .matches(of: /@_exported public import (\w+)/).map { String($0.output.1) }
        #expect(!libraries.isEmpty && !brought.isEmpty)
        #expect(Set(libraries + brought) == Set(Self.modules))
    }
}
