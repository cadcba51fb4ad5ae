import ArgumentParser
import Foundation
import Testing

@testable import AgentAPI
@testable import Commands

/// The operations of the protocol, from outside: whoever adds one adds all the ways to it.
@Suite struct OperationsTests {
    /// A way to an operation by the API, and by the tool.
    private struct Ways {
        var routes: [String] = []

        /// The routes that change nothing.
        var reads: [String] = []
        let verbs: [String]

        /// The number of definitions in this process.
        var definitions = 1
    }

    /// An alias is set, and looked up.
    private static let ways: [String: Ways] = [
        "connect": Ways(routes: ["connect", "disconnect"], verbs: ["connect", "disconnect"]),
        "archive": Ways(routes: ["archive"], verbs: ["archive"]),
        "accent": Ways(routes: ["accent"], verbs: ["accent"]),
        "forget": Ways(routes: ["forget"], verbs: ["forget"]),
        "restore": Ways(routes: ["restore"], verbs: ["restore"]),
        "unpair": Ways(routes: ["unpair"], verbs: ["unpair"]),
        "trust": Ways(routes: ["trust"], verbs: ["trust"]),
        "approvals": Ways(routes: ["approvals"], verbs: ["approvals"]),
        "decide": Ways(routes: ["approve", "reject"], verbs: ["approve", "reject"]),
        "call": Ways(routes: ["call"], verbs: ["call"]),
        "diagnose": Ways(routes: ["diagnose"], verbs: ["doctor"]),
        "device": Ways(routes: ["device"], reads: ["device"], verbs: ["device"]),
        "alias": Ways(routes: ["alias"], verbs: ["alias"], definitions: 2),
        "removeAlias": Ways(routes: ["alias"], verbs: ["alias"]),
        "link": Ways(routes: ["link"], verbs: ["link"]),
        "history": Ways(reads: ["history"], verbs: ["history"]),
        "mutes": Ways(reads: ["mute"], verbs: ["mute"]),
        "mute": Ways(routes: ["mute"], verbs: ["mute"]),
    ]

    /// The paths of the routes with a method.
    private static func paths(_ method: String) -> [String] {
        RouteTable.routes.filter { "\($0.method)" == method }.map(\.path)
    }

    /// The text of all files in a folder whose names begin so.
    private static func text(_ folder: String, _ prefix: String) throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let files = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: folder),
            includingPropertiesForKeys: nil
        )
        return try files.filter { $0.lastPathComponent.hasPrefix(prefix) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    /// Each operation has a route, a verb and a definition in each carrier, and none has two.
    @Test func eachOperationIsReachedByEverybodyAndDefinedOnce() throws {
        let declared = try Self.text("Sources/Agent/Radar", "Radar.swift").matches(of: /\n    func ([a-zA-Z]+)\(/)
            .map { String($0.output.1) }
        #expect(declared.sorted() == Self.ways.keys.sorted())
        let local = try Self.text("Sources/Agent/Radar", "InProcessRadar")
        let remote = try Self.text("Sources/Commands/AskingTheAgent", "AgentRadar")
        let paths = Self.paths("POST")
        let verbs = RootCommand.configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
        for (name, ways) in Self.ways {
            #expect(local.ranges(of: "    package func \(name)(").count == ways.definitions, "\(name)")
            #expect(remote.ranges(of: "    func \(name)(").count == 1, "\(name) over the socket")
            for route in ways.routes { #expect(paths.count { $0 == "/api/v1/\(route)" } == 1, "\(route)") }
            for route in ways.reads { #expect(Self.paths("GET").count { $0 == "/api/v1/\(route)" } == 1, "\(route)") }
            for verb in ways.verbs { #expect(verbs.contains(verb), "\(verb)") }
        }
    }

    /// A route that changes something is an operation, or one of these: a scan, a pairing with its questions, the page, and
    /// pictures, which a verb makes itself.
    @Test func everyOtherRouteIsNamed() {
        let others = ["scan", "pair", "pair/{id}/answer", "page", "page/session", "page/proof", "qr"]
        let known = Self.ways.values.flatMap(\.routes) + others
        #expect(Set(Self.paths("POST")) == Set(known.map { "/api/v1/\($0)" }))
    }
}
