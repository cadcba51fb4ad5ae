import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// `clawradar call` at a real gateway: over the session of the agent, and over one of its own, with the same answers.
    @Suite struct CallLabTests {
        @Test func aGatewayIsAskedWithAndWithoutAnAgent() async throws {
            let stage = try await NoticeStage(.bare, lan: 9, name: "n9", port: 4_709)
            let device = stage.device
            func check(_ title: String) async throws {
                let discovered = try await device.run(["call", "Home Gateway", "gateway.discover"])
                #expect(discovered.status == 0, "\(title): \(discovered.errors)")
                let payload = try JSONValue(parsing: Array(discovered.output.utf8))
                #expect(payload["bots"]?.array?.isEmpty == false, "\(title): \(discovered.output)")
                let refused = try await device.run(["call", "Home Gateway", "no.such.method", "--params", #"{"a":1}"#])
                #expect(refused.status == 1 && refused.output.isEmpty, "\(title): \(refused.output)")
                #expect(refused.errors.contains("refuses no.such.method: "), "\(title): \(refused.errors)")
            }
            try await check("alone")
            let agent = try await stage.startAgent()
            try await check("with an agent")
            try await check("with an agent, again")
            let beside = try await device.run(["call", "Home Gateway", "gateway.discover", "--no-agent"])
            #expect(beside.status == 0, "\(beside.errors)")

            try await stage.gateway.stop(SIGKILL)
            let dead = try await device.run(["call", "Home Gateway", "gateway.discover", "--timeout", "5"])
            #expect(dead.status == 1 && dead.errors.contains("has given no answer"), "\(dead.errors)")
            try await agent.stop(SIGTERM)
        }
    }
}
