internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import SystemPackage

/// The options for files with the secrets that a gateway may require before a device can ask to pair.
struct SecretOptions: ParsableArguments {
    /// The maximum length of a secret, in bytes.
    private static let longest = 16_384

    @Option(
        help: ArgumentHelp(
            "The one-time code, if the gateway asks for one; - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var codeFile: String?

    @Option(
        help: ArgumentHelp(
            "The token of an OpenClaw gateway, which is not stored, or of an OpenAgents gateway. - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "The password of an OpenClaw gateway; it is not stored. - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("A setup code of an OpenClaw gateway; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var setupCodeFile: String?

    @Flag(help: "Send the gateway's token or password without TLS, so that others on the network can read it.")
    var sendInClear = false

    private var files: [(SecretQuestion.Kind, String)] {
        [
            (.pairingToken, codeFile), (.sharedToken, tokenFile), (.password, passwordFile),
            (.setupCode, setupCodeFile),
        ]
        .compactMap { kind, file in file.map { (kind, $0) } }
    }

    /// Indicates whether one of them is read from standard input.
    var readsStandardInput: Bool { files.contains { $0.1 == "-" } }

    func validate() throws {
        guard files.count(where: { $0.1 == "-" }) <= 1 else {
            throw ValidationError("Standard input has one secret; - was given twice.")
        }
    }

    /// Reads the files that were given.
    func read() throws(CommandFailure) -> [SecretQuestion.Kind: Secret] {
        var secrets: [SecretQuestion.Kind: Secret] = [:]
        for (kind, file) in files {
            let secret = try Self.read(file)
            guard !secret.isEmpty else {
                throw CommandFailure(
                    .unavailable,
                    "\(file == "-" ? "standard input" : file): expected a secret, found nothing."
                )
            }
            secrets[kind] = secret
        }
        return secrets
    }

    /// Reads the one secret that standard input has.
    static func ofStandardInput() throws(CommandFailure) -> Secret {
        let bytes = try standardInput()
        defer { bytes.wipe() }
        return try Secret(typed: bytes, "standard input")
    }

    static func read(_ file: String) throws(CommandFailure) -> Secret {
        guard file != "-" else { return try ofStandardInput() }
        let text: SecretText?
        do throws(SafeFileError) {
            text = try SecretText.read(FilePath(file), limit: longest)
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        guard let text else { throw CommandFailure(.unavailable, "\(file): expected a file, found none.") }
        defer { text.bytes.wipe() }
        return Secret(bytes: text.bytes)
    }

    /// Reads standard input to its end. It is not opened as `/dev/stdin` or by its `/proc` path, because these are not
    /// accessible in a process that is hidden from other processes.
    ///
    /// - Parameters:
    ///   - longest: The most bytes.
    ///   - expected: What is expected, for people.
    static func standardInput(
        upTo longest: Int = longest,
        _ expected: String = "a secret"
    ) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * longest + 1)
        var buffer = [UInt8](repeating: 0, count: longest + 1)
        defer { buffer.wipe() }
        while bytes.count <= longest {
            let count = try? buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            guard let count else { throw CommandFailure(.unavailable, "standard input could not be read.") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw CommandFailure(.unavailable, "standard input: expected \(expected) of at most \(longest) bytes.")
    }
}

extension SecretQuestion.Kind {
    /// A description of the kind of secret, for people.
    var text: String {
        switch self {
        case .sharedToken: "its token"
        case .password: "its password"
        case .setupCode: "a setup code"
        case .pairingToken: "the code of its link"
        }
    }

    /// The option for a file with this kind of secret.
    var option: String {
        switch self {
        case .sharedToken: "--token-file"
        case .password: "--password-file"
        case .setupCode: "--setup-code-file"
        case .pairingToken: "--code-file"
        }
    }
}
