internal import Reports
internal import Scanning

/// The source of a watch: the network, or a recording of it.
protocol WatchSource: Sendable {
    /// The name of the source, for people.
    var name: String { get }

    /// Reports all updates, in their order, until the task is cancelled or nothing more will come.
    ///
    /// - Parameters:
    ///   - show: A closure that gets each update with its time.
    ///   - looked: A closure that is called with the time when the first look for gateways is over; `nil` if nobody wants
    ///     to know.
    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws
}

extension WatchSource {
    /// Reports all updates to somebody who does not want to know when the first look is over.
    func run(_ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void) async throws {
        try await run(show, looked: nil)
    }
}
