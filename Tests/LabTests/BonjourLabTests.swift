import Bonjour
import DNSSD
import Discovery
import Foundation
import Glibc
import Testing

extension LabTests {
    /// Browsing over libdns_sd, as Avahi's library implements it, with the daemon of host h2. Except with the tool, the
    /// one-shot query that otherwise accompanies a browse does not run.
    @Suite struct BonjourLabTests {
        @Test func aServiceIsFoundWithTheAddressesOfBothFamiliesAndLostWithItsGoodbye() async throws {
            let name = "Esc.aped \\ Bonjour"
            let publisher = try Publisher.avahi(on: "h1", name, port: 4_321, txt: ["v=1"])
            try await BonjourSessions.browse { sightings in
                #expect(
                    await InProcess.wait(within: .seconds(10)) {
                        sightings.isResolved(name)
                            && Set(sightings.sighting(name)?.addresses.map(\.family) ?? []) == [.ipv4, .ipv6]
                    }
                )
                let sighting = try #require(sightings.sighting(name))
                #expect(sighting.source == .bonjour)
                #expect(sighting.host?.escaped == "h1.local")
                #expect(sighting.port == 4_321)
                #expect(sighting.txt?.string(forKey: "v") == "1")
                publisher.signal(SIGTERM)
                let start = ContinuousClock.now
                #expect(await InProcess.wait(within: .seconds(5)) { sightings.sighting(name) == nil })
                print("goodbye to lost, bonjour: \(ContinuousClock.now - start)")
                #expect(ContinuousClock.now - start < .seconds(2.5))
            }
        }

