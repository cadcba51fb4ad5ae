internal import SystemPackage

/// One step of a write that leaves the old or the new content, whenever the process or the machine stops.
enum WriteStep: Hashable, Sendable, CaseIterable {
    /// Creates a temporary file beside the target, for its owner alone. It must be in the same folder: a rename from
    /// another file system is no rename.
    case create
    /// Writes all bytes to it.
    case write
    /// Has the disk keep them: a rename may reach the disk before the bytes do.
    case synchronize
    /// Closes it. File systems of the network report here what they could not write.
    case close
    /// Lets it take the place of the target, in one go.
    case rename
    /// Has the disk keep the rename.
    case synchronizeFolder
    /// Removes the temporary file. Only after a failure.
    case remove
}

/// The order of the steps of a write, and what follows from the failure of each. A value: the one who carries it out
/// reports how each step went.
struct WritePlan: Hashable, Sendable {
    /// The step to take next; `nil` at the end.
    private(set) var next: WriteStep? = .create

    /// The first step that failed; `nil` while none did.
    private(set) var failure: Failure?

    /// A step that failed, and the system's reason.
    struct Failure: Hashable, Sendable {
        let step: WriteStep
        let errno: Errno
    }

    /// Takes in that the step succeeded.
    mutating func succeeded() {
        next =
            switch next {
            case .create: .write
            case .write: .synchronize
            case .synchronize: .close
            case .close: failure == nil ? .rename : .remove
            case .rename: .synchronizeFolder
            case .synchronizeFolder, .remove, nil: nil
            }
    }

    /// Takes in that the step failed.
    mutating func failed(_ errno: Errno) {
        guard let step = next else { return }
        if failure == nil { failure = Failure(step: step, errno: errno) }
        next =
            switch step {
            // Nothing is there yet, or the new content is in its place already; and a second failure changes nothing.
            case .create, .synchronizeFolder, .remove: nil
            // The descriptor is still open.
            case .write, .synchronize: .close
            case .close, .rename: .remove
            }
    }
}
