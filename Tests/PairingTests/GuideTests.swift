import GatewayProtocol
import Pairing
import Scanning
import TestSupport
import Testing

// The code from here to the suite repeats the listing of Sources/Pairing/Pairing.docc word for word. Change both
// together.

func pairOnce(
    with gateway: Gateway,
    _ coordinator: PairingCoordinator,
    agrees: @escaping @Sendable (PairingOffer) async -> PairingConsent?,
    says: @escaping @Sendable (String) async -> Void
) async throws -> PairingID? {
    guard let target = PairingTarget(gateway) else { return nil }
    return try await coordinator.pair(target) { state in
        switch state {
        case .confirming(let offer):
            guard let consent = await agrees(offer) else { return .cancel }
            return .confirm(consent)
        case .secretNeeded(let question):
            await says(question.message)
            return .cancel
        case .approvalNeeded(let approval):
            await says(approval.command ?? approval.message)
            return nil
        default:
            return nil
        }
    }
}

/// The listing of the guide compiles.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Pairing")
        #expect(listings.count == 1)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }
}
