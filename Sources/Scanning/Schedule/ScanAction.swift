internal import Constellation
internal import DNSSD
internal import GatewayClient

/// An action that a ``ScanState`` wants to have done.
enum ScanAction: Hashable, Sendable {
    /// Ask what is there, and report the end to ``ScanState/ended(_:report:now:)``.
    case probe(ProbeJob)

    /// Ask whether it answers. Over a connection of its own, its end goes to ``ScanState/ended(_:_:now:)``; over one that is
    /// kept, each answer goes to ``ScanState/answered(_:_:_:now:)`` and its loss to ``ScanState/heldConnectionEnded(_:_:now:)``.
    case check(CheckJob)

    /// Ask the host of an address itself which services of these types it has, and report each answer to
    /// ``ScanState/hostReported(_:_:now:)`` and the end to ``ScanState/hostEnded(_:)``.
    case askHost(IPAddress, [ServiceType])

    /// Let go of a held connection.
    case releaseConnection(Endpoint)

    /// Have the browser verify the records of a service whose endpoint does not answer.
    case reconfirm(ServiceInstance)

    /// Have the browser protect a service that answers, or no longer.
    case protect(ServiceInstance, Bool)

    /// Tell the map.
    case emit(BotMapEvent)
}

/// One gateway probe of one endpoint that is to run, or runs.
struct ProbeJob: Hashable, Sendable {
    let id: Int
    let endpoint: Endpoint
    let question: GatewayProbeTarget

    /// The connections that were set aside for it.
    let connections: Int
    let standing: ProbeStanding
}
