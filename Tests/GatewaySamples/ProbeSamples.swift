internal import DNSSD
package import GatewayProtocol

/// Reports of gateway probes, for several test targets.
package enum ProbeSamples {
    /// Returns a report with one step.
    package static func report(_ verdict: GatewayVerdict) -> GatewayProbeReport {
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
        let step = GatewayProbeStep(
            kind: .connect,
            endpoint: endpoint,
            result: "connected",
            elapsed: .microseconds(1_250),
            succeeded: true
        )
        return GatewayProbeReport(
            verdict: verdict,
            path: GatewayProbePath(endpoint: endpoint, leaf: nil),
            steps: [step],
            elapsed: .microseconds(12_345)
        )
    }

    /// A gateway with a bot whose name contains a terminal escape.
    package static var optaplus: GatewayVerdict {
        let bots = BotID("bot-1").map { id in
            BotDescription(id: id, name: "Jar\u{1B}[2Jvis", emoji: "\u{1F916}", status: "online")
        }
        return .optaplus(
            DiscoverPayload(
                fingerprint: GatewayFingerprint("abc123"),
                name: "Home",
                bots: bots.map { [$0] } ?? [],
                pairingRequired: true
            )
        )
    }
}
