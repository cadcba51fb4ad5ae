internal import Console
internal import GatewayProtocol
internal import Pairing

/// The questions about the vault key, where this device has none.
enum CloudVaultDialogue {
    /// The slips that are taken for slips.
    private static let tries = 3

    /// Has this device get the vault key of the others, or make one if there are none.
    static func provideKey(_ store: PairingStore, _ sync: CloudSync) async throws {
        let present = try CommandFailure.translating { () throws(StoreError) in try store.vaultKey() }
        guard present == nil else { return }
        let hasRows = try await CommandFailure.cloud { try await sync.hasRows() }
        let key = try await hasRows ? typed() : made()
        try CommandFailure.translating { () throws(StoreError) in
            try store.keepVaultKey(key)
            try store.rereadCloud()
        }
    }

    private static func typed() async throws -> VaultKey {
        for _ in 0..<tries {
            let code = try await TerminalDialogue.secret("the recovery code of your other device (not shown): ")
            if let key = RecoveryCode.key(code) { return key }
            Notes.note(
                "that is no recovery code, or one with a slip: it has \(RecoveryCode.groups) groups of four characters."
            )
        }
        throw CommandFailure(
            .nothingFound,
            "you are signed in, and without the recovery code nothing there can be opened."
        )
    }

    private static func made() async throws -> VaultKey {
        let key = VaultKey()
        let code = RecoveryCode(key)
        Notes.note(
            """
            your recovery code, which is shown this once. Another device asks for it, and without a device and without it \
            nobody can open what is in the cloud. Write it down:

            \(RecoveryCodeText.lines(code.text.revealed ?? "", columns: (Notes.columns ?? 80) - 1).joined(separator: "\n"))

            """
        )
        let group = Int.random(in: 1...RecoveryCode.groups)
        for _ in 0..<tries {
            let answer = try await TerminalDialogue.answer(
                "group \(group) of \(RecoveryCode.groups), from what you wrote down: "
            )
            if code.hasGroup(group, answer) { return key }
            Notes.note("that is another one.")
        }
        throw CommandFailure(.nothingFound, "nothing was sent: sign in again once the code can be written down.")
    }
}
