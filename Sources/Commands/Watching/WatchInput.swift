internal import Constellation
internal import DNSSD
internal import Discovery

/// What a watch of gateways is told.
enum WatchInput: Sendable {
    /// The map is another.
    case map(MapUpdate)

    /// A service is another.
    case service(ServiceChange)

    /// The browser is in another condition.
    case condition(BrowserCondition)
}
