package import DNSSD

/// The rules for which endpoints a gateway probe may connect to.
///
/// By advertising an address, anybody on the network can make this host connect to it: without rules, to its own
/// loopback, to a cloud's metadata service, or to a victim on the Internet.
package struct TargetRules: Hashable, Sendable {
    /// The source of an endpoint.
    package enum Origin: Hashable, Sendable {
        /// Multicast DNS, from another host.
        case network
        /// Multicast DNS, from this host itself. Only this origin may lead to loopback.
        case thisHost
        /// A DNS zone that the user has named: it may lead anywhere but to this host and its links.
        case namedZone
        /// A DNS zone that the network has named, as anybody on it may do.
        case networkZone
        /// The user, who may type in any host.
        case user
    }

    /// An address with the prefix length of its network.
    package struct Prefix: Hashable, Sendable {
        /// Any address of the network.
        package let address: IPAddress
        /// The prefix length in bits, 0–32 or 0–128; a greater number counts as the greatest of these.
        package let length: Int

        /// Creates the prefix of a network. With a length below 0 no address is in the network.
        package init(address: IPAddress, length: Int) {
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
    package let origin: Origin

    /// The networks that the interfaces of this host are in: an address in one of them is on-link, even if it is a
    /// public address.
    package let onLink: [Prefix]

    /// Creates the rules for endpoints of an origin; by default, no network counts as on-link.
    package init(origin: Origin, onLink: [Prefix] = []) {
        self.origin = origin
        self.onLink = onLink
    }

    /// Returns the reason why an endpoint must not be connected to; `nil` when it may.
    package func refusal(of endpoint: Endpoint) -> TargetRefusal? {
        if endpoint.port == 0 { return .port }
        // A user may name any host. For every origin, these are refused: addresses that are not one host, and metadata
        // services.
        let address = endpoint.address.unmapped
        if address.isUnspecified { return .unspecified }
        if address.isMulticast { return .multicast }
        if address.isBroadcast(in: onLink) { return .broadcast }
        if address.isMetadataService { return .metadata }
        if case .v6(let v6) = address, v6.isLinkLocal, v6.scope == nil { return .missingScope }
        if origin == .user {
            // An address of these that is written as another one is no other host.
            return address.translatedIPv4.flatMap { refusal(of: Endpoint(address: .v4($0), port: endpoint.port)) }
        }
        if let hidden = address.translatedIPv4 {
            // The reason is the one for the embedded address, so that an attempt to hide that address shows.
            let inner = Endpoint(address: .v4(hidden), port: endpoint.port)
            return TargetRules(origin: .network, onLink: onLink).refusal(of: inner) ?? .translated
        }
        if address.isLoopback { return origin == .thisHost ? nil : .loopback }
        if origin == .namedZone || origin == .networkZone {
            // A zone is read on any link, and says of none which it means.
            if address.isLinkLocal { return .linkLocal }
            if origin == .namedZone { return nil }
        }
        guard address.isLocalNetwork || onLink.contains(where: { $0.contains(address) }) else { return .notLocal }
        return nil
    }
}
