import Foundation
import Glibc
import Testing

extension LabTests {
    /// An interface that a program names before it exists, as of a tunnel or an adapter that is plugged in later.
    @Suite struct NamedInterfaceLabTests {
        /// A backend on a host of its kind, with the first of the two LANs that are its own.
        struct Subject: Sendable, CustomTestStringConvertible {
            let backend: String
            let kind: LabHost.Kind
            let lan: Int

            var testDescription: String { backend }
        }

        static let subjects = [
            Subject(backend: "embedded", kind: .bare, lan: 110), Subject(backend: "avahi", kind: .avahi, lan: 112),
            Subject(backend: "bonjour", kind: .avahi, lan: 114),
        ]

        /// Browser and advertiser say the same of it, with its name, and go on when it comes, over every backend. Until then,
        /// neither looks or shows itself elsewhere.
        @Test(arguments: subjects) func whatComesLaterIsWaitedFor(_ subject: Subject) async throws {
            let (backend, lan) = (subject.backend, subject.lan)
            let late = try await LabHost.add("late-\(backend)", subject.kind, lan: lan, interfaces: 2)
            // Its first interface is in the LAN of the other's second one.
            let peer = try await LabHost.add("late-peer-\(backend)", .bare, lan: lan + 1)
            let other = try await Publisher.clawradar(on: peer.name, "Peer", "--backend", "embedded")
            let watch = try Watch(on: peer.name, "--backend", "embedded")
            let program = try Lab.start(on: late.name, [Lab.testTool, "named-interface", backend, "late0", "Late"])
            for part in ["browser: unavailable", "advertiser: waiting"] {
                let isSaid = await InProcess.wait(within: .seconds(10)) {
                    program.lines.contains { $0.text.hasPrefix("\(part): late0 is not up or has no address.") }
                }
                #expect(isSaid, "\(part): \(program.lines.map(\.text)) \(program.errorText)")
            }
            #expect(!program.lines.contains { $0.text == "browser: found Peer" })
            try await late.ip("link set eth1 down", "link set eth1 name late0", "link set late0 up")
            for line in ["browser: running", "browser: found Peer", "advertiser: published Late"] {
                let isSaid = await InProcess.wait(within: .seconds(20)) { program.lines.contains { $0.text == line } }
                #expect(isSaid, "\(line): \(program.lines.map(\.text)) \(program.errorText)")
            }
            try await watch.event("found", "Late", within: .seconds(20))
            #expect(try await program.stop().status == 0)
            try await watch.event("lost", "Late")
            try await watch.stop()
            try await other.stop()
        }
    }
}
