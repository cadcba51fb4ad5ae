import ArgumentParser
import DNSSD
import Discovery
import GatewayProtocol
import Reports
import Scanning
import TestSupport
import Testing

@testable import Commands
@testable import Console

/// The output of a scan, in every format.
@Suite struct ScanGoldenTests {
    private static func snapshot() throws -> NetworkSnapshot {
        let events = try Neighbourhood.found()
        return NetworkSnapshot(rows: Rows.map(events).gateways, services: try Neighbourhood.services())
    }

    private static func result(
        _ services: [DiscoveredService],
        status: BackendStatus = .running,
        warnings: [String] = [],
        elapsed: Duration = .milliseconds(1_031)
    ) -> ScanResult {
        ScanResult(
            services: services,
            status: status,
            source: .avahi,
            warnings: warnings,
            losses: BackendLosses(packets: 2, entries: 3),
            elapsed: elapsed
        )
    }

    private static let noDaemon = BackendError(.noDaemon, "avahi-daemon is not running. Start it.")

    /// Returns the tables of several widths, each with its width as a heading.
    private static func tables(_ text: (Int?) -> String) -> String {
        [nil, 120, 80, 40, 20].map { width in
            "── \(width.map { "\($0) columns" } ?? "through a pipe")\n\(text(width))\n"
        }
        .joined()
    }

    /// Replaces the times at which lines were printed, which differ from run to run.
    private static func fixed(_ lines: [String]) -> String {
        lines.joined().replacing(/"(at|time)":"[^"]*"/) { "\"\($0.output.1)\":\"NOW\"" }
    }

    // MARK: Gateways

    @Test func table() throws {
        let snapshot = try Self.snapshot()
        let coloured = GatewayTable.text(snapshot, width: 80, style: Style(isOn: true))
        try Golden.scanTable.expect(
            Self.tables { GatewayTable.text(snapshot, width: $0) }
                + "── in colour\n\(coloured.replacing("\u{1B}", with: "␛"))\n── nothing\n"
                + GatewayTable.text(NetworkSnapshot(rows: [], services: []), width: 80)
        )
    }

    @Test func json() throws {
        let services = try Neighbourhood.services()
        let result = Self.result(services, status: .unavailable(Self.noDaemon), warnings: ["a warning"])
        let nothing = ScanReport(NetworkSnapshot(rows: [], services: []), scan: Self.result([]).report)
        try Golden.scanJSON.expect(
            ScanReport(try Self.snapshot(), scan: result.report).line + nothing.line
        )
    }

    @Test func lines() throws {
        let lines = Lines()
        let printer = GatewayPrinter { lines.append($0) }
        for service in try Neighbourhood.services() { try printer.take(.services(.found(service))) }
        var map = BotMap()
        for event in try Neighbourhood.found() { try printer.take(.rows(map.apply(event))) }
        try printer.finish(try Self.snapshot())
        try Golden.scanLines.expect(Self.fixed(lines.all))
    }

    // MARK: Services

    @Test func servicesTable() throws {
        let services = try Neighbourhood.services()
        try Golden.scanServicesTable.expect(
            Self.tables { ScanTable.text(services, width: $0) } + "── nothing\n" + ScanTable.text([], width: 80)
        )
    }

    @Test func servicesJSON() throws {
        let services = try Neighbourhood.services()
        let result = Self.result(services, status: .unavailable(Self.noDaemon), warnings: ["a warning"])
        try Golden.scanServicesJSON.expect(
            result.report.line + Self.result([]).report.line
        )
    }

    @Test func servicesLines() throws {
        let services = try Neighbourhood.services()
        let lines = Lines()
        let printer = ServicePrinter { lines.append($0) }
        for service in services { try printer.take(.services(.found(service))) }
        try printer.finish(NetworkSnapshot(rows: [], services: services))
        try Golden.scanServicesLines.expect(lines.all.joined())
    }

    @Test func openClaw() throws {
        let services = try Neighbourhood.services()
        let limit = Duration.seconds(3)
        try Golden.scanOpenClaw.expect(
            OpenClawReport.line(services, timeout: limit) + OpenClawReport.line([], timeout: limit)
        )
    }

    @Test func avahi() throws {
        try Golden.scanAvahi.expect(AvahiLines.bytes(try Neighbourhood.services()))
    }

    // MARK: Verdicts

    /// The message and the exit status of every way in which a scan can end.
    @Test func verdicts() throws {
        let services = try Neighbourhood.services()
        let statuses: [(String, BackendStatus)] = [
            ("running", .running), ("starting", .starting), ("no daemon", .unavailable(Self.noDaemon)),
            ("our fault", .unavailable(BackendError(.internalFault, "a fault."))),
        ]
        let networks: [(String, [String], Set<String>)] = [
            ("eth0 is connected", [], ["eth0"]), ("nothing is connected", [], []),
            ("--interface eth1, eth0 is connected", ["eth1"], ["eth0"]),
            ("--interface lo, nothing is connected", ["lo"], []),
        ]
        var lines: [String] = []
        func add(_ what: String, _ verdict: ScanVerdict) {
            switch verdict {
            case .found(let warning): lines.append("\(what): 0 \(warning ?? "")")
            case .failed(let failure): lines.append("\(what): \(failure.status.rawValue) \(failure.message)")
            }
        }
        let limit = TimeLimit(seconds: 3)
        for (status, backend) in statuses {
            for (network, interfaces, connected) in networks {
                for (found, services) in [("nothing", []), ("services", services)] {
                    let result = Self.result(services, status: backend, elapsed: .seconds(3))
                    add(
                        "--no-probe, \(status), \(network), \(found)",
                        ScanVerdict(
                            result,
                            timeout: limit,
                            scope: ScanScope(interfaces: interfaces, connected: connected)
                        )
                    )
                }
            }
            let all = try Neighbourhood.found()
            let others = all.filter { if case .probed(_, .gateway, _) = $0 { false } else { true } }
            let one: [BotMapEvent] = [
                .serviceFound(try Neighbourhood.simple("silent", 8)),
                .probed(Neighbourhood.endpoint(Neighbourhood.v4(8)), .nothing(.refused)),
            ]
            for (found, events) in [("nothing", []), ("gateways", all), ("no gateways", others), ("one thing", one)] {
                let snapshot = Rows.snapshot(events)
                let result = Self.result(snapshot.services, status: backend, elapsed: .seconds(3))
                add(
                    "\(status), \(found)",
                    ScanVerdict(snapshot, result, timeout: limit, scope: ScanScope(connected: ["eth0"]))
                )
            }
        }
        for types in ["_opnclaw._tcp", "_opneclaw-gw._tcp,_home", "_http._tcp", "_openclaw._tcp"] {
            let verdict = ScanVerdict(
                Self.result([]),
                timeout: limit,
                scope: ScanScope(connected: ["eth0"], types: [try ServiceType(types)])
            )
            add("--type \(types)", verdict)
        }
        let loopback = ScanVerdict(
            Self.result([]),
            timeout: limit,
            scope: ScanScope(interfaces: ["lo"], connected: ["eth0"], loopback: ["lo"])
        )
        add("--interface lo", loopback)
        for losses in [BackendLosses(packets: 1, entries: 0), BackendLosses(packets: 0, entries: 90)] {
            lines.append("losses: \(losses.text ?? "")")
        }
        try Golden.scanVerdicts.expect(lines.map { $0 + "\n" }.joined())
    }
}
