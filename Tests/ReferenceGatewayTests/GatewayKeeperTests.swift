import DNSSD
import GatewayProtocol
import Logging
import Testing

@testable import ReferenceGateway

/// The state that a gateway reports and the one in its file are the same, whatever the disk does.
@Suite struct GatewayKeeperTests {
    private static let pairing = GatewayFrame.request(
        GatewayRequest(
            id: "1",
            method: "device.pair",
            params: .object([
                "deviceId": "device-1", "deviceName": "Kitchen Pi", "platform": "linux", "requestedBots": "*",
            ])
        )
    ).encoded

    /// Returns the number of pairings after a device has paired while the disk fails so, and what it was told.
    private func pairing(_ code: ReferenceGatewayError.Code) async throws -> (count: Int, actions: [GatewayAction]) {
        let example = try GatewayState.example
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 3_000)
        let keeper = GatewayKeeper(
            example,
            GatewayServerConfiguration(endpoint: endpoint),
            save: { (_) throws(ReferenceGatewayError) in throw ReferenceGatewayError(code, "expected a disk") },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let peer = GatewayPeer(connection: 1, address: "192.168.1.20:50000")
        var dialogue = Dialogue(dialect: .optaplus, peer: peer)
        let actions = await keeper.receive(Self.pairing, in: &dialogue, push: { _ in })
        return (await keeper.state.pairings.count - example.pairings.count, actions)
    }

    @Test func whatCouldNotBeKeptHasNotHappened() async throws {
        let (count, actions) = try await pairing(.unwritableState)
        #expect(count == 0)
        #expect(actions == [.close(1_011)])
    }

    /// The token is in the file by then: whoever gets it can use it after the next start, too.
    @Test func whatMayNotOutliveAPowerFailureHasHappened() async throws {
        let (count, actions) = try await pairing(.notDurable)
        #expect(count > 0)
        #expect(!actions.contains(.close(1_011)))
    }

    @Test func aGatewayStartsWhereItsStateIsWritten() throws {
        func start(_ code: ReferenceGatewayError.Code) throws {
            try GatewayKeeper.keep(
                try .example,
                { (_) throws(ReferenceGatewayError) in throw ReferenceGatewayError(code, "expected a disk") },
                Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
        try start(.notDurable)
        #expect(throws: ReferenceGatewayError.self) { try start(.unwritableState) }
    }
}
