import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import Commands
@testable import Console
@testable import Pairing

/// Which gateway of the history a text means, and what is shown of it.
@Suite struct HistoryCommandTests {
    private static let start = Timestamp("2026-11-26T12:00:00.000Z")!

    private static func outage(_ key: String, _ name: String) -> GatewayHistory.Outage {
        GatewayHistory.Outage(
            key: key,
            name: name,
            began: start,
            ended: start.advanced(by: .seconds(60)),
            reason: nil,
            ways: [.lanIPv4, .tailnet]
        )
    }

    private let history = GatewayHistory(
        since: start,
        until: start.advanced(by: .seconds(100)),
        alive: start.advanced(by: .seconds(100)),
        gateways: [GatewayHistory.Gateway(key: "aaaa1", name: "Home", since: start)],
        outages: [outage("aaaa1", "Home"), outage("bbbb2", "Attic"), outage("cccc3", "Twin"), outage("dddd4", "Twin")],
        transitions: [
            GatewayHistory.Transition(key: "eeee5", name: "Studio", time: start, kind: .revoked, way: nil),
            GatewayHistory.Transition(key: "aaaa1", name: "Home", time: start, kind: .wayLost, way: .tailnet),
        ],
        unknown: []
    )

    /// A gateway that is not watched any more, since it is paired no more or has lost its name, is still in the
    /// history.
    @Test(arguments: [
        ("home", "aaaa1"), ("aaaa", "aaaa1"), ("Attic", "bbbb2"), ("bbbb2", "bbbb2"), ("bbbb", "bbbb2"),
        ("studio", "eeee5"), ("dddd4", "dddd4"),
    ])
    func aTextMeansAGateway(text: String, key: String) throws {
        #expect(try history.key(of: text) == key)
    }

    /// One gateway has one name: what happened to it under another one, or before its name was taken away, is shown under the one
    /// that it has now, also while no agent runs.
    @Test func whatHappenedIsShownUnderTheNameOfNow() throws {
        var pairing = try Pairings.pairing("Attic of mine", id: "f", bots: [])
        let key = pairing.id.description
        let history = GatewayHistory(
            since: Self.start,
            until: Self.start,
            alive: Self.start,
            gateways: [
                GatewayHistory.Gateway(key: "aaaa1", name: "Home", since: Self.start),
                GatewayHistory.Gateway(key: key, name: "Former alias", since: Self.start),
            ],
            outages: [Self.outage(key, "Chat"), Self.outage("aaaa1", "Studio"), Self.outage("bbbb2", "Twin")],
            notReady: [Self.outage(key, "Chat")],
            transitions: [
                GatewayHistory.Transition(key: key, name: "Chat", time: Self.start, kind: .revoked, way: nil)
            ],
            unknown: []
        )
        let shown = history.named([pairing], [])
        #expect(shown.gateways.map(\.name) == ["Attic of mine", "Home"])
        #expect(shown.outages.map(\.name) == ["Attic of mine", "Home", "Twin"])
        #expect((shown.notReady + shown.outages.prefix(1)).map(\.name) == ["Attic of mine", "Attic of mine"])
        #expect(shown.transitions.map(\.name) == ["Attic of mine"])
        // Where nothing else is known, the history has the names.
        #expect(history.named([], []).outages.map(\.name) == ["Former alias", "Home", "Twin"])
        pairing.name = "Bath"
        #expect(history.named([pairing], []).gateways.last?.name == "Home")
        let alias = GatewayAlias(gatewayID: "bbbb2", fingerprint: nil, leaf: nil, name: "Cellar")
        #expect(history.named([], [alias]).outages.last?.name == "Cellar")
    }

    /// A gateway is found by all of its names, their beginnings and what is near, whatever the history calls it.
    @Test(arguments: [
        "Chat", "Attic of mine", "attic o", "10.0.0.2:3000", "cha", "10.0.0.2", "Loft", "Jarvis", "chat/jarv",
        "ffffffff",
    ])
    func allItsNamesMeanIt(text: String) throws {
        var pairing = try Pairings.pairing("Attic of mine", id: "f", bots: [("b", "Jarvis")])
        (pairing.formerName, pairing.ownName) = ("Chat", "Loft")
        let key = pairing.id.description
        let history = GatewayHistory(
            since: Self.start,
            until: Self.start,
            alive: Self.start,
            gateways: history.gateways + [GatewayHistory.Gateway(key: key, name: "Cellar", since: Self.start)],
            outages: history.outages,
            transitions: [],
            unknown: []
        )
        let known = KnownNames(pairings: [pairing], aliases: [])
        #expect(try history.key(of: text, known: known) == key)
        #expect(try history.gateway(text, known: known).key == key)
        let near = #expect(throws: CommandFailure.self) { try history.gateway("Chatt", known: known) }
        #expect(near?.message.contains("Did you mean") == true)
    }

