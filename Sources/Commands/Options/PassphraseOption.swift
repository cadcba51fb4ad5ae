internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing

/// The passphrase of a file: typed without echo, or read from another file.
struct PassphraseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the passphrase from a file; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var passphraseFile: String?

    /// Returns the passphrase of a file that is there.
    func read() async throws(CommandFailure) -> Secret {
        if let passphraseFile { return try Self.checked(try SecretOptions.read(passphraseFile)) }
        try Self.checkTerminal()
        return try Self.checked(try await TerminalDialogue.secret("Passphrase: "))
    }

    /// Returns the passphrase of a file that will be written, which is typed twice.
    func choose() async throws(CommandFailure) -> Secret {
        if let passphraseFile { return try Self.long(try SecretOptions.read(passphraseFile)) }
        try Self.checkTerminal()
        return try await Self.typedTwice()
    }

    /// Returns a passphrase for what others may have, which is typed twice.
    static func typedTwice() async throws(CommandFailure) -> Secret {
        let chosen = try long(
            try await TerminalDialogue.secret("A passphrase of at least \(WrappedVaultKey.leastBytes) characters: ")
        )
        guard try await TerminalDialogue.secret("The same again: ") == chosen else {
            throw CommandFailure(.usage, "the two differ; nothing was sealed.")
        }
        return chosen
    }

    private static func checkTerminal() throws(CommandFailure) {
        guard TerminalDialogue.isPossible else {
            let question = "there is no terminal to ask for the passphrase on"
            throw CommandFailure(.usage, "\(question). Give --passphrase-file FILE.")
        }
    }

    private static func checked(_ passphrase: Secret) throws(CommandFailure) -> Secret {
        guard !passphrase.isEmpty else { throw CommandFailure(.usage, "expected a passphrase, found nothing.") }
        return passphrase
    }

    /// Whoever has what it seals can try passphrases at leisure.
    private static func long(_ passphrase: Secret) throws(CommandFailure) -> Secret {
        guard passphrase.count >= WrappedVaultKey.leastBytes else {
            let least = WrappedVaultKey.leastBytes
            throw CommandFailure(.usage, "expected a passphrase of at least \(least) characters; nothing was sealed.")
        }
        return passphrase
    }
}
