import ArgumentParser
import DNSSD
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Discovery

/// A search distinguishes that something is absent from that the network cannot be observed.
@Suite struct GatewaySearchTests {
    private static let noDaemon = BackendError(.noDaemon, "no daemon.")

    private func failure(
        _ status: BackendStatus,
        _ events: [BotMapEvent] = [],
        connected: Set<String> = ["eth0"]
    ) -> CommandFailure {
        let snapshot = Rows.snapshot(events)
        let scan = ScanResult(
            services: snapshot.services,
            status: status,
            source: .avahi,
            warnings: [],
            elapsed: .seconds(3)
        )
        return GatewaySearchResult(rows: Rows.map(events).gateways, scan: scan)
            .failure("it is not here.", timeout: TimeLimit(seconds: 3), scope: ScanScope(connected: connected))
    }

    @Test func theNetworksTroubleIsTold() throws {
        #expect(failure(.running) == CommandFailure(.nothingFound, "it is not here."))
        #expect(failure(.running, connected: []).status == .unavailable)
        #expect(failure(.unavailable(Self.noDaemon)).status == .unavailable)
        #expect(failure(.starting).status == .unavailable)
        // If another gateway has answered, the search counts as finished; the message adds that the daemon is missing,
        // which may be why the gateway was not found.
        let other = failure(.unavailable(Self.noDaemon), try Rows.mixed())
        #expect(other == CommandFailure(.nothingFound, "it is not here. This may not be all: no daemon."))
    }

    /// Bots from the store are listed even if the network cannot be observed, with a warning. Only without any bots
    /// does the command fail.
    @Test func botsAreListedWithTheTroubleOfTheNetwork() throws {
        func conclusion(_ verdict: ScanVerdict, hasBots: Bool) -> (status: Int32, warnings: [String]) {
            var warnings: [String] = []
            do throws(CommandFailure) {
                try BotsCommand.conclude(verdict, hasBots: hasBots) { warnings.append($0) }
                return (0, warnings)
            } catch {
                return (error.status.rawValue, warnings)
            }
        }
        let away = ScanVerdict.failed(CommandFailure(.unavailable, "no network."))
        #expect(conclusion(away, hasBots: true) == (0, ["this may not be all: no network."]))
        #expect(conclusion(away, hasBots: false) == (69, []))
        let empty = ScanVerdict.failed(CommandFailure(.nothingFound, "nothing found."))
        #expect(conclusion(empty, hasBots: true) == (0, []))
        #expect(conclusion(empty, hasBots: false) == (1, []))
        #expect(conclusion(.found(warning: "this may not be all"), hasBots: true) == (0, ["this may not be all"]))
        #expect(conclusion(.found(warning: nil), hasBots: false) == (1, []))
    }

    @Test func aLiveTableSaysWhatItWaitsFor() {
        let running = BackendCondition(source: .avahi, status: .running)
        #expect(SessionTable.trouble(running).isEmpty)
        let away = BackendCondition(source: .avahi, status: .unavailable(Self.noDaemon))
        #expect(SessionTable.trouble(away) == ["waiting: no daemon."])
    }
}
