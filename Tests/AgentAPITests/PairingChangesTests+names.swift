import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// The names that the user gives to gateways by requests.
extension PairingChangesTests {
    /// A name is given, given anew and taken away by the identifier of a gateway, and a request answers as a verb does.
    @Test func aGatewayIsNamedAndLosesItsName() async throws {
        try await withAgent { agent, store in
            func ask(_ body: String) async throws -> (status: Int, text: String) {
                try await Self.ask(agent, "alias", body.replacing("ID", with: pairing.gatewayID))
            }
            let named = try await ask(#"{"gateway":"ID","name":"Attic"}"#)
            #expect(named.status == 200, "\(named.text)")
            let alias = try #require(try store.aliases().first)
            #expect(alias == GatewayAlias(pairing, name: "Attic"))
            let verb = InProcessRadar(try PairingStore(store.location), version: "1")
            #expect(try await verb.alias(alias).line == named.text)
            #expect(try await ask(#"{"gateway":"ID","name":"Cellar"}"#).status == 200)
            #expect(try store.aliases() == [alias.renamed("Cellar")])
            #expect(try await ask(#"{"gateway":"ID","remove":true}"#).status == 200)
            #expect(try store.aliases().isEmpty)
            #expect(try await ask(#"{"gateway":"ID","remove":true}"#).status == 404)
        }
    }

    /// A request that names no gateway, or does not say what is to become of its name, names nothing.
    @Test(arguments: [
        (#"{"gateway":"ID"}"#, 400), (#"{"name":"Attic"}"#, 400), (#"{"gateway":"ID","name":""}"#, 400),
        (#"{"gateway":"ID","name":"Attic","remove":true}"#, 400),
        (#"{"gateway":"ID","name":"Attic","pairing":"x"}"#, 400),
        (#"{"gateway":"endpoint:192.0.2.9:9","name":"Attic"}"#, 404),
        (#"{"gateway":"endpoint:192.0.2.9:9","name":"Attic","fingerprint":null}"#, 404),
        (#"{"gateway":"ID","name":"Attic","fingerprint":null,"leafSha256":"x"}"#, 400),
    ])
    func whatNamesNothingChangesNothing(body: String, status: Int) async throws {
        try await withAgent { agent, store in
            let answer = try await Self.ask(agent, "alias", body.replacing("ID", with: pairing.gatewayID))
            #expect(answer.status == status, "\(answer.text)")
            #expect(try store.aliases().isEmpty)
        }
    }
}
