import Bonjour
import DNSSD
import Foundation
import Testing

extension LabTests {
    /// Publishing over libdns_sd, as Avahi's library implements it, with the daemon of host h2.
    @Suite struct BonjourPublishLabTests {
        /// Returns the lines that `avahi-browse` on h1 lists for an instance, with its address and TXT record.
        private func rows(of name: String) async throws -> [String] {
            let seen = try await Lab.run(on: "h1", "avahi-browse", "-rpt", "_openclaw._tcp")
            let escaped = name.replacingOccurrences(of: " ", with: "\\032").replacingOccurrences(of: "#", with: "\\035")
            return seen.output.split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("=") && $0.contains(";\(escaped);")
            }
        }

        @Test func aPublicationIsSeenByOthersUntilItIsCancelled() async throws {
            let watch = try Watch(on: "h1", "--backend", "avahi")
            try await BonjourSessions.publish("Bonjour Gateway") { reported, source in
                #expect(
                    await InProcess.wait(within: .seconds(10)) {
                        reported.all.last == .published(name: "Bonjour Gateway")
                    }
                )
                try await watch.event("found", "Bonjour Gateway")
                let rows = try await rows(of: "Bonjour Gateway")
                #expect(!rows.isEmpty && rows.allSatisfy { $0.contains(";h2.local;") && $0.contains(#";1234;"v=1""#) })
                source.send(try TXTRecord([("v", "2")]))
                let (changed, _) = try await watch.event("changed", "Bonjour Gateway", changed: "txt")
                #expect(changed.service.txt == ["v": "2"])
            }
            // This uses our own watch: avahi-browse may never end if a service vanishes while it resolves it.
            try await watch.event("lost", "Bonjour Gateway")
            try await watch.stop()
        }

        /// A service whose name is taken is published under another name. If another host has the name, the daemon
        /// reports the conflict; if another program of this host has it, Avahi's library refuses the registration.
        @Test(arguments: ["h1", "h2"]) func aNameConflictRenamesThePublication(host: String) async throws {
            let name = "Taken on \(host)"
            let publisher = try Publisher.avahi(on: host, name, port: 4_321)
            try await BonjourSessions.browse { sightings in
                #expect(await InProcess.wait(within: .seconds(10)) { sightings.isResolved(name) })
                try await BonjourSessions.publish(name) { reported, _ in
                    #expect(
                        await InProcess.wait(within: .seconds(10)) {
                            reported.all.last == .published(name: "\(name) #2")
                        },
                        "\(reported.all)"
                    )
                    #expect(reported.all.contains(.renamed(from: name, to: "\(name) #2")))
                    #expect(await InProcess.wait(within: .seconds(10)) { sightings.isResolved("\(name) #2") })
                    #expect(sightings.sighting(name)?.port == 4_321)
                }
            }
            try await publisher.stop()
        }

        @Test func aPublicationComesBackWithItsDaemon() async throws {
            let watch = try Watch(on: "h1")
            try await BonjourSessions.publish("Back again") { reported, _ in
                try await watch.event("found", "Back again")
                try await Lab.control("daemon", "h2", "stop")
                #expect(
                    await InProcess.wait(within: .seconds(5)) {
                        guard case .publishing(.some(let error)) = reported.all.last else { return false }
                        return error.code == .noDaemon
                    },
                    "\(reported.all)"
                )
                try await watch.event("lost", "Back again")
                try await Lab.control("daemon", "h2", "start")
                try await watch.event("found", "Back again")
                #expect(
                    await InProcess.wait(within: .seconds(5)) { reported.all.last == .published(name: "Back again") }
                )
            }
            try await watch.event("lost", "Back again")
            try await watch.stop()
        }

        /// A publication ends at once even if the daemon is frozen, which withdraws the service when it runs again.
        @Test func aFrozenDaemonDoesNotHoldUpTheEndOfAPublication() async throws {
            let watch = try Watch(on: "h1", "--backend", "avahi")
            var cancelled = ContinuousClock.now
            try await BonjourSessions.publish("Frozen in") { reported, _ in
                #expect(
                    await InProcess.wait(within: .seconds(10)) { reported.all.last == .published(name: "Frozen in") }
                )
                try await watch.event("found", "Frozen in")
                try await Lab.control("daemon", "h2", "freeze")
                cancelled = .now
            }
            #expect(.now - cancelled < .milliseconds(700))
            try await Lab.control("daemon", "h2", "thaw")
            try await watch.event("lost", "Frozen in")
            try await watch.stop()
        }
    }
}