    @Test func aTextThatMeansNoneOrSeveralIsRefused() {
        let none = #expect(throws: CommandFailure.self) { try history.key(of: "Nobody") }
        let several = #expect(throws: CommandFailure.self) { try history.key(of: "Twin") }
        #expect(none?.status == .nothingFound && several?.status == .usage)
    }

    /// Each outage with the ways before it, and what else has happened; of a gateway that is not watched, no line of its own.
    @Test func theTableShowsWaysAndTransitions() {
        let all = HistoryTable.text(history, width: nil)
        #expect(all.contains("lan-ipv4, tailnet") && all.contains("way lost") && all.contains("revoked"), "\(all)")
        #expect(all.contains("UPTIME"))
        let former = HistoryTable.text(history.of(key: "bbbb2"), width: nil)
        #expect(former.contains("Attic") && !former.contains("UPTIME") && !former.contains("Home"), "\(former)")
        #expect(former.hasPrefix("FROM"))
    }

    /// A week of a gateway that is watched from its second day on, was away for ten seconds on the third, in a time that is
    /// known alone, and is not known on the last.
    private static let week: GatewayHistory = {
        func day(_ number: Int) -> Timestamp { start.advanced(by: .seconds(number * 86_400)) }
        func outage(_ from: Timestamp) -> GatewayHistory.Outage {
            GatewayHistory.Outage(
                key: "aaaa1",
                name: "Home",
                began: from,
                ended: from.advanced(by: .seconds(10)),
                reason: nil
            )
        }
        return GatewayHistory(
            since: start,
            until: day(7),
            alive: day(7),
            gateways: [GatewayHistory.Gateway(key: "aaaa1", name: "Home", since: day(1))],
            outages: [outage(day(2)), outage(day(6))],
            unknown: [GatewayHistory.Unknown(key: nil, began: day(6), ended: day(7), reason: "asleep")]
        )
    }()

    /// Each part of a bar says what happened in it: an outage however short, and nothing of what is not known.
    @Test func aBarHasAPartForEachTime() throws {
        let gateway = try #require(Self.week.gateways.first)
        #expect(
            Self.week.parts(of: gateway, count: 7) == [
                .unknown, .answering, .gone, .answering, .answering, .answering, .unknown,
            ]
        )
        #expect(Self.week.parts(of: gateway, count: 1) == [.gone])
        #expect(Self.week.parts(of: gateway, count: 0) == [])
    }

    /// The bar is as wide as the terminal, stands below its row, and cuts nothing.
    @Test(arguments: [40, 60, 80, 120]) func aBarFits(width: Int) throws {
        let lines = HistoryTable.text(Self.week, width: width, style: .blocks).split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(lines)")
        let row = try #require(lines.firstIndex { $0.hasPrefix("Home") })
        #expect(lines[row + 1].count == min(width, 120) && lines[row + 1].contains("█▁█"), "\(lines)")
        #expect(lines.contains("  █ answering  ▁ gone  · unknown"))
        #expect(lines.contains { $0.contains("2026-11-") && $0.contains(" to 2026-12-0") })
    }

    /// Neither colours nor blocks are there where they are not wanted; and colour is no part of what is said.
    @Test func aBarIsPlainWhereThatIsWanted() {
        let plain = HistoryTable.text(Self.week, width: nil)
        #expect(plain.allSatisfy(\.isASCII) && plain.contains("#x#"), "\(plain)")
        let coloured = HistoryTable.text(Self.week, width: 80, style: .colouredBlocks)
        let bare = coloured.replacing("\u{1B}[31m", with: "").replacing("\u{1B}[0m", with: "")
        #expect(bare == HistoryTable.text(Self.week, width: 80, style: .blocks) && bare != coloured)
    }
}
