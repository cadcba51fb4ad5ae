public import DNSSD

/// The rules for which endpoints a gateway probe may connect to.
///
/// An advertisement is an order to connect, given by anybody on the network: without rules it would make this host knock
/// at its own loopback, at a cloud's metadata service, or at a victim on the Internet.
public struct TargetRules: Hashable, Sendable {
    /// The way in which an endpoint came to be known.
    public enum Origin: Hashable, Sendable {
        /// Multicast DNS, from another host.
        case network
        /// Multicast DNS, from this very host, which alone may lead to loopback.
        case thisHost
        /// Typed in by the user, who may name any host.
        case user
    }

    /// An address with the length of its network.
    public struct Prefix: Hashable, Sendable {
        /// Any address of the network.
        public let address: IPAddress
        /// The number of bits that name the network, 0–32 or 0–128; a greater number counts as the greatest of these.
        public let length: Int

        public init(address: IPAddress, length: Int) {
            self.address = address
            self.length = length
        }

        func contains(_ other: IPAddress) -> Bool {
            let (left, right) = (address.bytes, other.bytes)
            guard left.count == right.count, length >= 0 else { return false }
            return left.indices.allSatisfy { index in
                let bits = min(max(length - index * 8, 0), 8)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                return left[index] & mask == right[index] & mask
            }
        }
    }

    /// The origin of the endpoint.
    public let origin: Origin

    /// The networks that the interfaces of this host are in: what is in one of them is on-link, whatever its number.
    public let onLink: [Prefix]

    public init(origin: Origin, onLink: [Prefix] = []) {
        self.origin = origin
        self.onLink = onLink
    }

    /// Returns the reason why an endpoint must not be connected to; `nil` when it may.
    public func refusal(of endpoint: Endpoint) -> TargetRefusal? {
        if endpoint.port == 0 { return .port }
        // What the user typed is what the user wants; only what is no host at all is refused.
        let address = endpoint.address.unmapped
        if address.isUnspecified { return .unspecified }
        if address.isMulticast { return .multicast }
        if address.isBroadcast(in: onLink) { return .broadcast }
        if address.isMetadataService { return .metadata }
        if case .v6(let v6) = address, v6.isLinkLocal, v6.scope == nil { return .missingScope }
        if origin == .user { return nil }
        if let hidden = address.translatedIPv4 {
            // Named by the reason that the hidden address has, so that the trick is seen for what it is.
            let inner = Endpoint(address: .v4(hidden), port: endpoint.port)
            return TargetRules(origin: .network, onLink: onLink).refusal(of: inner) ?? .translated
        }
        if address.isLoopback { return origin == .thisHost ? nil : .loopback }
        guard address.isLocalNetwork || onLink.contains(where: { $0.contains(address) }) else { return .notLocal }
        return nil
    }
}
