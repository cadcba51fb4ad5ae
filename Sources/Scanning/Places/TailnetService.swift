package import DNSSD
package import GatewayProtocol
internal import HostSystem

/// The service of a tailnet on this host, which knows which machine has which address: tailscaled, by its local API.
package struct TailnetService: Sendable {
    /// Returns the answer to a request; `nil` if there is none in time.
    let ask: @Sendable ([UInt8]) async -> [UInt8]?

    /// Creates a service that is asked in this way.
    package init(ask: @escaping @Sendable ([UInt8]) async -> [UInt8]?) {
        self.ask = ask
    }

    /// The service of this host. Its socket is in a folder of the system's, and it has to be the system's itself or this user's.
    package static let system = TailnetService(path: "/var/run/tailscale/tailscaled.sock")

    /// The threads that wait for answers.
    private static let calls = BlockingCalls(most: 4)

    /// The most bytes of an answer: that about a machine has its capabilities in it, some kilobytes at most, and that about all
    /// has as much of each.
    static let mostBytes = 4 << 20

    /// The time for one answer, which takes about a millisecond.
    private static let timeout = Duration.seconds(1)

    /// Creates the service behind a Unix socket.
    init(path: String, timeout: Duration = timeout) {
        let service = LocalService(path: path)
        self.init { request in
            // The wait for a thread counts.
            let deadline = ContinuousClock.now + timeout
            return await withCheckedContinuation { continuation in
                Self.calls.run {
                    let left = deadline - .now
                    let answer =
                        left > .zero ? service.answer(to: request, most: Self.mostBytes, within: left) : nil
                    continuation.resume(returning: answer)
                }
            }
        }
    }

    /// Returns the machine that has an address in the tailnet.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - own: The address of this host on the interface that leads there. It has to be the service's: the packets to an
    ///     address go where the routes lead, whoever has it in a tailnet.
    /// - Returns: `nil` if the service does not say it, or has no interface, since nothing goes through the tailnet then.
    package func node(at address: IPAddress, from own: IPAddress) async -> TailnetNode? {
        guard let status = await status("?peers=false"),
            status["TailscaleIPs"]?.array?.contains(where: { $0.string.flatMap { IPAddress($0) } == own }) == true
        else { return nil }
        // Earlier versions demand a port. With 0 only the address counts.
        let place = address.family == .ipv4 ? "\(address):0" : "%5B\(address)%5D:0"
        // Of an address that is no machine's, it may name the machine that is the router of a network.
        guard let node = await answer(to: "/localapi/v0/whois?addr=\(place)")?["Node"],
            node["Addresses"]?.array?.contains(where: { $0.string.map { Self.is(address, $0) } == true }) == true
        else { return nil }
        return node["Key"]?.string.flatMap(TailnetNode.init)
    }

    /// Returns the other machines of the tailnet; `nil` if this host is not connected to one.
    package func peers() async -> [TailnetPeer]? {
        guard let status = await status("") else { return nil }
        return (status["Peer"]?.object ?? [:]).values.map { peer in
            let name = peer["DNSName"]?.string ?? ""
            return TailnetPeer(
                name: name.hasSuffix(".") ? String(name.dropLast()) : name,
                addresses: (peer["TailscaleIPs"]?.array ?? []).compactMap { $0.string.flatMap { IPAddress($0) } },
                tags: (peer["Tags"]?.array ?? []).compactMap(\.string),
                isOnline: peer["Online"]?.bool
            )
        }
    }

    /// Indicates whether this host is connected to a tailnet.
    package var isConnected: Bool {
        get async { await status("?peers=false") != nil }
    }

    /// Returns what the service says of the tailnet; `nil` if nothing goes through one.
    private func status(_ query: String) async -> JSONValue? {
        guard let status = await answer(to: "/localapi/v0/status\(query)"),
            status["BackendState"]?.string == "Running", status["TUN"]?.bool == true
        else { return nil }
        return status
    }

    /// Indicates whether a prefix, such as `100.64.0.1/32`, is an address and nothing else.
    private static func `is`(_ address: IPAddress, _ prefix: String) -> Bool {
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && IPAddress(String(parts[0])) == address && Int(parts[1]) == address.bytes.count * 8
    }

    private func answer(to target: String) async -> JSONValue? {
        // By HTTP/1.0 the answer is in one piece, and ends with the connection.
        let head = ["GET \(target) HTTP/1.0", "Host: local-tailscaled.sock", "", ""]
        guard let answer = await ask(Array(head.joined(separator: "\r\n").utf8)) else { return nil }
        return Self.body(of: answer).flatMap {
            try? JSONValue(parsing: $0, limits: JSONLimits(maximumBytes: Self.mostBytes))
        }
    }

    /// Returns the body of a successful answer.
    private static func body(of answer: [UInt8]) -> [UInt8]? {
        let lines = ["HTTP/1.0 200 ", "HTTP/1.1 200 "]
        let ending = Array("\r\n\r\n".utf8)
        guard lines.contains(where: { answer.starts(with: $0.utf8) }),
            let end = answer.indices.first(where: { answer[$0...].starts(with: ending) })
        else { return nil }
        return Array(answer[(end + ending.count)...])
    }
}
