import DNSSD
import Foundation
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Discovery

/// The output of a watch. The tool itself prints that of a recording; the rest comes from the types that the tool
/// prints with.
@Suite(.timeLimit(.minutes(1))) struct WatchGoldenTests {
    // MARK: Recordings

    private static let start = Timestamp(milliseconds: 1_795_000_000_000)

    /// The recording that other tests replay has the format that is written now: if it were outdated, those tests would
    /// protect the output of a format of the past.
    @Test func recording() throws {
        let lines = RecordingHeader(startedAt: Self.start).line + (try Neighbourhood.evening().flatMap(\.line))
        let pairing = try Self.pairing().enumerated().flatMap { index, event in
            RecordedEvent(at: .seconds(60 + index), event: event).line
        }
        try Golden.recording.expect(lines + pairing)
    }

    /// Returns the events of a pairing, one of which is a change of state that cannot occur, and the removal of an
    /// endpoint that the user had named.
    private static func pairing() throws -> [BotMapEvent] {
        guard let bot = BotID("bot-9"), let fingerprint = Neighbourhood.leaf.map({ "\($0)" }) else { return [] }
        let gateway = GatewayID.candidate(.service(try Neighbourhood.instance("Paired")))
        let key = BotKey(gateway: gateway, bot: bot)
        let manual = Neighbourhood.endpoint(Neighbourhood.v4(9))
        return [
            .paired(PairedBot(id: key, name: "Edith", emoji: "🕶", gatewayName: "Paired \(fingerprint.prefix(4))")),
            .stateChanged(key, .connecting), .stateChanged(key, .connected), .stateChanged(key, .discovered),
            .revoked(key), .unpaired(key), .endpointRemoved(manual),
        ]
    }

    @Test func table() async throws {
        let arguments = ["watch", "--replay", Golden.recording.file.path]
        try Golden.watchTable.expect(try await Tool.run(arguments).transcript)
    }

    @Test func lines() async throws {
        let arguments = ["watch", "--replay", Golden.recording.file.path, "--format", "ndjson"]
        try Golden.watchLines.expect(try await Tool.run(arguments).transcript)
    }

    // MARK: The live table

    /// The contents of the screen at each of these times of the recording, for several sizes of the terminal.
    @Test func screens() async throws {
        var text = ""
        for (seconds, columns, rows) in [
            (12, 80, 24), (12, 40, 24), (12, 120, 30), (12, 80, 8), (23, 80, 40), (25, 80, 40), (27, 80, 40),
            (40, 80, 40), (0, 80, 24),
        ] {
            for isColoured in columns == 80 && rows == 24 ? [false, true] : [false] {
                text += "── \(columns) × \(rows), second \(seconds)\(isColoured ? ", in colour" : "")\n"
                let view = try Self.view(at: .seconds(seconds), isColoured: isColoured)
                let lines = view.lines(Terminal(columns: columns, rows: rows))
                text += lines.map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined()
            }
        }
        let frame = Screen.enter + Screen.frame(["one", "two"]) + Screen.leave
        try Golden.watchScreens.expect(text + "── a frame\n\(frame.replacing("\u{1B}", with: "␛"))\n")
    }

    /// Returns the view that is on the screen when `end` has passed since the start of the recording.
    private static func view(at end: Duration, isColoured: Bool) throws -> GatewayTableView {
        let origin = ContinuousClock.now
        var model = GatewayTableModel()
        var map = BotMap()
        for recorded in try Neighbourhood.evening() where recorded.at < end {
            let now = origin + recorded.at
            _ = model.expire(now: now)
            let rows = map.apply(recorded.event).map(ConstellationChange.gateway)
            model.apply(.changes(map.serviceChanges.map(ConstellationChange.service) + rows, revision: 0), now: now)
        }
        _ = model.expire(now: origin + end)
        return GatewayTableView(
            model: model,
            caption: LiveTableCaption(
                status: BackendCondition(
                    source: .avahi,
                    status: .unavailable(BackendError(.noDaemon, "no daemon.")),
                    warnings: [BackendWarning(.cacheNearlyFull, "the cache is nearly full")]
                )
                .lines,
                lastChange: "12:00:00",
                style: Style(isOn: isColoured)
            )
        )
    }

    // MARK: Services

    private static func changes() throws -> [(change: ServiceChange, before: DiscoveredService?)] {
        let services = try Neighbourhood.services()
        let before = try Neighbourhood.home()
        let after = try Neighbourhood.home(bots: 5)
        let other = try Neighbourhood.simple("Home Gateway", 9, port: 4_000, txt: ["name=\u{1B}[2J", "x"])
        return services.map { (.found($0), nil) }
            + [(.changed(after, after.aspects(changedSince: before)), before)]
            + [(.changed(other, Set(ServiceAspect.allCases)), before)]
            + [(.changed(other, Set(ServiceAspect.allCases)), nil)]
            + [LossReason.withdrawn, .interfaceDown, .missingAfterRestart, .unanswered].map {
                (.lost(before, $0), before)
            }
    }

    @Test func servicesTable() throws {
        let lines = try Self.changes().map { WatchLine.text($0.change, before: $0.before, time: "12:00:00") + "\n" }
        try Golden.watchServicesTable.expect(lines.joined())
    }

    @Test func servicesLines() throws {
        let lines = try Self.changes().map { ServiceChangeReport($0.change, at: Self.start).line }
        try Golden.watchServicesLines.expect(lines.joined())
    }

    @Test func servicesScreens() throws {
        let origin = ContinuousClock.now
        var model = ServiceTableModel()
        for service in try Neighbourhood.services() { model.apply(.found(service), now: origin) }
        _ = model.expire(now: origin + .seconds(11))
        let changes = try Self.changes().filter { if case .found = $0.change { false } else { true } }.prefix(1)
        for (change, _) in changes { model.apply(change, now: origin + .seconds(12)) }
        model.apply(.lost(try Neighbourhood.studio(), .interfaceDown), now: origin + .seconds(12))
        model.apply(.found(try Neighbourhood.simple("new", 77)), now: origin + .seconds(12))
        let statuses: [(BackendStatus, String?)] = [
            (.running, nil), (.starting, "a warning"),
            (.unavailable(BackendError(.noDaemon, "no daemon.")), "a warning"),
        ]
        var text = ""
        for (columns, rows) in [(120, 24), (80, 24), (40, 24), (80, 6)] {
            for (status, warning) in columns == 80 && rows == 24 ? statuses : Array(statuses.prefix(1)) {
                let view = ServiceTableView(
                    model: model,
                    caption: LiveTableCaption(
                        status: BackendCondition(
                            source: .avahi,
                            status: status,
                            warnings: warning.map { [BackendWarning(.cacheNearlyFull, $0)] } ?? []
                        )
                        .lines,
                        lastChange: "12:00:00",
                        style: Style(isOn: columns == 120)
                    )
                )
                text += "── \(columns) × \(rows), \(status)\n"
                let lines = view.lines(Terminal(columns: columns, rows: rows))
                text += lines.map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined()
            }
        }
        try Golden.watchServicesScreens.expect(text)
    }

    // MARK: Messages and progress

    @Test func news() throws {
        var messages = BackendMessages()
        let error = BackendError(.noDaemon, "avahi-daemon is not running. Start it.")
        let warning = BackendWarning(.cacheNearlyFull, "the cache is nearly full.")
        let conditions: [(BackendStatus, [BackendWarning])] = [
            (.starting, []), (.unavailable(error), []), (.unavailable(error), [warning]), (.running, [warning]),
        ]
        var lines: [String] = []
        for (status, warnings) in conditions {
            let condition = BackendCondition(source: .avahi, status: status, warnings: warnings)
            for item in messages.take(condition) { lines.append("\(item)") }
            lines += condition.lines.map { "on the screen: \($0)" }
        }
        try Golden.watchNews.expect(lines.map { $0 + "\n" }.joined())
    }

    @Test func progress() throws {
        var progress = ScanProgress()
        var lines = [progress.text]
        (progress.services, progress.targets, progress.asked, progress.gateways) = (1, 1, 0, 1)
        lines.append(progress.text)
        (progress.services, progress.targets, progress.asked, progress.gateways) = (12, 10, 9, 7)
        progress.putOff = 3
        lines.append(progress.text)
        try Golden.progress.expect(lines.map { $0 + "\n" }.joined())
    }
}
