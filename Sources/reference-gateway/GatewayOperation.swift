internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import ReferenceGateway
internal import Reports

/// The control socket of a gateway that runs on this host, as `--state` and `--port` of `reference-gateway` determine
/// it.
struct GatewayOperation {
    /// The control sockets to try, the likeliest first.
    let sockets: [ControlSocket]

    init(state: String?, ports: [UInt16]) {
        let runtime = Environment.values(of: ["XDG_RUNTIME_DIR"])["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        sockets = state.map { [ControlSocket(state: $0)] } ?? ports.map { ControlSocket(port: $0, runtime: runtime) }
    }

    /// Asks the gateway to do something.
    ///
    /// - Returns: The payload of its answer.
    func ask(_ method: String, id: String? = nil) async throws -> JSONValue? {
        let params: [String: JSONValue] = id.map { ["id": .string($0)] } ?? [:]
        let request = GatewayRequest(id: "1", method: method, params: .object(params))
        var problem: ReferenceGatewayError?
        for socket in sockets {
            let response: GatewayResponse
            do throws(ReferenceGatewayError) {
                response = try await socket.ask(request)
            } catch {
                problem = problem ?? error
                continue
            }
            switch response.outcome {
            case .success(let payload): return payload
            case .failure(let failure): throw CommandFailure(.nothingFound, failure.message)
            }
        }
        let advice = "Is it running, as this user? Give its --state, or its --port if it was started without --state."
        throw CommandFailure(.unavailable, "\(problem?.message ?? "no gateway answers"). \(advice)")
    }
}

/// The identifiers that a shell completes: those of the devices of the gateway that runs, by its control socket.
enum DeviceCompletion {
    /// Completes the requests of devices that wait.
    @Sendable static func requests(_ arguments: [String], _: Int, _: String) async -> [String] {
        await words("pending", "requestId", arguments)
    }

    /// Completes the paired devices.
    @Sendable static func devices(_ arguments: [String], _: Int, _: String) async -> [String] {
        await words("paired", "deviceId", arguments)
    }

    private static func words(_ list: String, _ key: String, _ arguments: [String]) async -> [String] {
        func value(_ option: String) -> String? {
            guard let index = arguments.lastIndex(of: option), index + 1 < arguments.count else { return nil }
            return arguments[index + 1]
        }
        let ports = value("--port").flatMap(UInt16.init).map { [$0] } ?? GatewayCommand.usualPorts
        let payload = try? await GatewayOperation(state: value("--state"), ports: ports).ask("devices")
        // Devices choose their identifiers, and a shell may expand what it is given.
        return (payload?[list]?.array ?? []).compactMap { $0[key]?.string }.filter(CompletionWord.isSafe)
    }
}

/// The options that say which gateway of this host a verb is about. Given before the verb, they are those of
/// `reference-gateway` itself.
struct GatewayPlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file with which the gateway was started.", valueName: "file"), completion: .file())
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Its port, if it was started without --state. Default: the usual ones, \(usualPorts).",
            valueName: "port"
        )
    )
    var port: UInt16?

    private static let usualPorts = GatewayCommand.usualPorts.map { "\($0)" }.joined(separator: ", ")
}

/// The verbs of `reference-gateway` with which the user who runs a gateway decides about devices.
enum GatewayVerbs {
    /// Returns the identifier of a device in an answer. It is cleaned, because except in OpenClaw's dialect the device
    /// chooses it freely.
    private static func deviceID(_ json: JSONValue?) -> DisplayText { DisplayText(json?["deviceId"]?.string ?? "") }

