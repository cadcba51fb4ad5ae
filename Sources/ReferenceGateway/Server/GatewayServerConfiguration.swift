package import DNSSD
package import GatewayProtocol

/// The configuration of a reference gateway.
package struct GatewayServerConfiguration: Sendable {
    /// The endpoint on which it listens; port 0 leaves the choice to the system.
    package var endpoint: Endpoint

    /// The dialect that it speaks.
    package var dialect: GatewayDialect

    /// The certificate that it shows; `nil` leaves it without TLS.
    package var certificate: GatewayCertificate?

    /// The way in which it is wrong on purpose, if it is to be.
    package var misbehaviour: Misbehaviour?

    /// The file in which pairings are kept; `nil` keeps them in memory.
    package var file: StateFile?

    /// The file in which received secrets are noted; `nil`, unless a test wants to know them.
    package var secretLog: SecretLog?

    /// The name of the host, for setup codes; `nil` takes the address at which it listens.
    package var hostName: String?

    /// Indicates whether it has pages.
    var hasPages = true

    /// The place where devices find it, once it listens.
    var url = ""

    /// The most bytes of a message.
    package var messageBytes: Int

    /// The most connections at a time, of which another host may have a quarter; more are closed at once.
    package var connections: Int

    /// The time that a peer has to say something sensible.
    package var handshake: Duration

    /// The time that a peer may say nothing afterwards, not even a ping.
    package var idle: Duration

    package init(
        endpoint: Endpoint,
        dialect: GatewayDialect = .optaplus,
        certificate: GatewayCertificate? = nil,
        misbehaviour: Misbehaviour? = nil,
        file: StateFile? = nil,
        messageBytes: Int = 65_536,
        connections: Int = 128,
        handshake: Duration = .seconds(10),
        idle: Duration = .seconds(90)
    ) {
        self.endpoint = endpoint
        self.dialect = dialect
        self.certificate = certificate
        self.misbehaviour = misbehaviour
        self.file = file
        self.messageBytes = messageBytes
        self.connections = connections
        self.handshake = handshake
        self.idle = idle
    }
}
