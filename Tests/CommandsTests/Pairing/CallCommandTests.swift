import GatewayProtocol
import Pairing
import Testing

/// `clawradar call` before anything is sent: what cannot be asked is said, and why.
@Suite(.timeLimit(.minutes(1))) struct CallCommandTests {
    @Test func whatCannotBeAskedIsSaidAndSentNothing() async throws {
        var pairings = try Pairings.home()
        pairings[1].dialect = .clawline
        try await StoreOfTool.with(pairings) { home in
            let clawline = try await home.run(["call", "Studio", "health"])
            #expect(clawline.status == 1 && clawline.output == "")
            #expect(clawline.errors.contains("has none") && clawline.errors.contains("clawline"), "\(clawline.errors)")
            let unknown = try await home.run(["call", "Nobody", "health"])
            #expect(unknown.status == 1 && unknown.errors.contains("nothing paired is called"))
            let garbled = try await home.run(["call", "Home Gateway", "health", "--params", "{"])
            #expect(garbled.status == 64 && garbled.errors.contains("--params: expected JSON"), "\(garbled.errors)")
            // Standard input is empty.
            let empty = try await home.run(["call", "Home Gateway", "health", "--params", "-"])
            #expect(empty.status == 64 && empty.errors.contains("--params: expected JSON"), "\(empty.errors)")
            let method = try await home.run(["call", "Home Gateway", "a b"])
            #expect(method.status == 64)
        }
    }

    /// A name without quotes is taken for a name and a method, and advice is given on all of its words.
    @Test func aNameIsQuoted() async throws {
        let result = try await Tool.run(["call", "Home", "Gateway", "health"])
        #expect(result.status == 64)
        #expect(result.errors.contains("clawradar call \"Home Gateway\" health"), "\(result.errors)")
    }
}
