internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports

/// The source of a watch: the network, or a recording of it.
protocol WatchSource: Sendable {
    /// The name of the source, for people.
    var name: String { get }

    /// Reports all updates until the task is cancelled or nothing more will come.
    ///
    /// - Parameter show: A closure that gets each update with its time. It can be called from several tasks at once.
    func run(_ show: @escaping @Sendable (WatchInput, Timestamp) throws -> Void) async throws
}

/// An update for a watch.
enum WatchInput: Sendable {
    /// The map has changed.
    case map(MapUpdate)

    /// A service has changed.
    case service(ServiceChange)

    /// The condition of the browser has changed.
    case condition(BrowserCondition)
}
