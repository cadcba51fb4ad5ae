internal import Console
internal import GatewayProtocol
internal import Pairing

/// The questions about the vault key, where this device has none.
enum CloudVaultDialogue {
    /// The slips that are taken for slips.
    private static let tries = 3

    /// Has this device get the vault key of the others, or make one if there are none.
    static func provideKey(_ store: PairingStore, _ sync: CloudSync) async throws {
        let ids = try await CommandFailure.cloud { try await sync.vaultIDs() }
        if let present = try present(store), isRight(present, ids ?? []) { return }
        let key: VaultKey
        if let ids { key = try await typed(sync, ids) } else { key = try await made(sync) }
        try CommandFailure.translating { () throws(StoreError) in
            try store.keepVaultKey(key)
            try store.rereadCloud()
        }
    }

    /// Returns the vault key of this device; `nil` if there is none, or one that something else has changed.
    private static func present(_ store: PairingStore) throws(CommandFailure) -> VaultKey? {
        try CommandFailure.translating { () throws(StoreError) in
            do throws(StoreError) { return try store.vaultKey() } catch  where error.code == .tampered { return nil }
        }
    }

    /// Indicates whether a key is one of those that open rows. If none tells, any may be.
    static func isRight(_ key: VaultKey, _ ids: Set<String>) -> Bool { ids.isEmpty || ids.contains(key.id) }

    /// Asks for what opens the key of the others: a recovery code, or a passphrase where it lies wrapped by one.
    private static func typed(_ sync: CloudSync, _ ids: Set<String>) async throws -> VaultKey {
        let wrapped = try await CommandFailure.cloud { try await sync.wrappedKeys() }
        let what = "the recovery code of your other device" + (wrapped.isEmpty ? "" : ", or your passphrase")
        for _ in 0..<tries {
            let secret = try await TerminalDialogue.secret("\(what) (not shown): ")
            let other = wrapped.isEmpty ? "" : ", and another passphrase"
            switch RecoveryCode.key(secret) ?? unwrapped(wrapped, with: secret) {
            case .some(let key) where isRight(key, ids): return key
            case .some: Notes.note("that is the code of something else: it opens nothing there.")
            case nil:
                Notes.note(
                    "that is no recovery code, or one with a slip: it has \(RecoveryCode.groups) groups of four characters\(other)."
                )
            }
        }
        throw CommandFailure(
            .nothingFound,
            "you are signed in, and without \(wrapped.isEmpty ? "the recovery code" : "either") nothing there can be opened."
        )
    }

    private static func unwrapped(_ wrapped: [String], with passphrase: Secret) -> VaultKey? {
        guard passphrase.count >= WrappedVaultKey.leastBytes else { return nil }
        for text in wrapped {
            do throws(WrappedVaultKey.Problem) {
                return try WrappedVaultKey.unwrap(text, with: passphrase)
            } catch {
                switch error {
                case .isOtherPassphrase: break
                case .isUnreadable: Notes.warning("the cloud has a wrapped key that this version cannot read.")
                case .demandsTooMuch(let factor):
                    Notes.warning(
                        "the cloud has a wrapped key that demands too much work: 2^\(factor). It was not tried."
                    )
                case .lacksMemory: Notes.warning("the passphrase takes more memory than there is.")
                }
            }
        }
        return nil
    }

    /// Makes a key, and provides for another device to get it.
    private static func made(_ sync: CloudSync) async throws -> VaultKey {
        let key = VaultKey()
        let choice = try await TerminalDialogue.choose(
            "How shall your other devices open what is in the cloud?",
            [
                "by a passphrase of yours, which whoever runs the project can try",
                "by a recovery code, which nobody can guess",
            ]
        )
        guard choice == 0 else { return try await written(key) }
        let passphrase = try await PassphraseOption.typedTwice()
        let wrapped: String
        do throws(WrappedVaultKey.Problem) {
            wrapped = try WrappedVaultKey.wrap(key, with: passphrase)
        } catch {
            throw CommandFailure(.unavailable, "the passphrase takes more memory than there is; nothing was sent.")
        }
        try await CommandFailure.cloud { try await sync.send(wrapped, of: key) }
        return key
    }

    /// Has the user write down the recovery code of a key.
    private static func written(_ key: VaultKey) async throws -> VaultKey {
        let code = RecoveryCode(key)
        Notes.note(
            "your recovery code, which is shown this once. Another device asks for it, and without a device and without it "
                + "nobody can open what is in the cloud. Write it down:"
        )
        // Unchanged: notes are one line, without control sequences.
        let lines = RecoveryCodeText.lines(code.text.revealed ?? "", columns: (Notes.columns ?? 80) - 1)
        Notes.write("\n\(lines.joined(separator: "\n"))\n\n")
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
