internal import DNSSD
internal import GatewayClient

/// An action that a ``ScanState`` requests.
enum ScanAction: Hashable, Sendable {
    /// Run a gateway probe, and report its end to ``ScanState/ended(_:report:now:)``.
    case probe(ProbeJob)

    /// Check whether a gateway answers. The end of a check over its own connection goes to
    /// ``ScanState/ended(_:_:now:)``; over a held connection, each answer goes to ``ScanState/answered(_:_:_:now:)``
    /// and the end of the connection to ``ScanState/heldConnectionEnded(_:_:now:)``.
    case check(CheckJob)

    /// Ask a gateway whether it can do its work, and report the result to ``ScanState/ended(_:_:connections:now:)``.
    case askReadiness(ReadinessJob)

    /// Query the host of an address directly for its services of these types, and report each answer to
    /// ``ScanState/hostReported(_:_:now:)`` and the end to ``ScanState/hostEnded(_:)``.
    case askHost(IPAddress, [ServiceType])

    /// Release a held connection.
    case releaseConnection(Endpoint)

    /// Have the browser verify the records of a service whose endpoint does not answer.
    case reconfirm(ServiceInstance)

    /// Have the browser protect a service that answers, or no longer protect it.
    case protect(ServiceInstance, Bool)

    /// Pass an event to the map, and its demands to ``ScanState/serve(_:now:)``.
    case emit(BotMapEvent)

    /// Tell the map that an endpoint has left a question unanswered, which is not news yet, and pass its demands to
    /// ``ScanState/serve(_:now:)``.
    case reportSilence(Endpoint)
}

/// One gateway probe of one endpoint that is to run, or is running.
struct ProbeJob: Hashable, Sendable {
    let id: Int
    let endpoint: Endpoint
    let question: GatewayProbeTarget

    /// The number of connections that are reserved for it.
    let connections: Int
    let standing: ProbeStanding
}
