import Foundation
import Glibc
import Testing

extension LabTests {
    /// A daemon that starts again on a host where our engine has published while it was away.
    @Suite struct RestartLabTests {
        /// A publisher on a host, and the host name of its daemon.
        struct Case: Sendable, CustomTestStringConvertible {
            let host: String
            let verb: String
            let name: String?
            var backend = "auto"

            /// The name of the published instance.
            var instance: String { "Again on \(host)" }

            var testDescription: String { "\(verb) --backend \(backend), the daemon is called \(name ?? host)" }
        }

        private static let cases = [
            Case(host: "again1", verb: "advertise", name: nil),
            Case(host: "again2", verb: "advertise", name: "elsewhere2"),
            Case(host: "again3", verb: "advertise --gateway", name: nil),
            Case(host: "again4", verb: "advertise --gateway", name: "elsewhere4"),
            Case(host: "again5", verb: "gateway", name: nil),
            Case(host: "again6", verb: "gateway", name: "elsewhere6"),
            Case(host: "again7", verb: "advertise", name: nil, backend: "embedded"),
            Case(host: "again8", verb: "advertise", name: "elsewhere8", backend: "embedded"),
        ]

        /// The daemon must be able to claim its host name at once, as if our engine did not publish on its host:
        /// without a host name, none of its services would be visible in the LAN. Our service must stay visible as
        /// well.
        @Test(arguments: [cases.prefix(4), cases.suffix(4)])
        func theDaemonComesUpUnderItsOwnName(tests: ArraySlice<Case>) async throws {
            _ = try await Array(tests).atOnce { try await Self.comesUpUnderItsOwnName($0) }
        }

        private static func comesUpUnderItsOwnName(_ test: Case) async throws {
            let (host, own) = (test.host, test.name ?? test.host)
            try await Lab.control("host", "add", host, "--no-daemon", "--config", "host-name=\(own)")
            // If a host has a routable IPv6 address, the daemon does not publish the link-local one, but our engine
            // does: their address records of the host differ, which must not cause a conflict.
            let address = "fd00:99::\(host.suffix(1))/64"
            let added = try await Lab.run(on: host, "ip", "address", "add", address, "dev", "eth0", "nodad")
            #expect(added.status == 0, "\(added.errors)")
            try await Lab.control("daemon", host, "start")
            try await Lab.control("daemon", host, "settle")
            let before = try conflicts(on: host)
            let processes = try await publish(test)
            for ending in ["stop", "kill"] {
                try await Lab.control("daemon", host, ending)
                // A new scan has no cached records: it is answered by our engine on that host.
                try await isFound(test.instance, from: "h3")
                try await Lab.control("daemon", host, "start")
                try await Lab.control("daemon", host, "settle")
                let canary = try Publisher.avahi(on: host, "Canary of \(host)")
                let watch = try Watch(on: "h1")
                let seen = try await watch.event("found", "Canary of \(host)").event.service
                #expect(seen.host == "\(own).local", "\(test.testDescription): after \(ending)")
                try await watch.stop()
                try await canary.stop(SIGINT)
                #expect(try conflicts(on: host) == before, "\(test.testDescription): after \(ending)")
                // Our service must still be visible too.
                try await isFound(test.instance, from: "h3")
            }
            for process in processes { try await process.stop(SIGINT) }
            // The host stays in the lab, and its daemon would process all that later tests publish: it is stopped.
            try await Lab.control("daemon", host, "stop")
        }

        /// Returns the lines about conflicts in the log of a host's daemon.
        private static func conflicts(on host: String) throws -> [String] {
            let log = try String(contentsOfFile: "/run/lab/\(host)/avahi.log", encoding: .utf8)
            return log.split(separator: "\n").map(String.init).filter { $0.contains("conflict") }
        }

        private static func publish(_ test: Case) async throws -> [LabProcess] {
            var processes: [LabProcess] = []
            func start(_ arguments: [String], of program: String = Lab.clawradar, until sign: String) async throws {
                let command = ["sh", "-c", "exec \"$@\" 2>&1", "sh", program] + arguments
                let process = try Lab.start(on: test.host, command)
                _ = try await process.line(within: .seconds(20), sign) { $0.contains(sign) }
                processes.append(process)
            }
            let name = ["--name", test.instance]
            let backend = ["--backend", test.backend]
            switch test.verb {
            case "advertise":
                try await start(["advertise", "--port", "3000"] + name + backend, until: "published")
            case "advertise --gateway":
                try await start(
                    ["--plain", "--no-advertise", "--host", "::", "--port", "4200"] + name,
                    of: Lab.referenceGateway,
                    until: "listens"
                )
                try await start(["advertise", "--gateway", "127.0.0.1:4200"] + backend, until: "published")
            default:
                try await start(
                    ["--plain", "--host", "::", "--port", "4200"] + name,
                    of: Lab.referenceGateway,
                    until: "published"
                )
            }
            return processes
        }

        private static func isFound(_ name: String, from host: String) async throws {
            for _ in 0..<10 {
                let scan = try await Lab.run(
                    on: host,
                    Lab.clawradar,
                    "scan",
                    "--no-probe",
                    "--backend",
                    "embedded",
                    "--timeout",
                    "2",
                    "--format",
                    "json"
                )
                if (try? ScanOutput(scan.output))?.service(name) != nil { return }
            }
            Issue.record("\(name) is not found from \(host)")
        }
    }
}
