/// A kind of pairing, and the gateway that stands for it.
struct PairedKind: Sendable {
    /// The heading of its column.
    let title: String
    /// The name of the gateway.
    let name: String
    let port: Int
    let isPlain: Bool
    /// The options with which the gateway is run, and whoever pretends to be it.
    let gatewayOptions: [String]
    let pairingOptions: [String]

    /// Indicates whether its gateway speaks as OpenClaw does.
    var isOpenClaw: Bool { gatewayOptions.contains("openclaw") }

    /// All kinds.
    ///
    /// - Parameter token: The token that an OpenClaw gateway wants of unknown devices.
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

    /// Its gateway, which stays the same one when it is started again, and notes the secrets that it is sent.
    func gateway(on host: LabHost, in folder: ScratchFolder, log: SecretLogFile? = nil) -> LabGateway {
        let kept = ["--state", folder.path("\(name).json")] + (log.map { ["--log-secrets", $0.path] } ?? [])
        // IPv4 alone, so that an address that changes, or is taken over, is all there is of a gateway.
        return LabGateway(name, on: host, listen: "0.0.0.0", isPlain: isPlain, gatewayOptions + kept)
    }
}
