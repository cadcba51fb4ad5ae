package import DNSSD
package import GatewayClient
public import GatewayProtocol
public import Scanning

/// The gateway that a user wants to pair with: a row of the map, an address that was typed in, or a link.
public struct PairingTarget: Hashable, Sendable {
    /// A place at which it may be.
    package enum Place: Hashable, Sendable {
        /// At these endpoints, all of one gateway.
        case endpoints([Endpoint])

        /// At the addresses of a host that is looked up.
        case host(String, port: UInt16)

        /// At a public host, with a certificate for its name that the system trusts.
        case remote(GatewayURL)

        /// The host name; `nil` for addresses.
        var hostName: String? {
            switch self {
            case .endpoints: nil
            case .host(let host, port: _): IPAddress(host) == nil ? host : nil
            case .remote(let url): url.address == nil ? url.host : nil
            }
        }
    }

    /// The row of the map; `nil` if there is none yet.
    public var gatewayID: GatewayID?

    /// Its name, if one is known. Untrusted.
    public var name: String?

    /// The place at which it may be.
    package var place: Place

    /// The host name that the user gave for it, from which the place was found; `nil` for an address or a row of the
    /// map. A certificate for it that the system trusts proves the gateway, and outlives its renewal.
    public var hostName: String?

    /// The path of its WebSocket, at a host that is looked up. Endpoints have paths of their own.
    public var resource: String

    /// The dialect that it is likely to speak.
    public var dialect: GatewayDialect?

    /// The transports that are tried, with TLS or without, and their order.
    package var transports: ProbeTransports

    /// The certificate that it must show: the one that was shown to the user, or that of its link. If there is one,
    /// only TLS is tried.
    public var leaf: LeafFingerprint?

    /// The source of the demand for this certificate. Only a person's word for it proves the gateway: what a scan has
    /// found is whatever answered.
    package var leafSource: LeafSource

    /// The fingerprint that it must answer with: that of its row of the map or, if it answers with any, of its link.
    public var fingerprint: GatewayFingerprint?

    /// Indicates whether only a DNS zone leads to it.
    package var isFromZoneAlone = false

    /// The one-time token of its link.
    public var pairingToken: Secret?

    /// The address outside of this network that is stored in the pairing.
    package var remoteURL: GatewayURL?

    /// The rights that this device asks for there.
    package var rights = DeviceRights.member

    /// The name under which this device asks a Clawline provider, at most 64 bytes; `nil` for that of its identity.
    public var claimedName: String?

    /// A source of the demand for a certificate.
    package enum LeafSource: String, Hashable, Sendable, CaseIterable {
        /// The certificate that answered before.
        case answer
        /// A link or code of the gateway.
        case link
        /// The digits that the user gave.
        case user

        var proof: PairingProof {
            switch self {
            case .answer: .unproved
            case .link: .pinInLink
            case .user: .leafGiven
            }
        }
    }

    /// Creates a target. At most 16 addresses of its place are asked.
    ///
    /// - Parameters:
    ///   - place: The place at which it may be.
    ///   - gatewayID: The row of the map; `nil` if there is none yet.
    ///   - name: Its name, if one is known.
    ///   - hostName: The host name that the user gave for it; by default that of its place, if it has one.
    ///   - resource: The path of its WebSocket, at a host that is looked up.
    ///   - dialect: The dialect that it is likely to speak; `nil` when anything is possible.
    ///   - transports: The transports that are tried, and their order.
    ///   - leaf: The certificate that it must show; if there is one, only TLS is tried.
    ///   - leafSource: The source of the demand for this certificate.
    ///   - fingerprint: The fingerprint that it must answer with.
    ///   - pairingToken: The one-time token of its link.
    ///   - remoteURL: The address outside of this network that is stored in the pairing. Of a ``Place/remote(_:)``, the
    ///     address itself is stored instead.
    package init(
        place: Place,
        gatewayID: GatewayID? = nil,
        name: String? = nil,
        hostName: String? = nil,
        resource: String = "/",
        dialect: GatewayDialect? = nil,
        transports: ProbeTransports = .tlsFirst,
        leaf: LeafFingerprint? = nil,
        leafSource: LeafSource = .answer,
        fingerprint: GatewayFingerprint? = nil,
        pairingToken: Secret? = nil,
        remoteURL: GatewayURL? = nil
    ) {
        self.place = place
        self.gatewayID = gatewayID
        self.name = name
        self.hostName = hostName ?? place.hostName
        self.resource = resource
        self.dialect = dialect
        self.transports = transports
        self.leaf = leaf
        self.leafSource = leafSource
        self.fingerprint = fingerprint
        self.pairingToken = pairingToken
        self.remoteURL = remoteURL
    }

    /// Creates the target for a row of the map, from those of its paths that have answered as the row's gateway; `nil`
    /// if none has.
    ///
    /// - Parameters:
    ///   - gateway: The row.
    ///   - leaf: The certificate whose digits the user gave; only paths that show it count. If there is none, the
    ///     certificate of the first path is demanded.
    public init?(_ gateway: Gateway, leaf: LeafFingerprint? = nil) {
        let answered = gateway.paths.filter { path in
            guard !path.contradicts, let identity = path.outcome?.identity else { return false }
            return leaf == nil || identity.leaf == leaf
        }
        guard let first = answered.first, let identity = first.outcome?.identity else { return nil }
        // Paths with another certificate are left out: the user has not seen it.
        let alike = answered.filter { $0.outcome?.identity?.leaf == identity.leaf }
        self.init(
            place: .endpoints(alike.map(\.endpoint)),
            gatewayID: gateway.id,
            name: gateway.name,
            dialect: identity.dialect,
            transports: identity.leaf == nil ? .plainFirst : .tlsOnly,
            leaf: identity.leaf,
            leafSource: leaf == nil ? .answer : .user,
            fingerprint: alike.lazy.compactMap { $0.outcome?.identity?.fingerprint }.first
        )
        isFromZoneAlone = alike.allSatisfy(\.isFromZoneAlone)
    }

    /// Demands the certificate whose digits the user gave.
    public mutating func demand(_ leaf: LeafFingerprint) {
        (self.leaf, leafSource, transports) = (leaf, .user, .tlsOnly)
    }

    /// Returns its endpoints if all of them have shown a certificate.
    func endpoints(showing leaf: LeafFingerprint?) -> [Endpoint] {
        guard case .endpoints(let endpoints) = place, gatewayID != nil, let leaf, leaf == self.leaf else { return [] }
        return endpoints
    }

    /// Creates the target for a link or code.
    package init(_ link: PairingLink) {
        let digits = link.fingerprint?.text ?? ""
        // Such a fingerprint is the SHA-256 of the gateway's certificate: it proves the gateway, and nothing is sent to
        // any other.
        let leaf = digits == digits.lowercased() ? LeafFingerprint(digits) : nil
        self.init(
            place: link.place,
            transports: leaf == nil && !link.isRemote ? .tlsFirst : .tlsOnly,
            leaf: leaf,
            leafSource: .link,
            fingerprint: link.fingerprint,
            pairingToken: link.token,
            remoteURL: link.remote
        )
        if case .remote(let url) = link.place { resource = url.resource }
    }
}
