import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// A network that loses one packet in ten, each way, for ten minutes.
@Suite struct PacketLossTests {
    /// - Returns: How often each of twenty gateways was suspect, and whether one was gone.
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
            let news = drive.news(since: time)
            suspects.append(news.count { $0.hasSuffix("suspect") })
            if news.contains(where: { $0.contains("gone") }) { print(seed, news) }
            isGone = isGone || news.contains { $0.contains("gone") || $0.hasPrefix("-") }
        }
        return (suspects, isGone)
    }

    @Test func overAConnectionThatIsKept() {
        let (suspects, isGone) = watch(SampleGateway())
        print("suspect in ten minutes, kept connections: \(suspects)")
        #expect(suspects.allSatisfy { $0 <= 2 }, "\(suspects)")
        #expect(!isGone)
    }

    @Test func overConnectionsOfTheirOwn() {
        let (suspects, isGone) = watch(SampleGateway(dialect: .bridge))
        print("suspect in ten minutes, fresh connections: \(suspects)")
        #expect(suspects.reduce(0, +) <= 6 * suspects.count, "\(suspects)")
        #expect(!isGone)
    }
}
