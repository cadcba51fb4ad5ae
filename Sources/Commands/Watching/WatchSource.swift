internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayReports

/// The source of a watch of gateways: the network, or what was recorded of it.
protocol WatchSource: Sendable {
    /// The name of the source, for people.
    var name: String { get }

    /// Tells all there is, each with its time, until the task is cancelled or nothing more will come.
    ///
    /// - Parameter show: Can be called from several tasks at once.
    func run(_ show: @escaping @Sendable (WatchInput, Timestamp) throws -> Void) async throws
}

/// An update for a watch of gateways.
enum WatchInput: Sendable {
    /// The map is another.
    case map(MapUpdate)

    /// A service is another.
    case service(ServiceChange)

    /// The browser is in another condition.
    case condition(BrowserCondition)
}
