internal import Constellation
internal import Reports

/// The source of a watch: the network, or a recording of it.
protocol WatchSource: Sendable {
    /// The name of the source, for people.
    var name: String { get }

    /// Reports all updates, in their order, until the task is cancelled or nothing more will come.
    ///
    /// - Parameter show: A closure that gets each update with its time.
    func run(_ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void) async throws
}
