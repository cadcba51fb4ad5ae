internal import BotMap
internal import DNSSD
internal import Gateways

/// What a ``ScanState`` wants to have done.
enum ScanAction: Hashable, Sendable {
    /// Ask what is there, and report the end to ``ScanState/ended(_:report:now:)``.
    case probe(ProbeJob)

    /// Ask whether it answers, and report an answer to ``ScanState/answered(_:endpoint:roundTrip:now:)``, and the end of a
    /// connection to ``ScanState/missed(_:endpoint:now:)`` or ``ScanState/holdEnded(_:now:)``.
    case check(CheckJob)

    /// Let go of a kept connection.
    case release(Endpoint)

    /// Tell the map.
    case tell(BotMapEvent)
}
