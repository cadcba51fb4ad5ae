import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

/// A paired gateway that does not answer is gone in `watch`, too, but not while it is just being asked.
@Suite struct WatchAwayTests {
    private static let time = Timestamp(milliseconds: 1_795_000_000_000)

    /// A gateway that is paired; something leads to its place.
    ///
    /// - Parameter fingerprint: Its fingerprint; `nil` if it is known by its place alone, which is a path of its row then.
    private static func paired(_ fingerprint: String? = nil) throws -> [BotMapEvent] {
        let row = fingerprint.flatMap { GatewayFingerprint($0) }.map(GatewayID.fingerprint)
        let key = BotKey(
            gateway: row ?? .candidate(.endpoint(Rows.endpoint())),
            bot: try #require(BotID("jarvis"))
        )
        let marks = PairedMarks(dialect: .optaplus, proof: .address, home: Rows.endpoint(), places: [Rows.endpoint()])
        return [
            .paired(PairedBot(id: key, name: "Jarvis", gatewayName: "Home", marks: marks)),
            .endpointAdded(Rows.endpoint(), .local),
        ]
    }

    /// Nobody answers where the gateway was.
    private static let silence = BotMapEvent.probed(Rows.endpoint(), .nothing(.refused))

    /// A watch, as a table and as lines.
    private struct Watch {
        private var map = BotMap()
        private var revision: UInt64 = 0
        private var model = GatewayTableModel()
        private var lines = GatewayLines(format: .table)

        /// The lines so far, without their times of day.
        private(set) var told: [String] = []

        mutating func apply(_ events: [BotMapEvent]) {
            let changes = events.flatMap { map.apply($0) }.map(ConstellationChange.gateway)
            revision += 1
            let update = ConstellationUpdate.changes(changes, revision: revision)
            model.apply(update, now: .now)
            told += lines.take(update, at: WatchAwayTests.time).map { String($0.dropFirst(9).dropLast()) }
        }

        mutating func noteLooked() {
            model.noteLooked()
            told += lines.noteLooked(at: WatchAwayTests.time).map { String($0.dropFirst(9).dropLast()) }
        }

        /// The state of the only gateway, and its bots.
        var shown: [String] {
            let caption = LiveTableCaption(status: [], lastChange: "", style: Style(isOn: false))
            let lines = model.lines(Terminal(columns: 80, rows: 24), caption)
            let words = lines.dropFirst().first.map { $0.split(separator: " ").map(String.init) } ?? []
            return Array(words.drop { $0 != "Home" }.dropFirst().prefix(1))
                + lines.dropFirst(2).prefix(1).map { $0.drop { $0 == " " } }.map(String.init)
        }

        /// The text that stays on the terminal at the end.
        var rest: String { model.text(width: nil, style: Style(isOn: false)) }
    }

    @Test(arguments: [nil, "abc123"]) func whatHasNotAnsweredIsAwayOnceTheLookIsOver(fingerprint: String?) throws {
        var watch = Watch()
        watch.apply(try Self.paired(fingerprint) + [Self.silence])
        #expect(watch.shown == ["-", "Jarvis (paired)"])
        #expect(!watch.rest.contains("gone"))
        watch.noteLooked()
        #expect(watch.shown == ["gone", "Jarvis (gone)"])
        #expect(watch.rest.contains("gone"))
        #expect(watch.told.last == (fingerprint == nil ? "~ Home  10.0.0.2:3000  gone" : "~ Home  gone"))
        watch.noteLooked()
        watch.apply([Self.silence])
        #expect(watch.told.count { $0.hasSuffix("gone") } == 1, "it is said once: \(watch.told)")
    }

    /// A probe may take longer than the look.
    @Test func whatIsJustBeingAskedIsNotAway() throws {
        var watch = Watch()
        watch.apply(try Self.paired())
        watch.noteLooked()
        #expect(watch.shown == ["-", "Jarvis (paired)"])
        #expect(watch.told.allSatisfy { !$0.contains("gone") }, "\(watch.told)")
        watch.apply([Self.silence])
        #expect(watch.shown == ["gone", "Jarvis (gone)"])
        #expect(watch.told.last == "~ Home  10.0.0.2:3000  gone", "\(watch.told)")
    }

    @Test func whatAnswersIsNotAway() throws {
        var watch = Watch()
        watch.apply(try Self.paired() + [Self.silence])
        watch.noteLooked()
        watch.apply([.probed(Rows.endpoint(), Rows.gateway(fingerprint: nil, bots: []))])
        #expect(watch.shown.first == "answering")
        #expect(watch.told.last?.hasSuffix("gone") == false, "\(watch.told)")
    }

    /// A gateway that somebody pairs meanwhile, and for which nobody answers, is gone in its first line.
    @Test func whatIsFoundLaterIsAwayAtOnce() throws {
        var watch = Watch()
        watch.noteLooked()
        watch.apply(try Self.paired() + [Self.silence])
        #expect(watch.shown == ["gone", "Jarvis (gone)"])
        #expect(watch.told.last?.hasSuffix("1 bot: Jarvis (gone)") == true, "\(watch.told)")
    }

    /// A snapshot in place of what was missed does not say it again.
    @Test func aSnapshotDoesNotSayItAgain() throws {
        var lines = GatewayLines(format: .table)
        let rows = Rows.map(try Self.paired() + [Self.silence]).gateways
        let update = ConstellationUpdate.snapshot(
            ConstellationSnapshot(
                revision: 1,
                gateways: rows,
                services: [],
                backends: [],
                sessions: [],
                missedProblems: []
            )
        )
        _ = lines.take(update, at: Self.time)
        #expect(lines.noteLooked(at: Self.time).count == 1)
        #expect(lines.take(update, at: Self.time).isEmpty)
    }
}
