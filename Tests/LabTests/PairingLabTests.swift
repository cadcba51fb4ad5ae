import Testing

extension LabTests {
    /// A device that was paired once, and the gateway that it is paired with.
    @Suite struct PairingLabTests {
        @Test
        func aPairedGatewayComesBack() async throws {
            let gatewayHost = try await LabHost.add("paired-gateway", .avahi, lan: 40)
            let deviceHost = try await LabHost.add("paired-device", .bare, lan: 40)
            let folder = try ScratchFolder()
            let gateway = LabGateway("Paired", on: gatewayHost, isPlain: false, ["--state", folder.path("gateway")])
            try await gateway.start(port: 4_000)
            let device = try LabDevice(on: deviceHost)
            try await device.pair("Paired")
            let tokens = try await device.tokens()
            #expect(tokens.count == 1)

            let watch = try SessionWatch(of: device)
            _ = try await watch.next(state: "connected", port: 4_000, within: .seconds(10))
            for (change, port) in [("restarted", 4_000), ("at another port", 4_001)] {
                try await gateway.stop()
                let published = try await gateway.start(port: port)
                let connected = try await watch.next(state: "connected", port: port, within: .seconds(10))
                print("\(change): connected \(connected - published) after it was published")
                #expect(connected - published <= .seconds(3), "\(change)")
            }
            try await watch.stop()
            // The same pairing, with the same secret: nothing was paired anew.
            #expect(try await device.tokens() == tokens)
            try await gateway.stop()
        }
    }
}