        @Test func aChangedTXTRecordIsSeenAtOnce() async throws {
            try await BonjourSessions.browse { sightings in
                try await BonjourSessions.publish("Changing") { _, source in
                    #expect(await InProcess.wait(within: .seconds(10)) { sightings.isResolved("Changing") })
                    for round in 1...3 {
                        // A responder may delay announcements of a record to one per second (RFC 6762 §6).
                        let gap = try await Lab.run(on: "h1", "sleep", "1.2")
                        #expect(gap.status == 0)
                        let start = ContinuousClock.now
                        source.send(try TXTRecord([("v", "changed \(round)")]))
                        #expect(
                            await InProcess.wait(within: .seconds(5)) {
                                sightings.sighting("Changing")?.txt?.string(forKey: "v") == "changed \(round)"
                            }
                        )
                        print("TXT change seen, bonjour: \(ContinuousClock.now - start)")
                        #expect(ContinuousClock.now - start < .milliseconds(600))
                    }
                }
            }
        }

        /// When the daemon restarts, every reference of Avahi's library fails, each at another moment. The backend must
        /// not report a loss for that.
        @Test func aRestartOfTheDaemonIsNoLoss() async throws {
            let publisher = try await Publisher.zeroconf(on: "h4", count: 60, prefix: "Stays")
            try await BonjourSessions.browse { sightings in
                #expect(await InProcess.wait(within: .seconds(20)) { sightings.resolved("Stays") == 60 })
                for round in 1...3 {
                    try await Lab.control("daemon", "h2", "restart")
                    let later = try Publisher.avahi(on: "h1", "Later \(round)")
                    #expect(await InProcess.wait(within: .seconds(15)) { sightings.isResolved("Later \(round)") })
                    try await later.stop()
                }
                // Instances that are not seen again after a restart are reported as lost before this time is over.
                let wait = try await Lab.run(on: "h1", "sleep", "5")
                #expect(wait.status == 0)
                #expect(sightings.resolved("Stays") == 60)
                #expect((0..<60).allSatisfy { !sightings.hasLost(String(format: "Stays %04d", $0)) })
            }
            try await publisher.stop()
        }

        @Test func aMissingDaemonIsReportedAndWaitedFor() async throws {
            try await Lab.control("daemon", "h2", "stop")
            let publisher = try Publisher.avahi(on: "h1", "Patient")
            try await BonjourSessions.browse { sightings in
                #expect(await InProcess.wait(within: .seconds(3)) { sightings.problem == .noDaemon })
                try await Lab.control("daemon", "h2", "start")
                #expect(await InProcess.wait(within: .seconds(10)) { sightings.isResolved("Patient") })
                #expect(sightings.statuses.last == .running)
            }
            try await publisher.stop()
        }

        /// A call of Avahi's library blocks up to 25 s while the daemon is frozen. It must not delay the end of a
        /// browse, nor other browses.
        @Test func aFrozenDaemonDelaysNoBrowseAndLeavesNothingBehind() async throws {
            // The first browse loads the library and opens what stays open in a process; this is no leak.
            try await BonjourSessions.browse { sightings in
                #expect(await InProcess.wait(within: .seconds(10)) { sightings.statuses.last == .running })
            }
            let before = InProcess.resources
            try await Lab.control("daemon", "h2", "freeze")
            let backend = InProcess.bonjour()
            for _ in 1...3 {
                var cancelled = ContinuousClock.now
                try await BonjourSessions.browse(backend) { sightings in
                    #expect(await InProcess.wait(within: .seconds(4)) { sightings.problem == .daemonNotAnswering })
                    cancelled = .now
                }
                print("end of a browse with a frozen daemon, bonjour: \(ContinuousClock.now - cancelled)")
                #expect(.now - cancelled < .milliseconds(700))
            }
            // All browses share one thread of ours, and Avahi's library has one.
            #expect(InProcess.resources.libraryThreads <= 2)

            // A browse that begins while the call still blocks works as soon as the call returns.
            try await BonjourSessions.browse(backend) { sightings in
                #expect(await InProcess.wait(within: .seconds(4)) { sightings.problem == .daemonNotAnswering })
                try await Lab.control("daemon", "h2", "thaw")
                #expect(await InProcess.wait(within: .seconds(10)) { sightings.statuses.last == .running })
            }
            #expect(
                await InProcess.wait(within: .seconds(5)) {
                    let now = InProcess.resources
                    return now.libraryThreads == 0 && now.descriptors <= before.descriptors && backend.references == 0
                },
                "before: \(before), now: \(InProcess.resources)"
            )
        }

        @Test func fiveHundredServicesPassWithin64References() async throws {
            let publisher = try await Publisher.zeroconf(on: "h4", count: 500, prefix: "Batch")
            let backend = InProcess.bonjour()
            var most = 0
            try await BonjourSessions.browse(backend) { sightings in
                let start = ContinuousClock.now
                let areThere = await InProcess.wait(within: .seconds(60)) {
                    most = max(most, backend.references)
                    return sightings.resolved("Batch") == 500
                }
                print("500 services, bonjour: \(ContinuousClock.now - start), at most \(most) references")
                #expect(areThere, "\(sightings.resolved("Batch")) are resolved")
            }
            #expect(most <= 64)
            #expect(backend.references == 0)
            try await publisher.stop(SIGKILL)
            // All at once they are forgotten sooner than by as many goodbyes.
            try await SharedHosts.forgetServices()
        }

        @Test func cancellationLeavesNoThreadAndNoDescriptorBehind() async throws {
            func once() async throws {
                try await BonjourSessions.browse { sightings in
                    try await BonjourSessions.publish("Leaves nothing") { _, _ in
                        #expect(await InProcess.wait(within: .seconds(10)) { sightings.isResolved("Leaves nothing") })
                    }
                }
            }
            // The first round loads the library and opens what stays open in a process; this is no leak.
            try await once()
            let before = InProcess.resources
            for _ in 1...3 { try await once() }
            #expect(
                await InProcess.wait(within: .seconds(5)) {
                    let now = InProcess.resources
                    return now.descriptors <= before.descriptors && now.libraryThreads == 0
                },
                "before: \(before), now: \(InProcess.resources)"
            )
        }

        @Test func sigpipeStaysAsTheProgramSetIt() async throws {
            signal(SIGPIPE, SIG_DFL)
            try await BonjourSessions.browse { sightings in
                #expect(await InProcess.wait(within: .seconds(10)) { sightings.statuses.last == .running })
            }
            var action = sigaction()
            sigaction(SIGPIPE, nil, &action)
            #expect(action.__sigaction_handler.sa_handler == nil, "the handler must be SIG_DFL, a null pointer")
        }

        // MARK: The tool

        @Test func theToolUsesAndReportsTheBackend() async throws {
            let publisher = try await Publisher.clawradar(on: "h3", "By libdns_sd", "--backend", "bonjour")
            let scan = try await Lab.run(
                on: "h1",
                Lab.clawradar,
                "scan",
                "--no-probe",
                "--backend",
                "bonjour",
                "--format",
                "json"
            )
            let output = try ScanOutput(scan.output)
            #expect(scan.status == 0)
            #expect(scan.errors.isEmpty, "\(scan.errors)")
            #expect(output.backend == "bonjour")
            #expect(output.service("By libdns_sd")?.port == 3_000)
            #expect(output.warnings.isEmpty, "\(output.warnings)")

            // The daemon sends a goodbye for a publisher that crashes.
            let watch = try Watch(on: "h1", "--backend", "bonjour")
            try await watch.event("found", "By libdns_sd")
            publisher.signal(SIGKILL)
            let killed = ContinuousClock.now
            let lost = try await watch.event("lost", "By libdns_sd")
            print("kill to lost, bonjour: \(lost.time - killed)")
            #expect(lost.time - killed < .seconds(2.5))
            try await watch.stop()
        }

        @Test func withoutADaemonTheToolSaysWhatToDo() async throws {
            try await Lab.control("daemon", "h1", "stop")
            let scan = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--backend", "bonjour")
            try await Lab.control("daemon", "h1", "start")
            #expect(scan.status == 69)
            #expect(scan.errors.contains("libdns_sd cannot reach its daemon"), "\(scan.errors)")
            #expect(scan.elapsed < .milliseconds(3_500))
        }
    }
}
