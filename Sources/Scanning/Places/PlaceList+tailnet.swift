internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// A machine of a tailnet, as its service describes it.
package struct TailnetPeer: Hashable, Sendable {
    /// The most machines that are looked at.
    private static let most = 32

    /// Its name in the DNS of the tailnet, without the dot at the end; empty if it has none.
    let name: String

    /// Its addresses.
    let addresses: [IPAddress]

    /// Its tags, such as `tag:ai`.
    let tags: [String]

    /// Indicates whether it is connected; `nil` if the service does not say.
    let isOnline: Bool?

    /// Returns the machines that are looked at: those that are connected, before those of which it is not known. One that is
    /// not connected cannot answer.
    ///
    /// - Parameter wanted: The names, with or without the domain of the tailnet, and the tags of those that are wanted; none
    ///   stands for all.
    static func chosen(_ peers: [TailnetPeer], _ wanted: [String]) -> [TailnetPeer] {
        let wanted = Set(wanted.map { $0.lowercased() })
        let fitting = peers.filter { peer in
            let name = peer.name.lowercased()
            let words = [name, name.prefix { $0 != "." }.description] + peer.tags.map { $0.lowercased() }
            return peer.isOnline != false && (wanted.isEmpty || !wanted.isDisjoint(with: words))
        }
        func rank(_ peer: TailnetPeer) -> (Int, String) { (peer.isOnline == true ? 0 : 1, peer.name) }
        return Array(fitting.sorted { rank($0) < rank($1) }.prefix(most))
    }

    /// The places at which it may have a gateway: by its name, as Tailscale Serve publishes one with a certificate, and by its
    /// address at the usual ports.
    var places: [Endpoint] {
        let rules = TargetRules(origin: PlaceSource.tailnet.origin)
        let allowed = addresses.filter { rules.refusal(of: Endpoint(address: $0, port: 443)) == nil }
        guard let address = allowed.min() else { return [] }
        let served = ServerName(name).map { [Endpoint(address: address, port: 443, serverName: $0)] } ?? []
        return served + GatewayDialect.usualPorts.map { Endpoint(address: address, port: $0) }
    }
}

extension PlaceList {
    /// The look at the machines of a tailnet, which may be far away.
    private static let tailnetLook = PortLook(atOnce: 6, limit: .milliseconds(1_600))

    /// Looks for places at the machines of the tailnet to which this host belongs.
    ///
    /// - Parameter wanted: The names and tags of those that are wanted; none stands for all.
    package static func ofTailnet(_ wanted: [String] = [], _ service: TailnetService = .system) async -> PlaceList {
        var list = PlaceList()
        guard let peers = await service.peers() else {
            list.reasons = ["no machine of a tailnet is asked: tailscaled does not run here, or is not connected"]
            return list
        }
        let chosen = TailnetPeer.chosen(peers, wanted)
        if chosen.isEmpty { list.reasons = ["no machine of the tailnet is asked: none that is wanted is connected"] }
        list.gateways = await tailnetLook.open(at: chosen.map(\.places)).sorted().map { place in
            ManualGateway(
                endpoints: [place],
                reach: .remote,
                expected: place.serverName == nil ? GatewayProbeTarget.expected(ofPort: place.port) : nil,
                transports: place.serverName == nil ? .plainFirst : .tlsOnly,
                source: .tailnet
            )
        }
        return list
    }
}
