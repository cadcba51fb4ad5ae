/// A kind of pairing, and the gateway with which tests try it.
struct PairedKind: Sendable {
    /// The heading of its column in the tables that tests print.
    let title: String
    /// The name of the gateway.
    let name: String
    let port: Int
    let isPlain: Bool
    /// The options of the gateway. An impostor of it has the same options.
    let gatewayOptions: [String]
    let pairingOptions: [String]

    /// Indicates whether its gateway speaks the dialect of OpenClaw.
    var isOpenClaw: Bool { gatewayOptions.contains("openclaw") }

    /// All kinds.
    ///
    /// - Parameter token: The token that an OpenClaw gateway demands from unpaired devices.
    static func all(token: SecretFile) -> [PairedKind] {
        let openClaw = ["--dialect", "openclaw", "--approve", "auto", "--token-file", token.path]
        return [
            PairedKind(
                title: "pinned",
                name: "Pinned",
                port: 4_000,
                isPlain: false,
                gatewayOptions: [],
                pairingOptions: []
            ),
            PairedKind(
                title: "plain, address",
                name: "Address",
                port: 4_100,
                isPlain: true,
                gatewayOptions: [],
                pairingOptions: ["--trust", "address"]
            ),
            PairedKind(
                title: "plain, LAN",
                name: "Lan",
                port: 4_200,
                isPlain: true,
                gatewayOptions: [],
                pairingOptions: ["--trust", "lan"]
            ),
            PairedKind(
                title: "pinned openclaw",
                name: "Claw",
                port: 4_300,
                isPlain: false,
                gatewayOptions: openClaw,
                pairingOptions: ["--token-file", token.path]
            ),
        ]
    }

    /// Returns its gateway, which keeps its fingerprint when it is restarted, and logs the secrets that it receives.
    func gateway(on host: LabHost, in folder: ScratchFolder, log: SecretLogFile? = nil) -> LabGateway {
        let kept = ["--state", folder.path("\(name).json")] + (log.map { ["--log-secrets", $0.path] } ?? [])
        // It listens on IPv4 only: when a test changes or takes over its IPv4 address, it has no other address.
        return LabGateway(name, on: host, listen: "0.0.0.0", isPlain: isPlain, gatewayOptions + kept)
    }
}
