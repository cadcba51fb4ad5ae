import Foundation
import Testing

/// The tables of the guide *Who may have a secret*, which lab tests compare with what receivers logged.
struct SecretsGuide {
    /// A table of the guide. The raw value is its headline.
    enum Table: String, CaseIterable {
        case inAdvance = "Pairing with --yes"
        case person = "Pairing, with a person who agrees to everything"
        case sessions = "Sessions"

        var columns: [String] {
            switch self {
            case .inAdvance, .person: PairingSecret.allCases.map(\.rawValue)
            case .sessions: ["bot token", "device token"]
            }
        }
    }

    /// A way to somebody else, which is a row of each table. The raw value is its title.
    enum Way: String, CaseIterable, Sendable {
        case namesake = "A namesake that answers first, while the right one is slow"
        case changedLeaf = "Another certificate at its place"
        case otherURL = "Another place than the setup code names"
        case otherFingerprint = "Another `fp` at its place, without TLS"
        case otherBehindLeaf = "Another `fp` behind its certificate"
        case tunnel = "Its address through another tunnel"
        case addressCertificate = "Its host name leads to a certificate of an address alone"
        case movedName = "Its host name leads to the certified host of somebody else"
        case redirect = "Its host answers with a redirect"
        case proxy = "`http_proxy`, `https_proxy` and `ALL_PROXY` are set"
        case withoutTLS = "No TLS at its place any more"
        case renewedCertified = "The right one, with a renewed certificate of its host name"
        case renewedSelfSigned = "The right one, with a renewed self-signed certificate"
    }

    static let path = Lab.root.appendingPathComponent(
        "Sources/GatewayProtocol/GatewayProtocol.docc/Trust/WhoMayHaveASecret.md"
    )
    .path

    private let sections: [String]

    init() throws {
        sections = try String(contentsOfFile: Self.path, encoding: .utf8).components(separatedBy: "\n### ")
    }

    /// Returns the lines of a table, without its heading.
    func lines(of table: Table) -> [String] {
        let section = sections.first { $0.prefix { $0 != "\n" } == table.rawValue } ?? ""
        return section.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| ") }
    }

    /// Returns the line of a table for a way with these cells.
    static func line(_ way: Way, _ cells: [String]) -> String {
        "| " + ([way.rawValue] + cells).joined(separator: " | ") + " |"
    }

    /// Compares the cells of a way with the guide.
    func compare(_ way: Way, _ cells: [Table: [String]]) {
        for table in Table.allCases {
            let line = Self.line(way, cells[table] ?? [])
            print("\(table.rawValue): \(line)")
            let known = lines(of: table).first { $0.hasPrefix("| \(way.rawValue) |") }
            #expect(known == line, "\(table.rawValue)")
        }
    }
}
