import Testing

extension LabTests {
    /// Impostors of paired gateways: a token is sent to them only where the user has consented to that with `--trust`,
    /// and they cannot end a pairing otherwise.
    ///
    /// An impostor to which a token was sent without TLS can answer *not paired*, and is believed, since it may be the
    /// gateway: that is the risk of which `--trust` warns. A pairing that is revoked in this way is in the bin, and the
    /// test restores it.
    @Suite struct ImpostorLabTests {
        /// The results of several attacks, and the explanations that the user saw with the session states.
        private typealias Outcome = (rows: [[String]], sentences: Set<String>)

        private static let pinned: Set = ["Pinned", "Claw"]

        @Test func impostorsAreSentNothing() async throws {
            async let first = Self.attacksByAddress()
            async let second = Self.attacksByRelayHostOrNetwork()
            let (ofFirst, ofSecond) = try await (first, second)
            var table = TextTable(heading: ["attack"] + ["pinned", "plain, address", "plain, LAN", "pinned openclaw"])
            table.rows = ofFirst.rows + ofSecond.rows
            print(table.text)
            print(ofFirst.sentences.union(ofSecond.sentences).sorted().joined(separator: "\n"))
        }

        /// Impostors at another address, and at the gateway's address.
        private static func attacksByAddress() async throws -> Outcome {
            let stage = try await ImpostorStage("imitated", lan: 42)
            let (victims, mallory) = (stage.victims, stage.mallory)
            typealias Attack = ImpostorStage.Attack

            try await stage.attack(
                Attack(
                    title: "its fingerprint elsewhere, beside it: TLS",
                    begin: stage.gateway(on: mallory, isPlain: false, suffix: " TLS")
                ),
                Attack(
                    title: "its fingerprint elsewhere, beside it: plain",
                    begin: stage.gateway(on: mallory, isPlain: true, suffix: " plain", offset: 50)
                )
            )
            for kind in stage.kinds { #expect(stage.watch.last(kind.name)?.state == "connected", "\(kind.name)") }

            try await stage.stop()
            try await stage.attack(
                Attack(
                    title: "its fingerprint elsewhere, instead of it: TLS",
                    begin: stage.gateway(on: mallory, isPlain: false)
                )
            )
            try await stage.attack(
                Attack(
                    title: "its fingerprint elsewhere, instead of it: plain",
                    consented: ["Lan"],
                    expectedStates: ["Address": "moved"],
                    begin: stage.gateway(on: mallory, isPlain: true)
                )
            )

            try await victims.ip("link set eth0 down")
            try await mallory.ip("address add \(victims.address)/16 brd + dev eth0")
            // Otherwise the kernel of the device would send packets to the victim's hardware address for a while.
            try await stage.device.host.ip("neigh flush dev eth0")
            try await stage.attack(
                Attack(
                    title: "its address taken over: plain",
                    consented: ["Lan"],
                    expectedStates: ["Address": "moved"],
                    begin: stage.gateway(on: mallory, isPlain: true)
                )
            )
            try await stage.attack(
                Attack(
                    title: "its address taken over: TLS",
                    expectedStates: ["Pinned": "changed-certificate", "Claw": "changed-certificate"],
                    begin: stage.gateway(on: mallory, isPlain: false)
                )
            )
            let refusal = stage.tool(on: mallory, "refuse") { kind in
                (kind.isPlain ? [] : ["--tls"]) + (kind.isOpenClaw ? ["--challenge"] : [])
            }
            try await stage.attack(
                // It does not say who it is before it refuses, and so gets no token to refuse.
                Attack(title: "its address taken over, a forged NOT_PAIRED", begin: refusal)
            )
            let hardware = try await victims.hardwareAddress()
            try await mallory.ip("link set eth0 address \(hardware)", "route replace 224.0.0.0/4 dev eth0")
            try await stage.device.host.ip("neigh flush dev eth0")
            try await stage.attack(
                Attack(
                    title: "its address and hardware address taken over",
                    consented: ["Address", "Lan"],
                    begin: stage.gateway(on: mallory)
                )
            )
            try await stage.finish()
            return (stage.rows, stage.sentences)
        }

        /// Relays to the gateway, impostors on its host, and impostors in another network.
        private static func attacksByRelayHostOrNetwork() async throws -> Outcome {
            let stage = try await ImpostorStage("relayed", lan: 47)
            let twin = try await LabHost.add("relayed-twin", .bare, lan: 48)
            let twinRouter = try await LabHost.add("relayed-twin-router", .bare, lan: 48)
            let (victims, device) = (stage.victims, stage.device.host)
            typealias Attack = ImpostorStage.Attack

            try await stage.stop()
            try await device.ip("route add unreachable \(victims.address)/32")
            try await stage.start()
            try await stage.attack(
                Attack(
                    title: "a relay to it",
                    consented: ["Lan"],
                    expectedStates: ["Pinned": "connected", "Address": "moved", "Lan": "connected"],
                    begin: stage.tool(on: stage.mallory, "relay") { ["\(victims.address):\($0.port)"] }
                )
            )
            try await stage.attack(
                Attack(
                    title: "a relay to it that ends TLS",
                    begin: stage.tool(on: stage.mallory, "relay") {
                        ["\(victims.address):\($0.port)", $0.isPlain ? "--wrap" : "--tls"]
                    }
                )
            )
            try await device.ip("route delete unreachable \(victims.address)/32")
            await stage.expectAllConnected()

            try await stage.stop(pinned)
            try await stage.attack(
                Attack(
                    title: "TLS turned plain on its host",
                    targets: pinned,
                    begin: stage.gateway(on: victims, isPlain: true)
                )
            )
            try await stage.attack(
                Attack(
                    title: "another certificate on its host",
                    targets: pinned,
                    expectedStates: ["Pinned": "changed-certificate", "Claw": "changed-certificate"],
                    begin: stage.gateway(on: victims)
                )
            )
            try await stage.start(pinned)
            await stage.expectAllConnected()

            // In the other network, all addresses are those of the home network, even the gateway's hardware address.
            let hardware = try await victims.hardwareAddress()
            for (host, original) in [(twin, victims), (twinRouter, stage.router)] {
                try await host.ip(
                    "address flush dev eth0 scope global",
                    "address add \(original.address)/16 brd + dev eth0",
                    "route replace 224.0.0.0/4 dev eth0"
                )
            }
            try await twin.ip("link set eth0 address \(hardware)")
            try await device.plugIn(lan: 48, from: 47, router: stage.router.address)
            try await stage.attack(
                Attack(
                    title: "its addresses in another network",
                    expectedStates: ["Address": "moved", "Lan": "moved"],
                    begin: stage.gateway(on: twin)
                )
            )
            try await device.plugIn(lan: 47, from: 47, router: stage.router.address)
            await stage.expectAllConnected()
            try await stage.finish()
            return (stage.rows, stage.sentences)
        }
    }
}
