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
            _ = try await watch.next("Paired", "connected", at: ":4000", within: .seconds(10))
            for (change, port) in [("restarted", 4_000), ("at another port", 4_001)] {
                try await gateway.stop()
                let published = try await gateway.start(port: port)
                let connected = try await watch.next("Paired", "connected", at: ":\(port)", within: .seconds(10))
                print("\(change): connected \(connected - published) after it was published")
                #expect(connected - published <= .seconds(3), "\(change)")
            }
            try await watch.stop()
            // The same pairing, with the same secret: nothing was paired anew.
            #expect(try await device.tokens() == tokens)
            try await gateway.stop()
        }

        /// With TLS it is followed, since its certificate proves it; without, it is shown to have moved, and is sent nothing.
        @Test
        func aPairedGatewayGetsAnotherAddress() async throws {
            let gatewayHost = try await LabHost.add("moving-gateway", .bare, lan: 41)
            let deviceHost = try await LabHost.add("moving-device", .avahi, lan: 41)
            let folder = try ScratchFolder()
            let token = try SecretFile(folder.path("token"))
            let log = SecretLogFile(folder.path("received"))
            let openClaw = ["--dialect", "openclaw", "--approve", "auto", "--token-file", token.path]
            let proved = LabGateway("Proved", on: gatewayHost, isPlain: false, [])
            let claw = LabGateway("Claw", on: gatewayHost, isPlain: false, openClaw)
            let plain = LabGateway("Plain", on: gatewayHost, isPlain: true, ["--log-secrets", log.path])
            for (gateway, port) in [(proved, 4_000), (claw, 4_100), (plain, 4_200)] {
                try await gateway.start(port: port)
            }
            let device = try LabDevice(on: deviceHost)
            try await device.pair("Proved")
            try await device.pair("Claw", ["--token-file", token.path])
            try await device.pair("Plain", ["--trust", "address"])
            let tokens = try await device.tokens()
            #expect(Set(tokens).count == 3)

            let watch = try SessionWatch(of: device)
            try await Scenario.lasts(.seconds(3))
            for name in ["Proved", "Claw", "Plain"] { #expect(watch.last(name)?.state == "connected", "\(name)") }
            let received = log.lines.count
            #expect(received > 0, "the token of the session")
            // One that goes over a link-local address of IPv6 goes on.
            let isMoved = { watch.last($0)?.path?.hasPrefix(gatewayHost.address) == true }
            let moved = ["Proved", "Claw"].filter(isMoved)

            try await Scenario.changeAddress(of: gatewayHost)
            let changed = ContinuousClock.now
            try await Scenario.lasts(.seconds(6))
            for (name, state) in moved.map({ ($0, "connected") }) + [("Plain", "moved")] {
                guard let time = watch.time(of: name, state, after: changed) else {
                    Issue.record("\(name) is never \(state)")
                    continue
                }
                print("\(name): \(state) \(time - changed) after the address was changed")
                #expect(time - changed <= .seconds(3), "\(name)")
            }
            for name in ["Proved", "Claw"] { #expect(watch.last(name)?.state == "connected") }
            #expect(watch.last("Plain")?.state == "moved")
            #expect(log.lines.count == received, "nothing is sent to one that has moved")
            try await watch.stop()
            #expect(try await device.tokens() == tokens)
        }
    }
}
