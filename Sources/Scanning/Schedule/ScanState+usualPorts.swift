internal import DNSSD
internal import GatewayProtocol

/// The hosts that the user entered without a port: all usual ports are asked, and those at which a gateway answers are shown;
/// the host once, while there is none. Of the places that sources find, those at which a gateway answers are shown.
extension ScanState {
    /// The least time between two questions to a place that was found, and at which no gateway has answered.
    static let foundPause = Duration.seconds(60)

    /// Indicates whether nothing leads to an endpoint but a host without a port, or a source, and no gateway has answered there.
    func isOnlySought(_ endpoint: Endpoint) -> Bool {
        guard !manual.sought.isFound(endpoint), let known = endpoints[endpoint], known.isWanted else { return false }
        return known.candidates.all.allSatisfy { manual.sought.contains($0.key, at: endpoint) }
    }

    /// Shows an endpoint at which a gateway answers, in place of what stood for its host.
    mutating func showSought(_ endpoint: Endpoint) {
        guard let (gateway, number, standIn) = manual.sought.find(endpoint) else { return }
        if let standIn, standIn != endpoint { hide(standIn) }
        guard gateway.source != nil else { return emit(gateway.event(at: endpoint, number: number)) }
        // What the user has named is shown as such.
        hide(endpoint)
    }

    /// Shows the host once no gateway has answered at any of its usual ports.
    mutating func concludeSearch(at endpoint: Endpoint) {
        let all = manual.sought.endpoints(ofHostAt: endpoint)
        // A session is with a gateway, whether it was asked before or not.
        guard !all.contains(where: sessions.contains), all.allSatisfy({ endpoints[$0]?.question.isAsked ?? true }),
            let first = all.first(where: isOnlySought)
        else { return }
        showHost(at: first, .notAtUsualPorts)
    }

    /// Shows an endpoint for its host, unless something of that is shown already.
    mutating func showHost(at endpoint: Endpoint, _ reason: NoAnswer?) {
        guard let (gateway, number) = manual.sought.standIn(endpoint) else { return }
        emit(gateway.event(at: endpoint, number: number))
        if let reason { emit(.probed(endpoint, .nothing(reason))) }
    }
}
