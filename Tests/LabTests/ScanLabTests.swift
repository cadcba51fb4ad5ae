import DNSSD
import Foundation
import Glibc
import Testing

extension LabTests {
    @Suite struct ScanLabTests {
        @Test(
            "all fields of a service of avahi-publish are right, whatever its name",
            arguments: [
                "Bob's Gateway", "Claw 🤖 👨‍👩‍👧", "a.b.c", #"back\slash \. \065"#, "tab\there", "-leading", "é (2) #3",
            ]
        )
        func fieldsAreRight(name: String) async throws {
            let txt = ["fp=abc123", "name=Home Gateway", "bots=3", "ver=3", "flag", "empty="]
            let publisher = try Publisher.avahi(on: "h2", name, port: 4321, txt: txt)
            let watch = try Watch(on: "h1")
            try await watch.event("found", name)
            try await watch.stop()

            let result = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--no-probe", "--format", "json")
            #expect(result.status == 0)
            let output = try ScanOutput(result.output)
            let service = try #require(output.service(name), "\(result.output)")
            #expect(output.backend == "avahi")
            #expect(output.services.filter { $0.instance == name }.count == 1)
            #expect(service.type == "_openclaw._tcp")
            #expect(service.domain == "local")
            #expect(service.host == "h2.local")
            #expect(service.port == 4321)
            #expect(service.addresses.first == (try await Lab.address("h2")))
            #expect(service.addresses.contains { $0.hasPrefix("fe80::") && $0.hasSuffix("%eth0") })
            #expect(
                Set(service.paths.map { "\($0.interface) \($0.family)" }).isSuperset(of: ["eth0 ipv4", "eth0 ipv6"])
            )
            #expect(service.paths.allSatisfy { $0.port == 4321 && $0.address != nil })
            #expect(
                service.txt == [
                    "fp": "abc123", "name": "Home Gateway", "bots": "3", "ver": "3", "flag": nil, "empty": "",
                ]
            )
            #expect(service.gateway.fingerprint == "abc123")
            #expect(service.gateway.name == "Home Gateway")
            #expect(service.gateway.bots == 3)
            #expect(service.gateway.version == 3)
            #expect(service.gateway.problems.isEmpty)
            try await publisher.stop()
        }

        @Test func controlCharactersNeverReachATerminal() async throws {
            let name = "evil\u{1B}[31m\u{202E}"
            let publisher = try Publisher.avahi(on: "h2", name, txt: ["fp=\u{1B}]0;x\u{07}"])
            let watch = try Watch(on: "h1")
            try await watch.event("found", name)
            try await watch.stop()
            for arguments in [["scan"], ["scan", "--no-probe"]] {
                let result = try await Lab.start(on: "h1", [Lab.clawradar] + arguments).finish(within: .seconds(10))
                #expect(result.output.contains("evil"))
                #expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
            }
            try await publisher.stop()
        }

        @Test func printsALineForEachServiceTheMomentItIsResolved() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Early")
            let scan = try Lab.start(
                on: "h1",
                Lab.clawradar,
                "scan",
                "--no-probe",
                "--format",
                "ndjson",
                "--timeout",
                "20"
            )
            let start = ContinuousClock.now
            let line = try await scan.line(within: .seconds(2), "line of Early") { $0.contains(#""Early""#) }
            let result = try await scan.finish(within: .seconds(10))
            // The scan goes on after the line, until nothing has changed for a second.
            #expect(result.elapsed - (line.time - start) > .milliseconds(700))
            #expect(result.elapsed < .seconds(5), "the scan must end before its timeout if all services are resolved")
            try await publisher.stop()
        }

        @Test func aScanWithoutAServiceIsExitCode1() async throws {
            let result = try await Lab.run(
                on: "h1",
                Lab.clawradar,
                "scan",
                "--timeout",
                "1",
                "--type",
                "_nobody._tcp",
                "--format",
                "json"
            )
            #expect(result.status == 1)
            #expect(try ScanOutput(result.output).services.isEmpty)
        }

        @Test func theOptionVerboseLogsTheBrowse() async throws {
            let arguments = ["scan", "--timeout", "0.5", "--type", "_nobody._tcp"]
            let quiet = try await Lab.start(on: "h1", [Lab.clawradar] + arguments).finish(within: .seconds(10))
            let verbose = try await Lab.start(on: "h1", [Lab.clawradar] + arguments + ["--verbose"])
                .finish(within: .seconds(10))
            #expect(verbose.errors.contains("browsing for _nobody._tcp"))
            #expect(!quiet.errors.contains("browsing for"))
        }

        @Test func aWrongTypeIsExitCode64() async throws {
            let result = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--type", "openclaw")
            #expect(result.status == 64)
            #expect(result.errors.contains("_openclaw._tcp"))
            #expect(result.output.isEmpty)
        }
    }
}