    /// `reference-gateway devices`: shows the paired devices, and those that wait for approval.
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices",
            abstract:
                "Lists the devices of a gateway on this host: those that are paired, and those that wait for approval.",
            usage: "reference-gateway devices [--state <file>] [--port <port>] [--format <format>]",
            discussion: """
                EXAMPLES:
                  reference-gateway devices --state gateway.json
                  reference-gateway devices --format json | jq .pending
                """
        )

        /// The devices as the gateway lists them, as a document.
        private struct DeviceListDocument: JSONReport {
            let fields: [String: JSONValue]
        }

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Option(help: ArgumentHelp("The output format.", valueName: "format"))
        var format = ReportFormat.table

        func run() async throws {
            let payload = try await gateway.operation(place).ask("devices")
            let output = StandardOutput()
            guard format == .table else {
                return try output.write(DeviceListDocument(fields: payload?.object ?? [:]).line)
            }
            let rows = ["pending", "paired"].flatMap { state in
                (payload?[state]?.array ?? []).map { Self.row($0, isPending: state == "pending") }
            }
            let columns = ["STATE", "REQUEST", "DEVICE", "NAME", "AS", "SCOPES"].map {
                TextTable.Column($0, minimum: 6)
            }
            let lines = TextTable(columns: columns, rows: rows).lines(width: nil)
            try output.write(lines.map { "\($0)\n" }.joined())
        }

        /// Returns the cells of a device.
        private static func row(_ device: JSONValue, isPending: Bool) -> [String] {
            func list(_ key: String) -> String {
                let texts = (device[key]?.array ?? []).compactMap(\.string)
                return texts.joined(separator: ", ")
            }

            let texts = ["requestId", "deviceId", "displayName"].map { device[$0]?.string ?? "" }
            let cells = [isPending ? "waits" : "paired"] + texts + [list("roles"), list("scopes")]
            return cells.map { DisplayText($0).text }
        }
    }

    /// `reference-gateway approve`: approves a device that waits.
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve",
            abstract: "Approves a device that waits at a gateway on this host.",
            usage: "reference-gateway approve <request> [--state <file>] [--port <port>]",
            discussion: """
                EXAMPLES:
                  reference-gateway approve 5b0e6f6e-9f0b-4a64-a1a2-6c9c7f6a7a54 --state gateway.json
                  reference-gateway approve 5b0e
                """
        )

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Argument(
            help: "The identifier of the request, or its beginning.",
            completion: .custom(DeviceCompletion.requests)
        )
        var request: String

        func run() async throws {
            try StandardOutput().write(Self.text(try await gateway.operation(place).ask("approve", id: request)))
        }

        /// The line that says what was done.
        static func text(_ payload: JSONValue?) -> String {
            let device = payload?["device"]
            let name = DisplayText(device?["displayName"]?.string ?? "")
            return "approved \"\(name)\" (device \(GatewayVerbs.deviceID(device)))\n"
        }
    }

    /// `reference-gateway reject`: rejects a device that waits.
    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reject",
            abstract: "Rejects a device that waits at a gateway on this host; it may ask again.",
            usage: "reference-gateway reject <request> [--state <file>] [--port <port>]",
            discussion: "EXAMPLES:\n  reference-gateway reject 5b0e"
        )

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Argument(
            help: "The identifier of the request, or its beginning.",
            completion: .custom(DeviceCompletion.requests)
        )
        var request: String

        func run() async throws {
            try StandardOutput().write(Self.text(try await gateway.operation(place).ask("reject", id: request)))
        }

        /// The line that says what was done.
        static func text(_ payload: JSONValue?) -> String { "rejected device \(GatewayVerbs.deviceID(payload))\n" }
    }

    /// `reference-gateway revoke`: withdraws the tokens of a device.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Withdraws the tokens of a device at a gateway on this host, and ends its sessions.",
            usage: "reference-gateway revoke <device> [--forget] [--state <file>] [--port <port>]",
            discussion: "EXAMPLES:\n  reference-gateway revoke 21fe31df\n  reference-gateway revoke 21fe31df --forget"
        )

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Argument(
            help: "The identifier of the device, or its beginning.",
            completion: .custom(DeviceCompletion.devices)
        )
        var device: String

        @Flag(help: "Also forget the device, so that it is unknown when it comes back.")
        var forget = false

        func run() async throws {
            let payload = try await gateway.operation(place).ask(forget ? "remove" : "revoke", id: device)
            try StandardOutput().write(Self.text(payload))
        }

        /// The line that says what was done.
        static func text(_ payload: JSONValue?) -> String { "revoked device \(GatewayVerbs.deviceID(payload))\n" }
    }

    /// `reference-gateway code`: makes a new one-time code.
    struct Code: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "code",
            abstract: "Prints a new pairing code or setup code of a gateway on this host.",
            usage: "reference-gateway code [--link] [--state <file>] [--port <port>]",
            discussion: """
                A pairing code (optaplus) is valid for 5 minutes and replaces the previous one; a setup code \
                (openclaw) is valid for 10 minutes. Each is for one device.

                A gateway of the dialect optaplus with TLS also shows a link with its code at / to browsers of this host, \
                whichever of its users asks.

                EXAMPLES:
                  reference-gateway code --port 18789
                  reference-gateway code --link
                """
        )

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Flag(help: "Print a link with the code instead (optaplus with TLS), on a terminal with its QR code.")
        var link = false

        func run() async throws {
            let payload = try await gateway.operation(place).ask("code")
            guard let text = payload?[link ? "link" : "code"]?.string else {
                throw CommandFailure(
                    .nothingFound,
                    "no link leads to this gateway: that takes the dialect optaplus, TLS, and no --fp."
                )
            }
            let output = StandardOutput()
            try output.write("\(text)\n" + (link ? LinkPicture.lines(of: text, on: output) : ""))
        }
    }
}
