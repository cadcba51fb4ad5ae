/// A kind of pairing, and the gateway with which tests try it.
struct PairedKind: Sendable {
    /// The heading of its column in the tables that tests print.
    let title: String
    /// The name of the gateway.
    var name: String
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

    /// Returns the same kind, whose gateway has a name that begins with a word.
    func named(_ word: String) -> PairedKind {
        var kind = self
        kind.name = "\(word) \(name)"
        return kind
    }

    /// Returns its gateway, which keeps its fingerprint when it is restarted, and logs the secrets that it receives.
    ///
    /// - Parameter listen: The address at which it listens. By default, it listens on IPv4 only: when a test changes or takes
    ///   over its IPv4 address, it has no other address.
    func gateway(
        on host: LabHost,
        in folder: ScratchFolder,
        log: SecretLogFile? = nil,
        listen: String = "0.0.0.0"
    ) -> LabGateway {
        let kept = ["--state", folder.path("\(name).json")] + (log.map { ["--log-secrets", $0.path] } ?? [])
        return LabGateway(name, on: host, listen: listen, isPlain: isPlain, gatewayOptions + kept)
    }
}
