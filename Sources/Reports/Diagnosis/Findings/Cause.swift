/// A cause why a gateway cannot be used. The raw value, for programs, stays the same from version to version.
package enum Cause: String, Hashable, Sendable, CaseIterable {
    // This device.
    /// This host is connected to no network.
    case noNetwork = "no-network"
    /// The key that opens the stored tokens is missing or wrong.
    case sealed
    /// The user has disconnected the gateway.
    case disconnected
    /// This device itself cannot have a session, for another reason.
    case ownFailure = "own-failure"

    // Where it is.
    /// Nothing of the name or at the address is known.
    case notFound = "not-found"
    /// It is advertised, and its advertisement leads to no address.
    case unresolved
    /// Its program listens on loopback alone, as its own host shows.
    case loopbackOnly = "loopback-only"
    /// Its host is there, and no program listens at the port.
    case portClosed = "port-closed"
    /// It is advertised at an address of a network of containers.
    case containerAddress = "container-address"
    /// It is advertised at an address that is never asked.
    case forbiddenAddress = "forbidden-address"
    /// Nobody has its address.
    case hostDown = "host-down"
    /// No route leads to its address.
    case noRoute = "no-route"
    /// Its host is there, and lets no connection through.
    case filtered
    /// Nothing answers, on another network.
    case silent
    /// One of its ways is dead, inside or outside of this network, while another one lives.
    case wayDead = "way-dead"

    // What answers.
    /// It accepts connections, and does not answer.
    case hanging
    /// It closes connections without a word.
    case closed
    /// Something else answers at the port.
    case notAGateway = "not-a-gateway"
    /// Its front answers alone.
    case frontAlone = "front-alone"
    /// Another gateway answers in its place.
    case anotherGateway = "another-gateway"
    /// TLS was demanded, and it has none.
    case noTLS = "no-tls"
    /// TLS was ruled out, and it speaks nothing else.
    case onlyTLS = "only-tls"
    /// It has not been asked.
    case notAsked = "not-asked"
    /// It speaks a dialect in which this program does not pair.
    case dialect
    /// Another one claims its fingerprint.
    case claimed

    // What it says.
    /// It speaks another version of the protocol.
    case protocolVersion = "protocol-version"
    /// It demands its token or password first.
    case tokenMissing = "token-missing"
    /// It does not accept the token or password.
    case tokenWrong = "token-wrong"
    /// It is locked after too many failed attempts.
    case lockedOut = "locked-out"
    /// A request for approval waits.
    case approvalWaits = "approval-waits"
    /// The approval is for less than is asked for.
    case scopeUpgrade = "scope-upgrade"
    /// The clocks differ.
    case clock
    /// It is not ready.
    case notReady = "not-ready"
    /// It answers, and opens no session in time.
    case noSession = "no-session"
    /// It refuses for another reason.
    case refused
    /// It has ended the pairing.
    case revoked

    // Trust.
    /// It shows another certificate than the pinned one.
    case changedLeaf = "changed-certificate"
    /// No trusted certificate proves that it is its host.
    case uncertified
    /// It is not where or what it was at pairing.
    case moved
}
