import ArgumentParser
import DNSSD
import Foundation
import Scanning
import TestSupport
import Testing

@testable import Commands
@testable import reference_gateway

/// The README and the files in `docs/` are correct, as far as that can be checked without a network: listings compile,
/// command lines are valid, and nothing is missing. `DocumentLabTests` runs the commands.
@Suite struct ReadmeTests {
    /// Each listing is compiled in a file of its own, with exactly the imports that it names; a manifest and the excerpt of one
    /// are not, and name a product and a trait that exist.
    @Test func theListingsAreCompiled() throws {
        let guides = ["README.md", "docs/embedding.md"]
        let listings = try guides.flatMap {
            GuideListing.all(inMarkdown: try DocumentedCommand.text($0), guide: $0)
        }
        let files = ["ReadmeBrowsing.swift", "ReadmeAdvertising.swift", "ReadmeAgent.swift"]
        let compiled = listings.filter { listing in
            !["dependencies:", "swift-tools-version"].contains { "\(listing)".contains($0) }
        }
        #expect((listings.count, compiled.count) == (files.count + 2, files.count))
        for (listing, file) in zip(compiled, files) {
            #expect(listing.isCompiled(inSource: try DocumentedCommand.text("Tests/Embedding/\(file)")), "\(listing)")
        }
        let manifest = try DocumentedCommand.text("Package.swift")
        let readme = try DocumentedCommand.text("README.md")
        let version = try #require(manifest.firstMatch(of: /^\/\/ swift-tools-version: .*/)).output
        #expect(try DocumentedCommand.text("docs/embedding.md").contains("\n\(version)\n"))
        let named = readme.matches(of: /traits: \["(\w+)"\]|product\(name: "(\w+)"/).flatMap {
            [$0.output.1, $0.output.2].compactMap { $0.map(String.init) }
        }
        #expect(named == ["Avahi", "Clawradar"])
        #expect(try Self.libraries().contains(named[1]))
        #expect(manifest.contains(".trait(name: \"\(named[0])\""))
    }

    /// Returns the names of the libraries in the manifest.
    private static func libraries() throws -> [String] {
        let list = try DocumentedCommand.text("Package.swift").firstMatch(of: /let libraries = \[([^\]]*)\]/)
        return list?.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) } ?? []
    }

    @Test func allProductsAreNamed() throws {
        let guide = try DocumentedCommand.text("docs/embedding.md")
        let products = try Self.libraries()
        #expect(products.count > 3)
        #expect(products.filter { !guide.contains("`\($0)`") } == [])
    }

    /// The README is one page: what it is for, and at most twelve lines for each task.
    @Test func theReadmeIsOnePage() throws {
        let lines = try DocumentedCommand.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 120)
        for heading in ["Find", "Pair", "Connect", "Advertise"] {
            let start = try #require(lines.firstIndex(of: "## \(heading)"), "no section \(heading)")
            let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
            #expect(section.count { !$0.isEmpty && !$0.hasPrefix("```") } <= 12, "\(heading) is too long")
        }
    }

    /// All command lines are valid; whoever copies one is not told how to use the tool.
    @Test func theCommandLinesAreValid() throws {
        var count = 0
        for command in try DocumentedCommand.files().flatMap(DocumentedCommand.all) {
            guard let arguments = command.arguments else {
                Issue.record("\(command) runs another program")
                continue
            }
            count += 1
            // Completions are printed by ArgumentParser itself, before it parses anything else.
            if arguments.first == "--generate-completion-script" { continue }
            #expect(throws: Never.self, "\(command)") { try command.root.parseAsRoot(arguments) }
        }
        #expect(count > 25)
    }

    /// All verbs are mentioned, and all exit statuses of the help are explained.
    @Test func nothingIsMissing() throws {
        let text = try DocumentedCommand.files().map(DocumentedCommand.text).joined()
        let verbs = RootCommand.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName }
        #expect(verbs.count > 10)
        #expect(verbs.filter { !text.contains("`\($0)") && !text.contains("clawradar \($0)") } == [])

        let statuses = RootCommand.configuration.discussion.matches(of: #/(?m)^  (\d+)\s/#).map { $0.output.1 }
        let explained = try DocumentedCommand.text("docs/troubles.md").matches(of: #/(?m)^\| (\d+) \|/#)
            .map { $0.output.1 }
        #expect(statuses == explained)
    }

    /// All fields of the JSON that the guides of the libraries name are explained to users of the tool.
    @Test(arguments: ["Reports", "PairingsAndSessions"]) func allFieldsAreExplained(article: String) throws {
        func fields(_ text: String) -> Set<String> {
            Set(
                text.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
                    row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
                }
            )
        }
        let guide = try DocumentedCommand.text("Sources/Reports/Reports.docc/\(article).md")
        #expect(fields(guide).count > 20)
        #expect(fields(guide).subtracting(fields(try DocumentedCommand.text("docs/json.md"))) == [])
    }

    /// Links lead to files that exist, and to headings that exist.
    @Test func linksLeadSomewhere() throws {
        for file in try DocumentedCommand.files() {
            let folder = file.contains("/") ? "docs/" : ""
            for link in try DocumentedCommand.text(file).matches(of: /\]\(([^)#]*)(?:#([^)]*))?\)/) {
                let path = link.output.1.isEmpty ? file : folder + link.output.1
                guard path.hasSuffix(".md") else { continue }
                let target = try DocumentedCommand.text(path)
                guard let anchor = link.output.2 else { continue }
                let headings = target.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
                    heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0 == "-" }
                }
                #expect(headings.contains(String(anchor)), "\(file): \(link.output.0)")
            }
        }
    }

    /// An endpoint is printed in a form that `probe` accepts.
    @Test func anEndpointIsAnAddressToProbe() throws {
        let link = NetworkInterface(index: 2, name: "eth0")
        let addresses: [IPAddress] = [
            .v4(IPv4Address(bits: 0x0A00_0001)), .v6(IPv6Address(bits: 0xFE80 << 112 | 1, scope: link)),
        ]
        for address in addresses {
            let endpoint = Endpoint(address: address, port: 3_000)
            let typed = try ProbeAddress(endpoint.description)
            #expect((typed.host, typed.port) == (address.description, 3_000))
        }
    }
}

extension DocumentedCommand {
    /// The command of the program that it runs.
    fileprivate var root: any ParsableCommand.Type {
        program == "reference-gateway" ? GatewayCommand.self : RootCommand.self
    }
}
