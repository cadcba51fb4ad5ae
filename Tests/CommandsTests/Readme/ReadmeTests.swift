import DNSSD
import Foundation
import Scanning
import TestSupport
import Testing

@testable import Commands

/// The README is correct: its listings compile, it names all products, and endpoints are printed as it says.
@Suite struct ReadmeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let package = folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// Each listing of the README is compiled in a file of its own, with exactly the imports that it names.
    @Test func theListingsAreCompiled() throws {
        let listings = GuideListing.all(inMarkdown: try Self.text("README.md"), guide: "README.md")
        let files = ["ReadmeBrowsing.swift", "ReadmeAdvertising.swift"]
        #expect(listings.count == files.count)
        for (listing, file) in zip(listings, files) {
            #expect(try listing.isCompiled(in: Self.folder.appending(path: file).path), "\(listing)")
        }
    }

    @Test func allProductsAreNamed() throws {
        let readme = try Self.text("README.md")
        let list = try #require(try Self.text("Package.swift").firstMatch(of: /let libraries = \[([^\]]*)\]/)?.output.1)
        let products = list.matches(of: /"(\w+)"/).map(\.output.1)
        #expect(products.count > 5)
        #expect(products.filter { !readme.contains("`\($0)`") } == [])
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
