internal import Constellation
internal import DNSSD
internal import Discovery

/// An update for a watch of gateways.
enum WatchInput: Sendable {
    /// The map is another.
    case map(MapUpdate)

    /// A service is another.
    case service(ServiceChange)

    /// The browser is in another condition.
    case condition(BrowserCondition)
}
