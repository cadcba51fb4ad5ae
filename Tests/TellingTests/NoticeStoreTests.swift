import Foundation
import GRDB
import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The history of gateways, and the messages that wait.
@Suite struct NoticeStoreTests {
    private static let start = Timestamp("2026-11-26T12:00:00.000Z")!
    private static let subject = Notice.Subject(key: "g", name: "Home\u{202E}")

    private static func at(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    @Test func outagesHaveTheirLengths() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        #expect(try store.begin(at: Self.start).isEmpty)
        let memory = GatewayMemory(.object(["told": "up", "hasAnswered": true]))!
        try store.take([.remember(Self.subject, memory)], for: [], at: Self.start)
        try store.take([.outageBegan(Self.subject, at: Self.at(100), reason: "refused")], for: [], at: Self.at(106))
        try store.take([.outageEnded(key: "g", at: Self.at(200))], for: [], at: Self.at(200))
        try store.take([], for: [], at: Self.at(1_000))
        let history = try store.history(since: Self.start, now: Self.at(1_000))
        #expect(history.outages.map { $0.ended } == [Self.at(200)])
        #expect(history.outages.first?.name == "Home\u{FFFD}")
        let gateway = try #require(history.gateways.first)
        #expect(history.uptime(of: gateway) == 0.9)
        let mode = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// A history of a later version is refused and left unchanged, as the store of pairings is: a package that was replaced
    /// by an earlier one destroys nothing that it does not know.
    @Test func aHistoryOfALaterVersionIsRefusedUntouched() throws {
        let folder = StoreFolder()
        let path = try {
            let store = try NoticeStore(folder: folder.path)
            try store.queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from later')") }
            return store.path
        }()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: NoticeStoreError.self) { try NoticeStore(folder: folder.path) }
        #expect(error?.description.contains("later version") == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func revocationsThatWereToldAreKnownFor90Days() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        try store.take([.toldRevoked(ids: ["a 1", "b/c 2"])], for: [], at: Self.start)
        try store.take([.toldRevoked(ids: ["a 1"])], for: [], at: Self.at(1))
        #expect(try NoticeStore(folder: folder.path).toldRevocations() == ["a 1", "b/c 2"])
        try store.begin(at: Self.at(91 * 86_400))
        #expect(try store.toldRevocations().isEmpty)
    }

    /// An event besides outages is there once, as the table and the report show it, and is forgotten like outages, also
    /// by an agent that never starts again.
    @Test func transitionsAreKeptFor90Days() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        let memory = GatewayMemory(.object(["told": "up", "hasAnswered": true]))!
        let lost = NoticeAction.happened(Self.subject, .wayLost, way: .tailnet, at: Self.at(10))
        let refused = NoticeAction.happened(Self.subject, .refused, at: Self.at(20))
        let outage = NoticeAction.outageBegan(Self.subject, at: Self.at(30), reason: nil, ways: [.lanIPv4, .tailnet])
        try store.take([.remember(Self.subject, memory), lost, refused, outage], for: [], at: Self.at(30))
        try store.take([lost, refused, .outageEnded(key: "g", at: Self.at(40))], for: [], at: Self.at(40))
        let history = try store.history(since: Self.start, now: Self.at(50))
        #expect(history.transitions.map(\.kind) == [.wayLost, .refused] && history.transitions[0].way == .tailnet)
        #expect(history.of(key: "g").transitions == history.transitions && history.of(key: "other").transitions.isEmpty)
        let report = GatewayHistoryReport(history).line
        #expect(
            report.contains(#""ways":["lan-ipv4","tailnet"]"#) && report.contains(#""kind":"way-lost""#),
            "\(report)"
        )
        // Whoever asks an agent for it has the same.
        #expect(try GatewayHistoryReport(JSONValue(parsing: Array(report.utf8))).history == history)
        #expect(throws: RecordingProblem.self) { try GatewayHistoryReport(JSONValue.object(["since": "today"])) }
        for day in 1...91 { try store.take([], for: [], at: Self.at(day * 86_400)) }
        let later = try store.history(since: Self.start, now: Self.at(91 * 86_400))
        #expect(later.transitions.isEmpty && later.outages.isEmpty)

