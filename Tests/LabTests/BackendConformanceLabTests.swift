import DNSSD
import Discovery
import Foundation
import Glibc
import Testing

extension LabTests {
    /// The behaviour that every backend must show, tested only through ``ServiceBackend``. A backend declares the
    /// capabilities that it lacks, which are printed.
    @Suite struct BackendConformanceLabTests {
        typealias Subject = BackendRecording.Subject

        static let subjects = [
            Subject(backend: "avahi", host: "h1", daemon: "avahi-daemon"),
            Subject(backend: "bonjour", host: "h1", daemon: "avahi-daemon"),
            Subject(backend: "embedded", host: "conform", daemon: nil),
        ]

        /// Adds the host of a subject to the lab, if the backend needs a host without a daemon.
        private static func prepare(_ subject: Subject) async throws {
            guard subject.daemon == nil, !FileManager.default.fileExists(atPath: "/run/lab/\(subject.host)") else {
                return
            }
            try await Lab.control("host", "add", subject.host, "--no-daemon", "--no-bus", "--interfaces", "2")
        }

        private static func capabilities(_ subject: Subject) throws -> BackendCapabilities {
            let choice = try #require(BackendChoice(rawValue: subject.backend))
            return try Backends.unaccompanied(choice).capabilities
        }

        private static func report(_ subject: Subject, _ what: String) {
            print("conformance: \(subject.backend): \(what)")
        }

        private static func browse(_ subject: Subject) async throws -> BackendRecording {
            try await prepare(subject)
            return try BackendRecording(subject, "browse", "_openclaw._tcp")
        }

        private static func publish(_ subject: Subject, _ name: String) async throws -> BackendRecording {
            try await prepare(subject)
            return try BackendRecording(subject, "publish", "_openclaw._tcp", name, "4321", "v=1", "v=2")
        }

        /// Returns the lines that avahi-browse on h3 lists for an instance.
        private static func rows(of name: String) async throws -> [String] {
            let browse = try await Lab.run(on: "h3", "avahi-browse", "-rpt", "_openclaw._tcp")
            return browse.output.split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("=") && $0.contains(";\(name);")
            }
        }

        /// Returns whether all lines of an instance fulfil the condition in one of five runs of avahi-browse. Several
        /// runs may be necessary, since a change is announced on each link separately.
        private static func rows(of name: String, become isExpected: (String) -> Bool) async throws -> Bool {
            for _ in 1...5 {
                let rows = try await rows(of: name)
                if !rows.isEmpty, rows.allSatisfy(isExpected) { return true }
            }
            return false
        }

