import Foundation
import Testing

extension LabTests {
    /// Gateways at the end of a tunnel, which has neither a router nor hardware addresses: the same address at the end
    /// of another tunnel is somebody else's.
    @Suite struct TunnelLabTests {
        private static let name = "Beyond"
        private static let address = "10.8.0.1"

        /// Without TLS, such a gateway is not paired with, however the user would trust it, and gets no request for
        /// pairing. With TLS, it is paired with and connected to like any other.
        @Test func onlyTLSIsTrustedThroughATunnel() async throws {
            let files = try ScratchFolder()
            let hosts = try await LabHost.add([("tun-gateway", .bare, 1), ("tun-device", .bare, 1)], lan: 55)
            let tunnel = try LabProcess([
                Lab.tool("tunnel"), hosts[0].name, Self.address, hosts[1].name, "10.8.0.2",
            ])
            _ = try await tunnel.line(within: .seconds(20), "message that packets pass") { $0 == "ready" }
            let log = SecretLogFile(files.path("received"))
            let options = ["--no-advertise", "--fp", "fp-beyond", "--log-secrets", log.path]
            let device = try LabDevice(on: hosts[1])

            let plain = LabGateway(Self.name, on: hosts[0], options)
            try await plain.start(port: 4_200)
            for trust in ["address", "lan"] {
                let target = "ws://\(Self.address):4200"
                let result = try await device.run(["pair", target, "--yes", "--trust", trust, "--timeout", "20"])
                #expect(result.status == 69, "\(result.errors)")
                #expect(result.errors.contains("such as a tunnel"), "\(result.errors)")
            }
            #expect(try await device.pairings().isEmpty)
            try await plain.stop()

            let secure = LabGateway(Self.name, on: hosts[0], isPlain: false, options)
            try await secure.start(port: 4_201)
            #expect(log.lines.isEmpty, "\(log.lines)")
            try await device.pair("\(Self.address):4201")
            let watch = try SessionWatch(of: device)
            #expect(try await watch.settles(Self.name, "connected"), "\(watch.lastLog)")
            try await watch.stop()
            try await secure.stop()
            _ = try await tunnel.stop()
        }
    }
}
