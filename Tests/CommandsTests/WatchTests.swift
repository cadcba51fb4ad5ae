import DNSSD
import GatewaySamples
import Testing

@testable import Commands

@Suite struct WatchTests {
    private static func picture(_ board: WatchBoard, rows: Int = 24) -> [String] {
        WatchPicture(
            board: board,
            status: .running,
            source: .avahi,
            warning: nil,
            lastChange: "12:00:00",
            style: Style(isOn: false)
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
        var board = WatchBoard()
        board.apply(.found(try Fixture.service(name: "stays", txt: [])), now: start)
        board.apply(.found(try Fixture.service(name: "goes", txt: [])), now: start)
        board.apply(.lost(try Fixture.service(name: "goes", txt: []), .withdrawn), now: start + .seconds(5))
        #expect(board.rows.map(\.mark) == [.lost(.withdrawn), .new])
        #expect(board.count == 1)
        var isChanged = board.expire(now: start + .seconds(9))
        #expect(!isChanged)
        isChanged = board.expire(now: start + .seconds(10))
        #expect(isChanged)
        #expect(board.rows.map(\.mark) == [.lost(.withdrawn), nil])
        isChanged = board.expire(now: start + .seconds(15))
        #expect(isChanged)
        #expect(board.rows.map(\.service.instance.name) == ["stays"])
    }

    @Test func whatComesBackIsPresent() throws {
        var board = WatchBoard()
        board.apply(.lost(try Fixture.service(), .withdrawn), now: .now)
        board.apply(.found(try Fixture.service()), now: .now)
        #expect(board.rows.map(\.mark) == [.new])
        #expect(board.services.count == 1)
    }

    @Test(arguments: [5, 8, 24])
    func pictureFitsTheTerminal(rows: Int) throws {
        var board = WatchBoard()
        for number in 0..<40 { board.apply(.found(try Fixture.service(name: "\(number)", txt: [])), now: .now) }
        let lines = Self.picture(board, rows: rows)
        #expect(lines.count == rows)
        #expect(lines.contains { $0.hasPrefix("… and ") })
    }

    @Test func pictureShowsMarksAndState() throws {
        var board = WatchBoard()
        #expect(Self.picture(board).first == "Nothing found yet.")
        board.apply(.found(try Fixture.service()), now: .now)
        let lines = Self.picture(board)
        #expect(lines[1].hasPrefix("+  Home  abc123"))
        #expect(lines.last == "avahi: running · 1 service · last change 12:00:00 · Ctrl-C ends")
    }

    @Test func newsAreToldOnce() {
        var news = BackendNews()
        func told(_ status: BackendStatus, _ warnings: [BackendWarning]) -> [BackendNews.Item] {
            news.take(status: status, warnings: warnings, source: .avahi)
        }
        let error = BackendError(.noDaemon, "no daemon.")
        let warning = BackendWarning(.cacheNearlyFull, "full")
        #expect(told(.starting, []).isEmpty)
        let both: [BackendNews.Item] = [.warning("full"), .warning("no daemon. Waiting for it.")]
        #expect(told(.unavailable(error), [warning]) == both)
        #expect(told(.unavailable(error), [warning]).isEmpty)
        #expect(told(.starting, [warning]).isEmpty)
        #expect(told(.running, [warning]) == [.note("avahi is there again.")])
        #expect(told(.running, [warning]).isEmpty)
    }
}
