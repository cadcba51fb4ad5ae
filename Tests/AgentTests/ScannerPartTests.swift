import DNSSD
import Synchronization
import Testing

@testable import Agent

/// The reasons that the scanner gives for finding less than it could.
@Suite struct ScannerPartTests {
    /// Returns what is reported; `nil` if nothing is.
    private func report(_ status: BackendStatus, except doubts: [String] = []) -> String? {
        let said = Mutex<String?>(nil)
        ScannerPart.report(
            status,
            except: doubts,
            to: PartReporter { reason in said.withLock { $0 = reason ?? "works" } }
        )
        return said.withLock(\.self)
    }

    @Test func aBackendThatRunsWorks() { #expect(report(.running) == "works") }

    /// A domain without a server is no reason to call the scanner broken, and is told.
    @Test func domainsThatCannotBeBrowsedAreTold() {
        #expect(report(.running, except: ["a.example cannot be browsed"]) == "a.example cannot be browsed")
        #expect(report(.starting, except: ["a.example cannot be browsed"]) == nil)
    }

    @Test func aBackendThatIsUnavailableSaysWhy() {
        #expect(
            report(.unavailable(BackendError(.noDaemon, "avahi-daemon is not running")))
                == "avahi-daemon is not running"
        )
    }

    @Test func aBackendThatStartsSaysNothingYet() { #expect(report(.starting) == nil) }
}
