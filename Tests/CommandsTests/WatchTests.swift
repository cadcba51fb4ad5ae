import DNSSD
import GatewaySamples
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct WatchTests {
    private static func view(_ model: ServiceTableModel, rows: Int = 24) -> [String] {
        ServiceTableView(
            model: model,
            caption: LiveTableCaption(
                status: ["avahi: running"],
                lastChange: "12:00:00",
                style: Style(isOn: false)
            )
        )
        .lines(Terminal(columns: 120, rows: rows))
    }

    @Test func lines() throws {
        let before = try Fixture.service()
        let after = try Fixture.service(txt: [Array("name=Home".utf8), Array("bots=4".utf8)], port: 3001)
        func line(_ change: ServiceChange) -> String { WatchLine.text(change, before: before, time: "12:00:00") }
        #expect(line(.found(before)) == "12:00:00 + Home  10.0.0.2:3000  _openclaw._tcp")
        #expect(
            line(.changed(after, [.txt, .port]))
                == "12:00:00 ~ Home  10.0.0.2:3001  port 3001, txt bots=4 fp gone ver gone"
        )
        #expect(line(.lost(before, .withdrawn)) == "12:00:00 - Home  10.0.0.2:3000  withdrawn or expired")
    }

    @Test func marksGoAfterTenSeconds() throws {
        let start = ContinuousClock.now
        var model = ServiceTableModel()
        model.apply(.found(try Fixture.service(name: "stays", txt: [])), now: start)
        model.apply(.found(try Fixture.service(name: "goes", txt: [])), now: start)
        model.apply(.lost(try Fixture.service(name: "goes", txt: []), .withdrawn), now: start + .seconds(5))
        #expect(model.rows.map(\.mark) == [.lost(.withdrawn), .new])
        #expect(model.count == 1)
        var isChanged = model.expire(now: start + .seconds(9))
        #expect(!isChanged)
        isChanged = model.expire(now: start + .seconds(10))
        #expect(isChanged)
        #expect(model.rows.map(\.mark) == [.lost(.withdrawn), nil])
        isChanged = model.expire(now: start + .seconds(15))
        #expect(isChanged)
        #expect(model.rows.map(\.service.instance.name) == ["stays"])
    }

    @Test func whatComesBackIsPresent() throws {
        var model = ServiceTableModel()
        model.apply(.lost(try Fixture.service(), .withdrawn), now: .now)
        model.apply(.found(try Fixture.service()), now: .now)
        #expect(model.rows.map(\.mark) == [.new])
        #expect(model.services.count == 1)
    }

    @Test(arguments: [5, 8, 24])
    func viewFitsTheTerminal(rows: Int) throws {
        var model = ServiceTableModel()
        for number in 0..<40 { model.apply(.found(try Fixture.service(name: "\(number)", txt: [])), now: .now) }
        let lines = Self.view(model, rows: rows)
        #expect(lines.count == rows)
        #expect(lines.contains { $0.hasPrefix("… and ") })
    }

    @Test func viewShowsMarksAndState() throws {
        var model = ServiceTableModel()
        #expect(Self.view(model).first == "Nothing found yet.")
        model.apply(.found(try Fixture.service()), now: .now)
        let lines = Self.view(model)
        #expect(lines[1].hasPrefix("+  Home  abc123"))
        #expect(lines.last == "avahi: running · 1 service · last change 12:00:00 · Ctrl-C ends")
    }

    /// Each condition of a backend is reported once, when it begins and when it ends.
    @Test func newsAreToldOnce() {
        var messages = BackendMessages()
        func reported(_ status: BackendStatus, _ warnings: [BackendWarning]) -> [BackendMessages.Item] {
            messages.take(BackendCondition(source: .avahi, status: status, warnings: warnings))
        }
        let error = BackendError(.noDaemon, "no daemon.")
        let warning = BackendWarning(.cacheNearlyFull, "full")
        #expect(reported(.starting, []).isEmpty)
        let both: [BackendMessages.Item] = [.warning("full"), .warning("no daemon. Waiting for it.")]
        #expect(reported(.unavailable(error), [warning]) == both)
        #expect(reported(.unavailable(error), [warning]).isEmpty)
        // That another source works says nothing about this one.
        let other = BackendCondition(source: .embedded, status: .running, warnings: [warning])
        #expect(messages.take(other) == [.warning("full")])
        #expect(reported(.starting, [warning]).isEmpty)
        #expect(reported(.running, [warning]) == [.note("avahi is there again.")])
        #expect(reported(.running, [warning]).isEmpty)
    }

    /// Nothing waits for an agent that cannot be read, since the command looks for itself then.
    @Test func waitingIsSaidOnlyWhereSomethingWaits() {
        func said(_ code: ErrorCode<BackendError>) -> ([BackendMessages.Item], String?) {
            var messages = BackendMessages()
            let condition = BackendCondition(source: .agent, status: .unavailable(BackendError(code, "why.")))
            return (messages.take(condition), condition.lines.first)
        }
        #expect(said(.noDaemon) == ([.warning("why. Waiting for it.")], "waiting: why."))
        #expect(said(.internalFault) == ([.warning("why.")], "warning: why."))
    }
}
