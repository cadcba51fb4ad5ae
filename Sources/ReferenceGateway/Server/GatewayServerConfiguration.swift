package import DNSSD
package import GatewayProtocol

/// The configuration of a reference gateway.
package struct GatewayServerConfiguration: Sendable {
    /// The endpoint on which it listens; port 0 leaves the choice to the system.
    package var endpoint: Endpoint

    /// The dialect that it speaks.
    package var dialect: GatewayDialect

    /// The certificate that it presents; `nil` for no TLS.
    package var certificate: GatewayCertificate?

    /// The way in which it misbehaves on purpose, if it is to.
    package var misbehaviour: Misbehaviour?

    /// The file in which pairings are stored; `nil` holds them in memory only.
    package var file: StateFile?

    /// The file in which received secrets are recorded; `nil`, unless a test needs them.
    package var secretLog: SecretLog?

    /// The pages that say whether it can do its work, in the dialect of OpenClaw.
    package var readiness = ReadinessPages()

    /// The name of the host, for setup codes; `nil` stands for the address at which it listens.
    package var hostName: String?

    /// Makes the QR code of a text as SVG, for the page with a link; `nil` if it cannot.
    package var draw: @Sendable (String) -> String? = { _ in nil }

    /// The page with a link, for its operator.
    let invitation = InvitationPage()

    /// The link to it, once it listens; `nil` if there is none.
    var link: GatewayLink?

    /// Indicates whether it serves pages over HTTP.
    var hasPages = true

    /// Indicates whether it keeps its readiness from clients on other hosts.
    var hidesReadiness = false

    /// The place where devices find it, once it listens.
    var url = ""

    /// The maximum size of a message, in bytes.
    package var messageBytes: Int

    /// The maximum number of connections at a time, of which another host's address may have a quarter; further ones
    /// are closed at once.
    package var connections: Int

    /// The time within which a peer must send a valid message.
    package var handshake: Duration

    /// The time for which a peer may send nothing afterwards, not even a ping.
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
