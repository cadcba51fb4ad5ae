import DNSSD
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct GatewayTableViewTests {
    private static func view(_ model: GatewayTableModel, rows: Int = 24) -> [String] {
        GatewayTableView(
            model: model,
            caption: LiveTableCaption(
                status: ["avahi: running"],
                lastChange: "12:00:00",
                style: Style(isOn: false)
            )
        )
        .lines(Terminal(columns: 80, rows: rows))
    }

    private static func model(_ events: [BotMapEvent], now: ContinuousClock.Instant = .now) -> GatewayTableModel {
        var model = GatewayTableModel()
        var map = BotMap()
        for change in events.flatMap({ map.apply($0) }) { model.apply(change, now: now) }
        return model
    }

    @Test func gatewaysBotsAndTheRest() throws {
        let lines = Self.view(Self.model(try Rows.mixed()))
        #expect(lines[0].hasPrefix("   GATEWAY"))
        #expect(lines[1].hasPrefix("+  Home     answering"))
        #expect(lines[2] == "  🤖 Jarvis, 🤖 Friday")
        #expect(lines.last == "avahi: running · 1 gateway answers, 0 services · changed 12:00:00 · Ctrl-C ends")
    }

    @Test(arguments: [4, 6, 9, 24])
    func itFitsTheTerminal(rows: Int) {
        let events = (0..<40).flatMap { number -> [BotMapEvent] in
            let endpoint = Rows.endpoint(UInt8(number))
            let outcome = Rows.gateway(fingerprint: "f\(number)", name: "g\(number)")
            return [.endpointAdded(endpoint, .local), .probed(endpoint, outcome)]
        }
        let lines = Self.view(Self.model(events), rows: rows)
        #expect(lines.count <= rows)
        #expect(lines.contains { $0.hasPrefix("… and ") })
        #expect(lines.allSatisfy { DisplayWidth.of($0) < 80 })
    }

    /// A row is shown with all its lines or not at all, so that no reason ends in the middle.
    @Test(arguments: 2...12) func aScreenEndsWithAWholeRow(height: Int) {
        let rows = [["a", "why"], ["b", "why", "command"], ["c"], ["d", "why"]]
        let lines = Screen.lines(rows, below: "TITLES", more: 0, height: height)
        #expect(lines.count <= height && lines[0] == "TITLES")
        let shown = lines.dropFirst().filter { !$0.hasPrefix("…") }
        let whole = (0...rows.count).map { Array(rows.prefix($0).joined()) }
        #expect(whole.contains(Array(shown)) || shown == ["a"], "\(lines)")
        let left = rows.count - (whole.firstIndex(of: Array(shown)) ?? 0)
        let isAll = left == 0
        #expect(isAll || lines.last == "… and \(left) more; make the window larger", "\(lines)")
    }

    @Test func marksComeAndGo() throws {
        let start = ContinuousClock.now
        var model = Self.model(try Rows.mixed(), now: start)
        let row = try #require(model.present.first { $0.isGateway })
        #expect(model.mark(of: row) == .new)
        _ = model.expire(now: start + .seconds(10))
        #expect(model.mark(of: row) == nil)
        model.apply(.lost(row), now: start + .seconds(20))
        #expect(model.mark(of: row) == .lost(.left))
        #expect(!model.present.contains(row))
        _ = model.expire(now: start + .seconds(30))
        #expect(!model.all.contains(row))
    }

    @Test(arguments: [21, 40, 60, 80, 120])
    func itIsAsWideAsTheTerminal(columns: Int) throws {
        let view = GatewayTableView(
            model: Self.model(try Neighbourhood.found()),
            caption: LiveTableCaption(
                status: ["avahi: running"],
                lastChange: "12:00:00",
                style: Style(isOn: false)
            )
        )
        for line in view.lines(Terminal(columns: columns, rows: 60)) {
            #expect(DisplayWidth.of(line) < columns, "\(line)")
        }
    }

    /// A row that becomes suspect is marked as changed, even while it would still be marked as new.
    @Test func whatTurnsSuspectIsNotNew() throws {
        let suspect = BotMapEvent.liveness(Rows.endpoint(), .suspect)
        let lines = Self.view(Self.model(try Rows.mixed() + [suspect]))
        #expect(lines[1].hasPrefix("~  Home     suspect"))
        #expect(lines.contains { $0.hasPrefix("avahi: running · 0 gateways answer, 1 suspect, 0 services") })
    }

    @Test func theStateIsInColour() throws {
        let view = GatewayTableView(
            model: Self.model(try Rows.mixed() + [.liveness(Rows.endpoint(), .suspect)]),
            caption: LiveTableCaption(
                status: ["avahi: running"],
                lastChange: "12:00:00",
                style: Style(isOn: true)
            )
        )
        let line = view.lines(Terminal(columns: 80, rows: 24))[1]
        #expect(line.hasPrefix("\u{1B}[33m~\u{1B}[0m  Home     \u{1B}[33msuspect\u{1B}[0m  "), "\(line)")
    }

    @Test func whatFloodsIsSuspectInTheTable() throws {
        let lines = Self.view(Self.model(try Rows.mixed() + [.flooding(Rows.endpoint(), true)]))
        #expect(lines[1].hasPrefix("~  Home     suspect: floods"), "\(lines[1])")
        #expect(lines.contains { $0.hasPrefix("avahi: running · 0 gateways answer, 1 suspect, 0 services") })
    }

    /// A gateway that is found again after its loss is counted as present, although its mark has not expired.
    @Test func whatComesAgainAfterALossIsPresent() throws {
        var model = Self.model(try Rows.mixed())
        let row = try #require(model.present.first { $0.isGateway })
        model.apply(.lost(row), now: .now)
        model.apply(.found(row), now: .now)
        #expect(model.present.contains(row))
        #expect(model.nextMarkEnds != nil)
    }
}
