import Foundation
import Glibc
import Testing

extension LabTests {
    /// An interface that a user names before it exists, as of a tunnel or an adapter that is plugged in later.
    @Suite struct NamedInterfaceLabTests {
        /// Browser and advertiser say the same of it, with its name, and go on when it comes: over our engine and over
        /// avahi-daemon.
        @Test(arguments: LabHost.Kind.allCases) func whatComesLaterIsWaitedFor(kind: LabHost.Kind) async throws {
            let lan = kind == .avahi ? 2 : 5
            let late = try await LabHost.add("late-\(kind)", kind, lan: lan, interfaces: 2)
            // Its first interface is in the LAN of the other's second one.
            let peer = try await LabHost.add("late-peer-\(kind)", .bare, lan: lan + 1)
            let backend = ["--backend", kind == .avahi ? "avahi" : "embedded"]
            let browser = try Lab.start(
                on: late.name,
                [Lab.clawradar, "watch", "--no-probe", "--format", "ndjson", "--interface", "late0"] + backend
            )
            let advertiser = try Lab.start(
                on: late.name,
                [Lab.clawradar, "advertise", "--name", "Late", "--port", "3000", "--interface", "late0"] + backend
            )
            for process in [browser, advertiser] {
                let isSaid = await InProcess.wait(within: .seconds(10)) {
                    process.errorText.contains("late0 is not up or has no address.")
                        || process.lines.contains { $0.text.contains("late0 is not up or has no address.") }
                }
                #expect(isSaid, "\(process.errorText) \(process.lines.map(\.text))")
            }
            let other = try await Publisher.clawradar(on: peer.name, "Peer", "--backend", "embedded")
            let watch = try Watch(on: peer.name, "--backend", "embedded")
            try await late.ip("link set eth1 down", "link set eth1 name late0", "link set late0 up")
            _ = try await browser.line(within: .seconds(20), "service of the peer") {
                WatchEvent($0).map { $0.event == "found" && $0.service.instance == "Peer" } ?? false
            }
            try await watch.event("found", "Late", within: .seconds(20))
            for process in [browser, advertiser] { #expect(try await process.stop(SIGINT).status == 0) }
            try await watch.event("lost", "Late")
            try await watch.stop()
            try await other.stop()
        }
    }
}
