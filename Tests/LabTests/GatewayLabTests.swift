import Foundation
import Glibc
import Testing

extension LabTests {
    /// A reference gateway that another host discovers and probes.
    @Suite struct GatewayLabTests {
        @Test(arguments: ["optaplus", "openclaw", "bridge", "clawline"])
        func aProbeRecognizesEveryDialect(dialect: String) async throws {
            let gateway = try Lab.start(
                on: "h2",
                Lab.referenceGateway,
                "--name",
                "Asked \(dialect)",
                "--port",
                "4100",
                "--host",
                "::",
                "--dialect",
                dialect,
                "--bot",
                "bot-1=Jarvis:🤖"
            )
            _ = try await gateway.line(within: .seconds(10), "message that it listens") { $0.contains("listens") }
            let probe = try await Lab.run(
                on: "h1",
                Lab.clawradar,
                "probe",
                "\(try await Lab.address("h2")):4100",
                "--format",
                "json"
            )
            #expect(probe.status == 0, "\(probe.output) \(probe.errors)")
            #expect(probe.output.contains("\"dialect\":\"\(dialect)\""), "\(probe.output)")
            if dialect == "optaplus" { #expect(probe.output.contains("Jarvis")) }
            try await gateway.stop()
        }

        @Test func theAdvertisementAgreesWithTheAnswer() async throws {
            let gateway = try Lab.start(
                on: "h2",
                Lab.referenceGateway,
                "--name",
                "Truthful",
                "--port",
                "4101",
                "--host",
                "::",
                "--bot",
                "bot-1=Jarvis:🤖"
            )
            let watch = try Watch(on: "h1")
            let service = try await watch.event("found", "Truthful").event.service
            try await watch.stop()
            #expect(service.type == "_openclaw._tcp")
            #expect(service.port == 4101)
            #expect(service.gateway.bots == 1)
            let fingerprint = try #require(service.gateway.fingerprint)
            let probe = try await Lab.run(
                on: "h1",
                Lab.clawradar,
                "probe",
                "\(try await Lab.address("h2")):4101",
                "--format",
                "json"
            )
            #expect(probe.output.contains("\"\(fingerprint)\""), "\(probe.output)")
            try await gateway.stop()
        }

        /// `probe` accepts the name of a gateway, and a host name in `.local`. The system resolver of the lab's hosts
        /// cannot resolve `.local`, as in most containers: the tool must do it itself.
        @Test func probesByGatewayNameAndByHostName() async throws {
            let gateway = try Lab.start(
                on: "h2",
                Lab.referenceGateway,
                "--name",
                "By name",
                "--port",
                "4102",
                "--host",
                "::"
            )
            _ = try await gateway.line(within: .seconds(10), "message that it is published") {
                $0.contains("published")
            }
            let subjects = ["By name", "by NAME", "h2.local:4102"]
            for subject in subjects {
                let probe = try await Lab.run(on: "h1", Lab.clawradar, "probe", subject, "--format", "json")
                #expect(probe.status == 0, "\(subject): \(probe.output) \(probe.errors)")
                #expect(probe.output.contains("\"name\":\"By name\""), "\(subject): \(probe.output)")
            }
            let none = try await Lab.run(on: "h1", Lab.clawradar, "probe", "Nobody of this name")
            #expect(none.status == 1)
            #expect(none.errors.contains("nothing of the name “Nobody of this name” was found"), "\(none.errors)")
            let nowhere = try await Lab.run(on: "h1", Lab.clawradar, "probe", "nowhere.local:4102")
            #expect(nowhere.status == 1)
            #expect(nowhere.errors.contains("there is no host of the name nowhere.local"), "\(nowhere.errors)")
            try await gateway.stop()
        }
    }
}
