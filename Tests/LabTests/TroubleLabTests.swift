import Foundation
import Glibc
import Testing

extension LabTests {
    /// The tool without a daemon, without a system bus, and with a frozen daemon.
    @Suite struct TroubleLabTests {
        @Test func aStoppedDaemonIsExitCode69WithWhatToDo() async throws {
            try await Lab.control("daemon", "h1", "stop")
            let scan = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--backend", "avahi")
            try await Lab.control("daemon", "h1", "start")
            #expect(scan.status == 69)
            #expect(scan.errors.contains("avahi-daemon is not running"))
            #expect(scan.elapsed < .milliseconds(3_500))
        }

        @Test func aFrozenDaemonHoldsNobodyUp() async throws {
            try await Lab.control("daemon", "h1", "freeze")
            let scan = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--timeout", "3")
            try await Lab.control("daemon", "h1", "thaw")
            print("scan with a frozen daemon: \(scan.elapsed)")
            #expect(scan.status == 69)
            #expect(scan.errors.contains("does not answer"))
            // Its own limit, and what a busy machine needs to start it; libdbus would wait for 25 s.
            #expect(scan.elapsed < .seconds(5))
        }

        @Test func noBusIsExitCode69WithWhatToDo() async throws {
            // This needs a host of its own, since avahi-daemon ends when its system bus does.
            try await Lab.control("host", "add", "nobus", "--no-bus")
            let scan = try await Lab.run(on: "nobus", Lab.clawradar, "scan", "--backend", "avahi")
            #expect(scan.status == 69)
            #expect(scan.errors.contains("D-Bus"))
            #expect(scan.elapsed < .milliseconds(3_500))
        }

        /// Where the libraries are not installed, whoever asks for one of them is told so, and everybody else finds.
        @Test func withoutTheLibrariesTheEngineFinds() async throws {
            let hidden = "/usr/lib/*/libavahi-client.so.3* /usr/lib/*/libdns_sd.so*"
            let script = "for file in \(hidden); do mount --bind /dev/null $file || exit 1; done; exec \"$@\""
            let without = ["unshare", "--mount", "sh", "-c", script, "sh"]
            func scan(_ backend: String) async throws -> LabProcess.Result {
                let scan = [Lab.clawradar, "scan", "--no-probe", "--format", "json", "--backend", backend]
                return try await Lab.run(on: "h1", without + scan)
            }
            let avahi = try await scan("avahi")
            #expect(avahi.status == 69 && avahi.errors.contains("Install the package libavahi-client3."), "\(avahi)")
            let bonjour = try await scan("bonjour")
            #expect(bonjour.status == 69 && bonjour.errors.contains("libdns_sd cannot be loaded"), "\(bonjour)")
            let publisher = try await Publisher.clawradar(on: "h2", "For the engine")
            let found = try ScanOutput(try await scan("auto").output)
            #expect(found.backend == "embedded" && found.service("For the engine") != nil, "\(found)")
            try await publisher.stop()

            let watch = try Watch(on: "h2")
            let advertise = [Lab.clawradar, "advertise", "--name", "By the engine", "--port", "3000"]
            let engine = try Lab.start(on: "h1", without + advertise)
            try await watch.event("found", "By the engine")
            try await engine.stop()
            try await watch.stop()
        }

        @Test func watchWaitsForTheDaemonAndRecoversFromAFrozenOne() async throws {
            try await Lab.control("daemon", "h1", "stop")
            let watch = try Watch(on: "h1")
            let first = try await Publisher.clawradar(on: "h2", "First")
            try await Lab.control("daemon", "h1", "start")
            try await watch.event("found", "First")
            try await Lab.control("daemon", "h1", "freeze")
            let second = try await Publisher.clawradar(on: "h3", "Second")
            try await Lab.control("daemon", "h1", "thaw")
            try await watch.event("found", "Second", within: .seconds(15))
            #expect(!watch.events.contains { $0.event == "lost" })
            try await watch.stop()
            try await first.stop()
            try await second.stop()
        }

        @Test func ctrlCEndsAWatchAtOnceAlsoWhenTheDaemonIsFrozen() async throws {
            try await Lab.control("daemon", "h1", "freeze")
            let watch = try Lab.start(on: "h1", Lab.clawradar, "watch")
            let wait = try await Lab.run(on: "h1", "sleep", "1")
            #expect(wait.status == 0)
            let start = ContinuousClock.now
            let result = try await watch.stop(SIGINT)
            try await Lab.control("daemon", "h1", "thaw")
            #expect(result.status == 0)
            #expect(.now - start < .milliseconds(700))
        }
    }
}
