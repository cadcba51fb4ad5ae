import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// Gateways in a network that loses one packet in ten in each direction, for ten minutes.
@Suite struct PacketLossTests {
    /// Watches twenty gateways of one kind, each with its own sequence of losses.
    ///
    /// - Returns: The number of times that each of them was suspect, and whether any of them was gone.
    private func watch(_ gateway: SampleGateway) -> (suspects: [Int], isGone: Bool) {
        var suspects: [Int] = []
        var isGone = false
        for seed in 1...20 as ClosedRange<UInt64> {
            var drive = ScanDrive()
            drive.find(Samples.service("A", at: [Samples.address(1)]), .gateway(gateway))
            drive.run(for: .seconds(10))
            drive.network.loss = PacketLoss(share: 0.1, seed: seed)
            let time = drive.elapsed
            drive.run(for: .seconds(600))
            let lines = drive.changeLines(since: time)
            suspects.append(lines.count { $0.hasSuffix("suspect") })
            if lines.contains(where: { $0.contains("gone") }) { print(seed, lines) }
            isGone = isGone || lines.contains { $0.contains("gone") || $0.hasPrefix("-") }
        }
        return (suspects, isGone)
    }

    /// A gateway that is checked over a held connection is suspect at most twice, and never gone.
    @Test func overAConnectionThatIsKept() {
        let (suspects, isGone) = watch(SampleGateway())
        print("suspect in ten minutes, kept connections: \(suspects)")
        #expect(suspects.allSatisfy { $0 <= 2 }, "\(suspects)")
        #expect(!isGone)
    }

    /// A gateway that is checked over a new connection each time is suspect six times on average at most, and never
    /// gone.
    @Test func overConnectionsOfTheirOwn() {
        let (suspects, isGone) = watch(SampleGateway(dialect: .bridge))
        print("suspect in ten minutes, fresh connections: \(suspects)")
        #expect(suspects.reduce(0, +) <= 6 * suspects.count, "\(suspects)")
        #expect(!isGone)
    }
}
