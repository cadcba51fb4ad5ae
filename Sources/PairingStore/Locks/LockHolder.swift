/// The process that has a credential's session.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The number of the process, as it wrote it down.
    public let process: Int32

    /// The name of its program, such as `clawradar`.
    public let program: String

    public var description: String { "\(program) (process \(process))" }
}
