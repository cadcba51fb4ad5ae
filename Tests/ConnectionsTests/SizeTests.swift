import GatewayProtocol
import Testing

@testable import Pairing

/// A type with more than 20 stored properties is several types.
@Suite struct SizeTests {
    @Test func aSessionIsOfFewParts() {
        let credential = StoredCredential(id: CredentialID(), bots: [], createdAt: 1, deviceID: "d")
        let session = KeptSession(credential, dialect: .optaplus, generator: SessionGenerator(seed: 1), now: .now)
        #expect(Mirror(reflecting: session).children.count <= 20)
    }
}
