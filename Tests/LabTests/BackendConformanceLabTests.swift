import DNSSD
import Discovery
import Foundation
import Glibc
import Testing

extension LabTests {
    /// The behaviour that every backend must show, seen through ``ServiceBackend`` alone. What one cannot do it
    /// declares, and that is printed.
    @Suite struct BackendConformanceLabTests {
        typealias Subject = BackendRecording.Subject

        static let subjects = [
            Subject(backend: "avahi", host: "h1", daemon: "avahi-daemon"),
            Subject(backend: "bonjour", host: "h1", daemon: "avahi-daemon"),
            Subject(backend: "embedded", host: "conform", daemon: nil),
        ]

        /// A host without a daemon, for the backend that needs none.
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

        /// Returns whether every line of an instance fulfils the condition within a few looks: a change goes out on
        /// each link by itself, and is seen on one before it is on the other.
        private static func rows(of name: String, become isSo: (String) -> Bool) async throws -> Bool {
            for _ in 1...5 {
                let rows = try await rows(of: name)
                if !rows.isEmpty, rows.allSatisfy(isSo) { return true }
            }
            return false
        }

        /// The table of what is declared absent.
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

        /// Found, resolved, escaped, on both interfaces, with addresses of both families; gone with its goodbye.
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

        /// A changed record is told, and so is the end of a publisher that had no time for a goodbye of its own.
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

        /// A name that is taken gives way to another, which is told and seen by others; its record can be changed, and its
        /// end is a goodbye.
        @Test(arguments: subjects) func renamesAndKeepsItsTextTrue(_ subject: Subject) async throws {
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

        /// The services that a process has published do not stay visible when it dies, where there is somebody to take
        /// them back.
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

        /// A daemon that is restarted loses no service of others and none of ours.
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

        /// More services than a backend may ask for at once.
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
            // What it published stays in caches otherwise, in the way of the tests that follow.
            for host in ["h1", "h2", "h3"] { try await Lab.control("daemon", host, "restart") }
        }

        /// Nothing is left behind by a browse that is cancelled, and it ends at once.
        @Test(arguments: subjects) func leavesNothingBehind(_ subject: Subject) async throws {
            let browse = try await Self.browse(subject)
            var ends: [BackendRecording.Event] = []
            for _ in 0..<4 {
                try await browse.event("a browse that runs") { $0.event == "running" }
                browse.process.signal(SIGUSR1)
                ends.append(try await browse.event("its end") { $0.event == "ended" }.event)
            }
            // What is opened once in the life of a process is open after the first.
            let first = try #require(ends.first)
            for end in ends.dropFirst() {
                #expect(try #require(end.descriptors) <= first.descriptors ?? 0)
                #expect(try #require(end.threads) <= first.threads ?? 0)
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
