internal import HostSystem
internal import Pairing
internal import Synchronization
internal import SystemPackage

/// The right of an ``Agent`` to be the only one of its user: beside the store of pairings, so that nobody is told of anything
/// twice, wherever another agent has its socket; and in the folder of the socket, so that no other takes that away from it.
///
/// The system may remove the folder of the socket when the user logs out, and people remove files that lock something. So the
/// folder of the store is locked as well, and what is missing is made anew.
final class SoleAgent: Sendable {
    private struct Held {
        var place: FileLock?
        var folder: FolderLock?
        var store: FileLock?
    }

    private let place: AgentPlace
    private let location: @Sendable () throws(StoreError) -> StoreLocation
    private let held = Mutex(Held())

    init(_ place: AgentPlace, _ location: @escaping @Sendable () throws(StoreError) -> StoreLocation) {
        self.place = place
        self.location = location
    }

    /// Takes the right in the folder of the socket, which is made if it is missing. Does nothing where it has it.
    ///
    /// - Throws: ``AgentError`` `alreadyRuns` if another one runs, or `noPlace` if the folder cannot be used.
    func takePlace() throws(AgentError) {
        try held.withLock { held throws(AgentError) in
            guard held.place?.isInPlace != true else { return }
            held.place = try place.take()
        }
    }

    /// Takes the right in the folder of the socket anew, if it had it there: the file or the folder may be gone.
    func renewPlace() throws(AgentError) {
        guard held.withLock({ $0.place != nil }) else { return }
        try takePlace()
    }

    /// Takes the right beside the store. Does nothing where it has it, or where there is no place for a store: whatever opens
    /// that says why.
    ///
    /// - Throws: ``AgentError`` `alreadyRuns` if another agent has it.
    func takeStore() throws(AgentError) {
        guard let location = try? location() else { return }
        let (folder, lock) = (FilePath(location.folder), AgentPlace.lock(beside: location))
        try held.withLock { held throws(AgentError) in
            if held.folder?.isInPlace != true {
                // A folder that cannot be used is said by whatever opens the store there.
                try? PrivateFolder(path: folder).prepareWithParents()
                var isAnothers = false
                do throws(SafeFileError) {
                    held.folder = try FolderLock.attempt(folder)
                    isAnothers = held.folder == nil
                } catch {
                    // Some file systems lock files alone.
                    held.folder = nil
                }
                if isAnothers { throw AgentError.alreadyRuns(note: FileLock.holdersNote(lock)) }
            }
            guard held.store?.isInPlace != true else { return }
            // It is waited for, since whoever reads the note of a holder has it for a moment.
            if let taken = try? FileLock.wait(lock, seconds: 1) {
                try? taken.note(place.note)
                held.store = taken
            } else if held.folder == nil, let note = FileLock.holdersNote(lock) {
                throw AgentError.alreadyRuns(note: note)
            }
        }
    }

    /// Gives it up.
    func release() {
        held.withLock { held in
            held.store?.release()
            held.place?.release()
            held = Held()
        }
    }
}
