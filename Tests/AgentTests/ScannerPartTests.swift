import DNSSD
import Synchronization
import Testing

@testable import Agent

/// The reasons that the scanner gives for finding less than it could.
@Suite struct ScannerPartTests {
    /// Returns what is reported; `nil` if nothing is.
    private func report(_ status: BackendStatus, _ interfaces: Set<String>) -> String? {
        let said = Mutex<String?>(nil)
        ScannerPart.report(status, interfaces, to: PartReporter { reason in said.withLock { $0 = reason ?? "works" } })
        return said.withLock(\.self)
    }

    @Test func aBackendThatRunsOnANetworkWorks() { #expect(report(.running, ["eth0"]) == "works") }

    private static let noDaemon = BackendError(.noDaemon, "avahi-daemon is not running")

    /// An engine of our own runs also where there is nothing to hear.
    @Test(arguments: [BackendStatus.running, .starting, .unavailable(noDaemon)])
    func withoutANetworkTheReasonIsTheNetwork(status: BackendStatus) {
        #expect(report(status, [])?.hasPrefix("no network: ") == true)
    }

    @Test func aBackendWithoutItsDaemonSaysSo() {
        #expect(report(.unavailable(Self.noDaemon), ["eth0"]) == "avahi-daemon is not running")
    }

    @Test func aBackendThatStartsSaysNothingYet() { #expect(report(.starting, ["eth0"]) == nil) }
}
