package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import HostSystem

/// The places of this host at which a gateway may be: a program listens at a usual port, or one that has the name of a
/// gateway's at any.
extension PlaceList {
    /// The most places that are asked.
    private static let most = 256

    /// The most addresses of one place.
    private static let mostAddresses = 8

    /// The threads that read what the kernel lists.
    private static let calls = BlockingCalls(most: 1)

    /// Chooses places.
    ///
    /// - Parameters:
    ///   - listeners: The sockets on which programs listen.
    ///   - own: The addresses at which other devices may reach this host.
    package init(_ listeners: HostListeners, own: [IPAddress]) {
        let own = Array(own.prefix(Self.mostAddresses))
        // What is published by a container is asked at this host's own port, and there alone.
        let ownPorts = Set(listeners.namespaces.filter(\.isOwn).flatMap(\.sockets).map(\.endpoint.port))
        for namespace in listeners.namespaces {
            let wanted = namespace.sockets.filter { socket in
                GatewayDialect.usualPorts.contains(socket.endpoint.port)
                    || socket.number.map(listeners.ofPrograms.contains) == true
            }
            let ports = Dictionary(grouping: wanted) { $0.endpoint.port }
            for (port, sockets) in ports.sorted(by: { $0.key < $1.key }) {
                let addresses = Set(sockets.map(\.endpoint.address.unmapped))
                if namespace.isOwn {
                    add(addresses.flatMap { Self.places(at: $0, own) }, port, .thisHost)
                } else if !ownPorts.contains(port) {
                    add(addresses, port, of: namespace, own)
                }
            }
        }
        for name in listeners.hidden.sorted() {
            reasons.append(
                "\(name) runs as another user, so that its ports are not known; it is asked at the usual ones"
            )
        }
        guard gateways.count > Self.most else { return }
        reasons.append("of \(gateways.count) places on this host, the first \(Self.most) are asked")
        gateways.removeLast(gateways.count - Self.most)
    }

    /// Adds the place of a program in another namespace, at its own addresses, and at this host's, from which it may be led
    /// there without a program that listens.
    private mutating func add(
        _ addresses: Set<IPAddress>,
        _ port: UInt16,
        of namespace: HostListeners.Namespace,
        _ own: [IPAddress]
    ) {
        let foreign = namespace.addresses.filter { !own.contains($0) }
        let reachable = addresses.flatMap { address in
            address.isUnspecified ? foreign : address.isLoopback ? [] : [address]
        }
        guard !reachable.isEmpty else {
            let listener = addresses.map { "\(Endpoint(address: $0, port: port))" }.sorted().joined(separator: ", ")
            reasons.append(
                "a program listens at \(listener) in another network namespace of this host, such as a container's, which "
                    + "only what runs in it can ask"
            )
            return
        }
        add(reachable + own, port, .namespace)
    }

    private mutating func add(_ addresses: [IPAddress], _ port: UInt16, _ source: PlaceSource) {
        let endpoints = Set(addresses).sorted().map { Endpoint(address: $0, port: port) }
        let gateway = ManualGateway(
            endpoints: endpoints,
            expected: GatewayProbeTarget.expected(ofPort: port),
            source: source
        )
        if !gateways.contains(gateway) { gateways.append(gateway) }
    }

    /// Returns the addresses at which a program is asked: one that listens at all is asked where others reach it, too.
    private static func places(at address: IPAddress, _ own: [IPAddress]) -> [IPAddress] {
        guard address.isUnspecified else { return [address] }
        // A socket for IPv6 takes connections of IPv4 as well, unless its program says otherwise.
        let fitting = own.filter { $0.family == .ipv4 || address.family == .ipv6 }
        let loopback = address.family == .ipv4 ? IPAddress("127.0.0.1") : IPAddress("::1")
        return fitting.isEmpty ? [loopback].compactMap(\.self) : fitting
    }

    /// The places of this host as they are now.
    package static var ofThisHost: PlaceList {
        get async {
            await withCheckedContinuation { continuation in
                calls.run {
                    let listeners = HostListeners.current(ofPrograms: GatewayProgram.name)
                    let own = HostInterface.all.filter { $0.isOnNetwork && !$0.isOfContainers }
                        .flatMap { $0.addresses.map(\.address) }
                        .filter { !$0.isLinkLocal && !$0.isLoopback }
                    continuation.resume(returning: PlaceList(listeners, own: own))
                }
            }
        }
    }
}

/// The programs of gateways, by the words of their commands.
enum GatewayProgram {
    private static let names: Set = [
        "openclaw", "openclaw-gateway", "clawdbot", "clawdbot-gateway", "moltbot", "moltbot-gateway", "optaplus",
        "openagents", "clawline", "reference-gateway",
    ]

    /// The names as the kernel keeps them: 15 bytes.
    private static let short = Dictionary(names.map { (String($0.prefix(15)), $0) }) { min($0, $1) }

    /// Returns the name of a gateway's program; `nil` for any other.
    ///
    /// - Parameter words: The name of the command, and the first words of its line: an interpreter runs a script in the folder
    ///   of its package.
    static func name(_ words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if index == 0, let name = short[word] { return name }
            let parts = word.split(separator: "/")
            if let name = parts.last.map(String.init), names.contains(name) { return name }
            // The folder of a package, such as /usr/lib/node_modules/openclaw/dist/index.js.
            guard let modules = parts.lastIndex(of: "node_modules"), parts.indices.contains(modules + 1) else {
                continue
            }
            if names.contains(String(parts[modules + 1])) { return String(parts[modules + 1]) }
        }
        return nil
    }
}
