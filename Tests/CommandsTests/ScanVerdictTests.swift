import ArgumentParser
import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct ScanVerdictTests {
    private static let noDaemon = BackendError(.noDaemon, "no daemon.")

    private static func verdict(
        _ status: BackendStatus,
        services: [DiscoveredService] = [],
        elapsed: Duration = .seconds(3),
        interfaces: [String] = [],
        connected: Set<String> = ["eth0"]
    ) -> ScanVerdict {
        let result = ScanResult(services: services, status: status, source: .avahi, warnings: [], elapsed: elapsed)
        let scope = ScanScope(interfaces: interfaces, connected: connected)
        return ScanVerdict(result, timeout: TimeLimit(seconds: 3), scope: scope)
    }

    private static func status(_ verdict: ScanVerdict) -> Int32 {
        switch verdict {
        case .found: 0
        case .failed(let failure): failure.status.rawValue
        }
    }

    /// A scan that finds nothing has another exit status than one that could not look because no network is connected.
    @Test func findingNothingDiffersFromHavingNoNetwork() {
        #expect(Self.status(Self.verdict(.running)) == 1)
        #expect(Self.status(Self.verdict(.running, connected: [])) == 69)
        #expect(Self.status(Self.verdict(.running, interfaces: ["eth0"])) == 1)
        #expect(Self.status(Self.verdict(.running, interfaces: ["eth1"])) == 69)
    }

    /// Exit status 0 means that a gateway answered; neither an advertisement nor another answer is enough.
    @Test func aGatewayMustHaveAnswered() throws {
        func status(_ events: [BotMapEvent], _ backend: BackendStatus = .running) -> Int32 {
            let snapshot = Rows.snapshot(events)
            let result = ScanResult(
                services: snapshot.services,
                status: backend,
                source: .avahi,
                warnings: [],
                elapsed: .seconds(3)
            )
            return Self.status(
                ScanVerdict(
                    snapshot,
                    result,
                    timeout: TimeLimit(seconds: 3),
                    scope: ScanScope(connected: ["eth0"])
                )
            )
        }
        let mixed = try Rows.mixed()
        #expect(status(mixed) == 0)
        #expect(status(mixed.filter { if case .probed(_, .gateway, _) = $0 { false } else { true } }) == 1)
        #expect(status(mixed + [.liveness(Rows.endpoint(), .gone)]) == 1)
        #expect(status([]) == 1)
        #expect(status([], .unavailable(Self.noDaemon)) == 69)
        // A gateway that the user named is probed without a daemon.
        let manual: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(), .local), .probed(Rows.endpoint(), Rows.gateway()),
        ]
        #expect(status(manual, .unavailable(Self.noDaemon)) == 0)
    }

    /// The missing daemon is mentioned even if other things were found without it: the gateway may be where only the
    /// daemon looks.
    @Test func noDaemonIsToldAlsoWhereOtherThingsWereFound() throws {
        let mixed = try Rows.mixed().filter { if case .probed(_, .gateway, _) = $0 { false } else { true } }
        let snapshot = Rows.snapshot(mixed)
        let result = ScanResult(
            services: snapshot.services,
            status: .unavailable(Self.noDaemon),
            source: .avahi,
            warnings: [],
            elapsed: .seconds(3)
        )
        let limit = TimeLimit(seconds: 3)
        let verdict = ScanVerdict(snapshot, result, timeout: limit, scope: ScanScope(connected: ["eth0"]))
        guard case .failed(let failure) = verdict else {
            Issue.record("no gateway answered, so that the scan must fail: \(verdict)")
            return
        }
        #expect(failure.status == .nothingFound)
        #expect(failure.message.hasSuffix("This may not be all: no daemon."))
    }

    @Test func noDaemonIsToldWithWhatToDo() {
        #expect(Self.verdict(.unavailable(Self.noDaemon)) == .failed(CommandFailure(Self.noDaemon)))
        #expect(Self.status(Self.verdict(.unavailable(Self.noDaemon))) == 69)
        #expect(Self.status(Self.verdict(.unavailable(BackendError(.internalFault, "")))) == 70)
        #expect(Self.status(Self.verdict(.starting)) == 69)
    }

    @Test func whatWasFoundCounts() throws {
        let services = [try Fixture.service()]
        #expect(Self.verdict(.running, services: services) == .found(warning: nil))
        #expect(
            Self.verdict(.unavailable(Self.noDaemon), services: services)
                == .found(warning: "this may not be all: no daemon.")
        )
    }

    @Test func servicesArePrintedOnce() throws {
        let lines = Lines()
        let printer = ServicePrinter { lines.append($0) }
        let resolved = try Fixture.service(name: "a", txt: [])
        let failed = try Fixture.service(name: "b", resolution: .failed(reason: "no SRV record"))
        try printer.take(.services(.found(failed)))
        #expect(lines.all.isEmpty)
        try printer.take(.services(.found(resolved)))
        try printer.take(.services(.changed(resolved, [.txt])))
        #expect(lines.all.count == 1)
        try printer.finish(NetworkSnapshot(rows: [], services: [resolved, failed]))
        #expect(lines.all.count == 2)
        #expect(lines.all.last?.contains(#""unresolved":"no SRV record""#) == true)
    }
}