        /// Prints a table of the capabilities that each backend declares.
        @Test func declaresWhatItCannotDo() throws {
            for subject in Self.subjects {
                let capabilities = try Self.capabilities(subject)
                for (capability, name) in BackendCapabilities.names {
                    Self.report(subject, "\(name): \(capabilities.contains(capability) ? "yes" : "declared absent")")
                }
                let backend = try Backends.unaccompanied(try #require(BackendChoice(rawValue: subject.backend)))
                #expect(backend.source.rawValue == subject.backend)
            }
        }

        /// A service whose name needs escaping is found and resolved on both interfaces, with addresses of both
        /// families, and vanishes with its goodbye.
        @Test(arguments: subjects) func seesAServiceComeAndGo(_ subject: Subject) async throws {
            let name = "Esc.aped \\ \(subject.backend)"
            let capabilities = try Self.capabilities(subject)
            let publisher = try Publisher.avahi(on: "h2", name, port: 4_321, txt: ["v=1"])
            let browse = try await Self.browse(subject)
            let expected = capabilities.contains(.reportsFamilies) ? 4 : 2
            let isSeen = await browse.wait(for: name) { sightings in
                sightings.count == expected
                    && sightings.values.allSatisfy {
                        $0.isResolved == true && $0.txt != nil && $0.addresses?.isEmpty == false
                    }
                    && Set(sightings.values.flatMap { $0.addresses ?? [] }).contains { $0.contains(":") }
            }
            let sightings = browse.sightings(of: name)
            #expect(isSeen, "\(sightings)")
            #expect(Set(sightings.keys.map(\.interface)) == ["eth0", "eth1"])
            let addresses = [try await Lab.address("h2", "eth0"), try await Lab.address("h2", "eth1")]
            let seen = Set(sightings.values.flatMap { $0.addresses ?? [] })
            #expect(seen.isSuperset(of: addresses), "\(seen)")
            for sighting in sightings.values {
                #expect(sighting.host == "h2.local")
                #expect(sighting.port == 4_321)
                #expect(sighting.txt == ["v=1"])
                #expect(sighting.source == subject.backend)
            }
            publisher.signal(SIGTERM)
            let end = ContinuousClock.now
            #expect(await browse.wait(for: name, within: .seconds(3)) { $0.isEmpty })
            let goodbye = ContinuousClock.now - end
            Self.report(
                subject,
                "found, resolved and escaped on \(sightings.count) paths; goodbye seen after \(goodbye)"
            )
            try await browse.stop()
        }

        /// A browse reports a changed TXT record, and the crash of a publisher, for which its daemon sends the goodbye.
        @Test(arguments: subjects) func seesChangesAndCrashes(_ subject: Subject) async throws {
            let name = "Changing \(subject.backend)"
            let publisher = try await Self.publish(Subject(backend: "avahi", host: "h2", daemon: ""), name)
            let browse = try await Self.browse(subject)
            #expect(await browse.wait(for: name) { $0.values.contains { $0.txt == ["v=1"] } })
            let change = ContinuousClock.now
            publisher.process.signal(SIGUSR1)
            let isWatched = try Self.capabilities(subject).contains(.watchesEveryTXTRecord)
            let limit: Duration = isWatched ? .seconds(2) : .seconds(10)
            #expect(await browse.wait(for: name, within: limit) { $0.values.contains { $0.txt == ["v=2"] } })
            let crash = ContinuousClock.now
            publisher.process.signal(SIGKILL)
            #expect(await browse.wait(for: name, within: .seconds(4)) { $0.isEmpty })
            Self.report(subject, "TXT change \(crash - change), crash of the publisher \(crash.duration(to: .now))")
            try await browse.stop()
        }

        /// A service whose name is taken is published under another name, which is reported, and which other hosts see.
        /// Its TXT record can be updated, and a goodbye is sent at its end.
        @Test(arguments: subjects) func renamesOnConflictAndUpdatesItsTXTRecord(_ subject: Subject) async throws {
            let name = "Taken-\(subject.backend)"
            let theirs = try Publisher.avahi(on: "h2", name, port: 1_234)
            let watch = try Watch(on: "h3", "--backend", "avahi")
            try await watch.event("found", name)
            let ours = try await Self.publish(subject, name)
            try await ours.event("a rename", within: .seconds(15)) { $0.event == "renamed" && $0.name == "\(name) #2" }
            try await ours.event("the other name published") { $0.event == "published" && $0.name == "\(name) #2" }
            try await watch.event("found", "\(name) #2")
            let escaped = "\(name)\\032\\0352"
            #expect(try await Self.rows(of: escaped) { $0.contains(";4321;") && $0.contains(#""v=1""#) })
            ours.process.signal(SIGUSR1)
            let changed = await InProcess.wait(within: .seconds(5)) {
                watch.events.contains {
                    $0.event == "changed" && $0.service.instance == "\(name) #2" && $0.changed == ["txt"]
                }
            }
            #expect(changed)
            #expect(try await Self.rows(of: escaped) { $0.contains(#""v=2""#) })
            #expect(try await Self.rows(of: name) { $0.contains(";1234;") })
            let end = ContinuousClock.now
            #expect(try await ours.stop().status == 0)
            let lost = try await watch.event("lost", "\(name) #2")
            Self.report(subject, "renamed once, TXT updated, goodbye seen after \(lost.time - end)")
            #expect(lost.time - end < .seconds(3))
            try await watch.stop()
            try await theirs.stop()
        }

        /// The services of a process that crashes are withdrawn, if a daemon has published them: it sends the goodbye.
        @Test(arguments: subjects) func isWithdrawnWhenTheProcessDies(_ subject: Subject) async throws {
            guard try Self.capabilities(subject).contains(.withdrawsAfterCrash) else {
                Self.report(subject, "withdrawn after a crash: declared absent")
                return
            }
            let watch = try Watch(on: "h3", "--backend", "avahi")
            let ours = try await Self.publish(subject, "Dies \(subject.backend)")
            try await watch.event("found", "Dies \(subject.backend)")
            let crash = ContinuousClock.now
            ours.process.signal(SIGKILL)
            let lost = try await watch.event("lost", "Dies \(subject.backend)")
            Self.report(subject, "withdrawn \(lost.time - crash) after a crash")
            #expect(lost.time - crash < .seconds(3))
            try await watch.stop()
        }

        /// A restart of the daemon causes no loss of a service of others, and our service is published again.
        @Test(arguments: subjects) func aRestartIsNoLoss(_ subject: Subject) async throws {
            guard subject.daemon != nil else {
                Self.report(subject, "restart of the daemon: there is none")
                return
            }
            let (name, later) = ("Stays \(subject.backend)", "Later \(subject.backend)")
            let publisher = try Publisher.avahi(on: "h2", name)
            let browse = try await Self.browse(subject)
            let ours = try await Self.publish(subject, "Ours \(subject.backend)")
            try await ours.event("published") { $0.event == "published" }
            #expect(await browse.wait(for: name) { $0.values.contains { $0.isResolved == true } })
            try await Lab.control("daemon", subject.host, "restart")
            let second = try Publisher.avahi(on: "h2", later)
            let isSeen = await browse.wait(for: later, within: .seconds(20)) { sightings in
                sightings.values.contains { $0.isResolved == true }
            }
            #expect(isSeen)
            try await ours.event("published again", within: .seconds(20)) { $0.event == "published" }
            #expect(!browse.events.contains { $0.event == "vanished" && $0.name == name })
            Self.report(subject, "restart of the daemon: no loss, published again")
            try await browse.stop()
            try await ours.stop()
            for process in [publisher, second] { try await process.stop() }
        }

        /// A browse resolves more services than the backend may resolve at the same time.
        @Test(.enabled(if: Lab.zeroconfPython != nil), arguments: subjects)
        func resolvesFiveHundredServices(_ subject: Subject) async throws {
            let prefix = "Five \(subject.backend)"
            let publisher = try await Publisher.zeroconf(on: "h3", count: 500, prefix: prefix)
            let start = ContinuousClock.now
            let browse = try await Self.browse(subject)
            func resolved() -> Int {
                let events = browse.events.filter { $0.isResolved == true && $0.name?.hasPrefix(prefix) == true }
                return Set(events.compactMap(\.name)).count
            }
            let isDone = await InProcess.wait(within: .seconds(30)) { resolved() == 500 }
            Self.report(subject, "\(resolved()) of 500 services after \(start.duration(to: .now))")
            #expect(isDone)
            try await browse.stop()
            try await publisher.stop(SIGKILL)
            // All at once they are forgotten sooner than by as many goodbyes.
            try await SharedHosts.forgetServices()
        }

        /// A cancelled browse ends at once, and leaves no descriptor and no thread behind.
        @Test(arguments: subjects) func leavesNothingBehind(_ subject: Subject) async throws {
            let browse = try await Self.browse(subject)
            var ends: [BackendRecording.Event] = []
            for _ in 0..<5 {
                try await browse.event("a browse that runs") { $0.event == "running" }
                browse.process.signal(SIGUSR1)
                ends.append(try await browse.event("its end") { $0.event == "ended" }.event)
            }
            // Some descriptors and threads are created once per process, such as those of Dispatch: on a busy machine the last
            // of them exist only after the second browse.
            let second = ends[1]
            for end in ends.dropFirst(2) {
                #expect(try #require(end.descriptors) <= second.descriptors ?? 0)
                #expect(try #require(end.threads) <= second.threads ?? 0)
                #expect(try #require(end.milliseconds) < 1_000)
            }
            Self.report(
                subject,
                "cancelled in \(ends.compactMap(\.milliseconds).max() ?? 0) ms, leaving \(ends.last?.descriptors ?? -1) "
                    + "descriptors and \(ends.last?.threads ?? -1) threads"
            )
            try await browse.stop()
        }
    }
}
