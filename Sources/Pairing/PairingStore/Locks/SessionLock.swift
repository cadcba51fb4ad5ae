internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// The right to the one session of a credential, among all processes of this user; see ``PairingStore/lock(_:)``.
///
/// It ends with ``release()``, with the last reference to it, or with the process, however that ends.
package final class SessionLock: Sendable {
    private let file: FileLock

    init(_ credential: CredentialID, in folder: FilePath) throws(StoreError) {
        do {
            try PrivateFolder(path: folder).prepare()
            let path = folder.appending("\(credential).lock")
            switch try FileLock.attempt(path, note: Self.note) {
            case .acquired(let lock):
                file = lock
            case .held(let note):
                throw Self.held(path, LockHolder(note: note))
            }
        } catch let error as SafeFileError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.system, path: folder.string, expected: "a lock", found: "\(error)")
        }
    }

    /// The folder of the locks of a store.
    static func folder(_ location: StoreLocation) -> FilePath { FilePath(location.folder).appending("locks") }

    /// Makes the credential available to another session. Has no effect after the first call.
    package func release() { file.release() }

    /// Tells other processes what the session is doing now.
    package func note(_ note: SessionNote) {
        // On a full disk they know only who holds it.
        try? file.note(Self.note + note.lines)
    }

    /// Returns the session that a process has of a credential; `nil` if none has.
    static func session(of credential: CredentialID, in folder: FilePath) -> HeldSession? {
        FileLock.holdersNote(folder.appending("\(credential).lock")).flatMap { HeldSession($0) }
    }

    private static func held(_ path: FilePath, _ holder: LockHolder?) -> StoreError {
        StoreError(
            .locked,
            path: path.string,
            expected: "a credential without a session, since it can have only one",
            found: holder.map { "one that \($0) keeps" } ?? "one that another process keeps",
            holder: holder
        )
    }

    /// The note that says who holds the lock: the number and the name of this process.
    static var note: String {
        let program = CommandLine.arguments.first.flatMap { FilePath($0).lastComponent?.string } ?? "unknown"
        return "\(FileLock.process) \(program.cut(toBytes: 200))\n"
    }
}
