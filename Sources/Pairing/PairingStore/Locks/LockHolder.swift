internal import HostSystem

/// The process that has a credential's session.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The number of the process, as the process has written it.
    package let process: Int32

    /// The name of its program, such as `clawradar`.
    package let program: String

    package init(process: Int32, program: String) {
        self.process = process
        self.program = program
    }

    /// Reads a holder's note; `nil` if it is empty or of another form.
    init?(note: String) {
        let parts = note.split(separator: "\n", maxSplits: 1).first?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, let process = Int32(parts[0]), process > 0 else { return nil }
        self.init(process: process, program: String(parts[1]))
    }

    /// Indicates whether it is this process itself.
    package var isThisProcess: Bool { process == FileLock.process }

    package var description: String { "\(program) (process \(process))" }
}