        // A clock that jumps ahead by a year ends nothing.
        let now = 91 * 86_400
        let other = NoticeAction.happened(Self.subject, .refused, at: Self.at(now + 10))
        try store.take([other], for: [], at: Self.at(now + 10))
        try store.take([], for: [], at: Self.at(now + 365 * 86_400))
        #expect(try store.history(since: Self.start, now: Self.at(now + 20)).transitions.count == 1)
    }

    @Test func limitsAreKept() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        #expect(try store.limits() == NoticeLimits())
        let limits = NoticeLimits(.object(["all": JSONValue([Self.start.description])]))
        try store.take([.rememberLimits(NoticeLimits()), .rememberLimits(limits)], for: [], at: Self.start)
        #expect(try NoticeStore(folder: folder.path).limits() == limits && limits != NoticeLimits())
    }

    /// While no agent ran, a gateway was neither up nor down.
    @Test func aTimeWithoutAnAgentIsUnknown() throws {
        let folder = StoreFolder()
        var store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        let memory = GatewayMemory(.object(["told": "down", "hasAnswered": true]))!
        try store.take(
            [.remember(Self.subject, memory), .outageBegan(Self.subject, at: Self.at(0), reason: nil)],
            for: [],
            at: Self.at(100)
        )
        store = try NoticeStore(folder: folder.path)
        let subject = Notice.Subject(key: "g", name: "Home\u{FFFD}")
        #expect(try store.begin(at: Self.at(500)) == [RememberedGateway(subject, memory)])
        try store.take([.outageEnded(key: "g", at: Self.at(600))], for: [], at: Self.at(600))
        try store.take([], for: [], at: Self.at(1_100))
        let history = try store.history(since: Self.start, now: Self.at(1_100))
        #expect(history.unknown.map(\.began) == [Self.at(100)] && history.unknown.map(\.ended) == [Self.at(500)])
        // Down 100 s from 100, and 100 s of the 600 s after the agent is back.
        let gateway = try #require(history.gateways.first)
        let uptime = try #require(history.uptime(of: gateway))
        #expect(abs(uptime - 500.0 / 600.0) < 0.000_1)
        // Nobody writes any more.
        let later = try store.history(since: Self.at(1_100), now: Self.at(5_000))
        #expect(later.unknown.last?.reason == "no agent runs")
    }

    /// A clock that is set forward adds no time in which a gateway was up; and one that was behind, such as that of a host
    /// without a battery, takes none away that an earlier agent has seen.
    @Test func aClockThatIsSetAddsNothing() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        try store.begin(at: Self.start)
        let memory = GatewayMemory(.object(["told": "up", "hasAnswered": true]))!
        try store.take([.remember(Self.subject, memory)], for: [], at: Self.start)
        let outage = NoticeAction.outageBegan(Self.subject, at: Self.at(50), reason: nil)
        try store.take([outage, .outageEnded(key: "g", at: Self.at(60))], for: [], at: Self.at(60))
        let later = 400 * 86_400
        try store.take([.clockSet(from: Self.at(100), to: Self.at(later))], for: [], at: Self.at(later))
        try store.take([], for: [], at: Self.at(later + 100))
        var history = try store.history(since: Self.start, now: Self.at(later + 100))
        #expect(history.unknown.map(\.reason) == ["the clock of this host was set"])
        #expect(history.uptime(of: try #require(history.gateways.first)) == 0.95)

        // Set back again, it is watched since the time that it is now.
        try store.take([.clockSet(from: Self.at(later + 110), to: Self.at(200))], for: [], at: Self.at(200))
        // The next agent begins with a clock that is far behind, until a time server has answered.
        try store.begin(at: Self.at(-86_400))
        try store.take([.clockSet(from: Self.at(-86_390), to: Self.at(300))], for: [], at: Self.at(300))
        history = try store.history(since: Self.start, now: Self.at(300))
        #expect(history.unknown.map(\.began) == [Self.at(100), Self.at(200)])
        #expect(history.unknown.map(\.ended) == [Self.at(200), Self.at(300)])
    }

    /// A gateway that answers and is not ready is up, and the history has it, for as long as outages.
    @Test func timesOfNotBeingReadyAreKept() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        let memory = GatewayMemory(.object(["told": "up", "hasAnswered": true]))!
        try store.take(
            [
                .remember(Self.subject, memory),
                .unreadyBegan(Self.subject, at: Self.at(100), reason: "it is still starting"),
            ],
            for: [],
            at: Self.at(110)
        )
        try store.take([.unreadyEnded(key: "g", at: Self.at(160))], for: [], at: Self.at(170))
        let history = try store.history(since: Self.start, now: Self.at(200))
        #expect(history.notReady.map(\.began) == [Self.at(100)] && history.notReady.map(\.ended) == [Self.at(160)])
        #expect(
            history.outages.isEmpty && history.of(key: "g").notReady.count == 1
                && history.of(key: "other").notReady.isEmpty
        )
        #expect(GatewayHistoryReport(history).json["notReady"]?.array?.first?["durationMs"]?.int == 60_000)
        try store.begin(at: Self.at(91 * 86_400))
        #expect(try store.history(since: Self.start, now: Self.at(91 * 86_400)).notReady.isEmpty)
    }

    @Test func whatIsTooOldIsForgotten() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        try store.take(
            [.outageBegan(Self.subject, at: Self.at(0), reason: nil), .outageEnded(key: "g", at: Self.at(10))],
            for: [],
            at: Self.at(10)
        )
        try store.begin(at: Self.at(91 * 86_400))
        #expect(try store.history(since: Self.start, now: Self.at(91 * 86_400)).outages.isEmpty)
    }

    /// One that began before all that is kept, and lasts.
    @Test func anOutageThatLastsIsKept() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        let memory = GatewayMemory(.object(["told": "down", "hasAnswered": true]))!
        try store.take(
            [.remember(Self.subject, memory), .outageBegan(Self.subject, at: Self.at(0), reason: nil)],
            for: [],
            at: Self.at(1)
        )
        let later = Self.at(91 * 86_400)
        try store.begin(at: later)
        #expect(try store.history(since: later, now: later).outages.map(\.began) == [Self.start])
        try store.take([.outageEnded(key: "g", at: later)], for: [], at: later)
        #expect(try store.history(since: Self.start, now: later).outages.map(\.ended) == [later])
        // One whose end nobody has written lasts no longer than it is watched.
        try store.take([.outageBegan(Self.subject, at: later, reason: nil), .forget(key: "g")], for: [], at: later)
        try store.begin(at: Self.at(182 * 86_400 + 1))
        #expect(try store.history(since: Self.start, now: later).outages.isEmpty)
    }

    /// A time that lasts is one, however often it is written.
    @Test func aTimeWithoutNetworkIsOneRow() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        for minute in 1...5 {
            let time = NoticeAction.unknown(
                keys: ["g", "h"],
                from: Self.at(10),
                to: Self.at(minute * 60),
                reason: "no network"
            )
            try store.take([time], for: [], at: Self.at(minute * 60))
        }
        let unknown = try store.history(since: Self.start, now: Self.at(300)).unknown
        #expect(unknown.map(\.key) == ["g", "h"] && unknown.map(\.ended) == [Self.at(300), Self.at(300)])
    }

    /// An agent that fails again and again leaves one time without an agent, and one that has run for long leaves two.
    @Test func timesWithoutAnAgentAreOneIfNoneRanBetween() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        for minute in 1...5 {
            _ = try store.begin(at: Self.at(minute * 60))
            try store.take([], for: [], at: Self.at(minute * 60 + 1))
        }
        _ = try store.begin(at: Self.at(400))
        try store.take([], for: [], at: Self.at(1_000))
        _ = try store.begin(at: Self.at(1_100))
        let unknown = try store.history(since: Self.start, now: Self.at(1_100)).unknown
        #expect(unknown.map(\.began) == [Self.start, Self.at(1_000)])
        #expect(unknown.map(\.ended) == [Self.at(400), Self.at(1_100)])
    }

    /// A gateway that has never answered was neither up nor down: its history begins with its first answer.
    @Test func theHistoryBeginsWithTheFirstAnswer() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        let before = GatewayMemory(.object(["told": "up", "hasAnswered": false, "troubles": .array(["refused"])]))!
        try store.take([.remember(Self.subject, before)], for: [], at: Self.at(1))
        #expect(try store.history(since: Self.start, now: Self.at(2)).gateways.isEmpty)
        let after = GatewayMemory(.object(["told": "up", "hasAnswered": true]))!
        for second in [100, 200] {
            let subject = Notice.Subject(key: "g", name: "Name \(second)")
            try store.take([.remember(subject, after)], for: [], at: Self.at(second))
        }
        let gateway = try #require(try store.history(since: Self.start, now: Self.at(300)).gateways.first)
        #expect(gateway.since == Self.at(100) && gateway.name == "Name 200")
    }

    /// The gateways that were seen before are known to the next run, each once, and no more of them than there is room for.
    @Test func knownGatewaysAreKept() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        #expect(try store.knownGateways().isEmpty)
        try store.take([.learn(keys: ["a", "b"])], for: [], at: Self.start)
        try store.take([.learn(keys: ["b", "c"])], for: [], at: Self.start)
        #expect(try NoticeStore(folder: folder.path).knownGateways() == ["a", "b", "c"])
        try store.take([.learn(keys: (0..<NewGateways.most).map { "x\($0)" })], for: [], at: Self.start)
        let known = try store.knownGateways()
        #expect(known.count <= NewGateways.most && known.last == "x\(NewGateways.most - 1)" && !known.contains("a"))
    }

    @Test func messagesWaitInOrderForEachSink() throws {
        let folder = StoreFolder()
        var store = try NoticeStore(folder: folder.path)
        let notices = [Notice(.gone, [Self.subject], at: Self.at(1)), Notice(.back, [Self.subject], at: Self.at(2))]
        try store.take(notices.map(NoticeAction.tell), for: ["a", "b"], at: Self.at(2))
        let first = try #require(try store.next(for: "a"))
        #expect(first.count == 2 && first.message.kind == .gone)
        try store.noteFailure(of: first.message.id, for: "a")
        // An agent that starts again goes on with it, under the same number.
        store = try NoticeStore(folder: folder.path)
        let again = try #require(try store.next(for: "a"))
        #expect(again.message.id == first.message.id && again.message.tries == 1)
        try store.finish(again.message.id, for: "a")
        #expect(try store.next(for: "a")?.message.kind == .back)
        #expect(try store.next(for: "b")?.message.kind == .gone)
    }

    /// Messages for a sink that has another name now are kept for a day, and then given up, and not in silence.
    @Test func whatWaitsForARenamedSinkIsKept() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        for (index, kind) in [Notice.Kind.gone, .back].enumerated() {
            let notice = Notice(kind, [Self.subject], at: Self.at(index * 1_000))
            try store.take([.tell(notice)], for: ["a", "b"], at: notice.time)
        }
        #expect(try store.unclaimed(besides: ["a", "b"], at: Self.at(2_000)).trouble == nil)
        let renamed = try store.unclaimed(besides: ["a", "c"], at: Self.at(2_000))
        #expect(renamed.waiting == ["b": 2] && renamed.lost.isEmpty)
        #expect(renamed.trouble?.hasPrefix("b: 2 messages wait: the settings have no sink of this name") == true)
        #expect(try store.next(for: "b")?.message.kind == .gone)

        let late = try store.unclaimed(besides: ["a", "c"], at: Self.at(86_400 + 500))
        let reason = "given up after a day: the settings have no sink of this name"
        #expect(late.waiting == ["b": 1] && late.lost == [LostMessages(sink: "b", number: 1, reason: reason)])
        #expect(late.trouble?.hasSuffix("; b: a message was \(reason)") == true)
        #expect(try store.next(for: "b")?.message.kind == .back)
        #expect(try store.next(for: "a")?.count == 2)
        let later = try store.unclaimed(besides: ["a", "c"], at: Self.at(86_400 + 600))
        #expect(later.waiting == ["b": 1] && later.lost == late.lost)
        // Whoever changes the settings has seen it.
        try store.forgetLost(besides: ["a", "c"])
        #expect(try store.unclaimed(besides: ["a", "c"], at: Self.at(86_400 + 700)).lost.isEmpty)
    }

    /// Messages that are dropped since too many wait are counted, and it is shown for a week.
    @Test func whatIsDroppedIsShown() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        let notice = Notice(.gone, [Self.subject], at: Self.at(1))
        let all = Array(repeating: NoticeAction.tell(notice), count: NoticeStore.mostMessages)
        try store.take(all, for: ["a", "b"], at: Self.at(1))
        #expect(try store.lost(at: Self.at(1)).isEmpty)
        let first = try #require(try store.next(for: "b"))
        try store.finish(first.message.id, for: "b")
        try store.take([.tell(notice), .tell(notice)], for: ["a", "b"], at: Self.at(1))
        let lost = try store.lost(at: Self.at(2))
        #expect(lost.map { "\($0.sink) \($0.number)" } == ["a 2", "b 1"])
        #expect(lost.first?.trouble.hasPrefix("a: 2 messages were lost, the last one was dropped, since") == true)
        #expect(try store.next(for: "a")?.count == NoticeStore.mostMessages)
        #expect(try NoticeStore(folder: folder.path).lastLoss(of: "a", at: Self.at(7 * 86_400)) != nil)
        #expect(try store.lost(at: Self.at(7 * 86_400 + 1)).isEmpty)
    }

    @Test func aMuteEnds() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        try store.mute("g", until: Self.at(10))
        #expect(try store.mutes(at: Self.at(5)) == ["g": Self.at(10)])
        #expect(try store.mutes(at: Self.at(10)).isEmpty)
        try store.mute("g", until: Self.at(100))
        try store.mute("g", until: nil)
        #expect(try store.mutes(at: Self.at(5)).isEmpty)
    }
}
