import GatewayProtocol
import Testing

@testable import Pairing

/// The places that secrets are sealed for are bytes that are in no file: a store of today opens only while they stay as they
/// are.
@Suite struct SealedPlaceTests {
    /// A part as it is joined: its length in 4 bytes, and itself.
    private static func part(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }

    private static func parts(_ texts: String...) -> [UInt8] { texts.flatMap { part(Array($0.utf8)) } }

    /// The places of the device, of the vault and of the cloud.
    @Test func eachKindOfPlaceHasItsName() {
        #expect(SealedPlace.device("d").bytes == Self.parts("clawradar device 1", "d"))
        #expect(SealedPlace.vaultKey(device: "d").bytes == Self.parts("clawradar vault key 1", "d"))
        #expect(
            SealedPlace.cloudSession(url: "u", user: "me").bytes == Self.parts("clawradar cloud session 1", "u", "me")
        )
        #expect(
            SealedPlace.wrappedVaultKey(header: [1, 2]).bytes
                == Self.parts("clawradar wrapped vault key 1") + Self.part([1, 2])
        )
        let row = CloudRow(key: CloudRow.Key(user: "me", bot: "b", gateway: "g"), device: "d", pairedAt: 12)
        #expect(SealedPlace.cloudRow(row).bytes == Self.parts("clawradar cloud row 1", "me", "b", "g", "d", "12"))
    }

    /// The place of a credential, and that by which earlier versions have sealed it.
    @Test func theDestinationIsInThePlaceOfACredential() throws {
        let pairing = try StoredPairing.sample()
        let bots = [try #require(BotID("one")), try #require(BotID("two"))]
        let credential = StoredCredential(bots: bots, generation: 3, createdAt: 0, deviceID: "device")
        let (id, destination) = (pairing.id, TokenDestination(pairing))
        let bound = SealedPlace.credential(credential, of: id, destination).bytes
        let length = destination.bytes.count
        let (high, low) = (UInt8(length / 256), UInt8(length % 256))
        let named = ["\(id)", "\(credential.id)", "3"].flatMap { Self.parts($0) }
        #expect(
            bound == Self.parts("clawradar credential 2") + named + Self.parts("device") + [0, 0, high, low]
                + destination.bytes + Self.parts("one", "two")
        )
        let unbound = SealedPlace.unboundCredential(credential, of: id).bytes
        #expect(unbound == Self.parts("clawradar credential 1") + named + Self.parts("one", "two"))
    }
}
