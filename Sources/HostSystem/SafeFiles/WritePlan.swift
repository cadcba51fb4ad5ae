internal import SystemPackage

/// One step of a write that leaves either the old or the new content, whenever the process or the machine stops.
enum WriteStep: Hashable, Sendable, CaseIterable {
    /// Creates a temporary file beside the target, for its owner alone. It must be in the same folder: a rename from
    /// another file system is no rename.
    case create
    /// Writes all bytes to it.
    case write
    /// Makes them durable: a rename may reach the disk before the bytes do.
    case synchronize
    /// Closes it. Network file systems report here what they could not write.
    case close
    /// Renames it to the target, atomically.
    case rename
    /// Makes the rename durable.
    case synchronizeFolder
    /// Removes the temporary file. Only after a failure.
    case remove
}

/// The order of the steps of a write, and the consequences when one fails. A value: its owner carries out the steps,
/// and reports the outcome of each.
struct WritePlan: Hashable, Sendable {
    /// Indicates whether what was written has to survive a power failure.
    private let isDurable: Bool

    /// The step to take next; `nil` at the end.
    private(set) var next: WriteStep? = .create

    /// The first step that failed; `nil` while none has.
    private(set) var failure: Failure?

    /// A step that failed, and the system's reason.
    struct Failure: Hashable, Sendable {
        let step: WriteStep
        let errno: Errno
    }

    init(isDurable: Bool = true) {
        self.isDurable = isDurable
    }

    /// Records that the step succeeded.
    mutating func succeeded() {
        next =
            switch next {
            case .create: .write
            case .write: isDurable ? .synchronize : .close
            case .synchronize: .close
            case .close: failure == nil ? .rename : .remove
            case .rename: isDurable ? .synchronizeFolder : nil
            case .synchronizeFolder, .remove, nil: nil
            }
    }

    /// Records that the step failed.
    mutating func failed(_ errno: Errno) {
        guard let step = next else { return }
        if failure == nil { failure = Failure(step: step, errno: errno) }
        next =
            switch step {
            // There is no temporary file yet, or no longer; and there is no remedy when its removal fails.
            case .create, .synchronizeFolder, .remove: nil
            // The descriptor is still open.
            case .write, .synchronize: .close
            case .close, .rename: .remove
            }
    }
}
