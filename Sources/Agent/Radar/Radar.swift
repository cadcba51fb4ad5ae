package import DNSSD
package import GatewayProtocol
package import Pairing
package import Reports
package import Scanning

/// The operations on what is paired, each defined once for whoever asks for it: verbs, the API, programs that embed.
///
/// They have two carriers: ``InProcessRadar`` carries them out, and another one has the agent of this user do so. Each gives
/// the document that is shown as JSON.
package protocol Radar: Sendable {
    /// Keeps a gateway connected, or does so no more.
    func connect(_ pairing: PairingID, _ isWanted: Bool) async throws(RadarError) -> PairingDocument

    /// Archives a bot, or takes it out of the archive.
    func archive(_ bot: BotID, of pairing: PairingID, _ isArchived: Bool) async throws(RadarError) -> PairingDocument

    /// Gives a bot a colour.
    ///
    /// - Parameter color: Six hexadecimal digits for red, green and blue, with `#` or without; `nil` for none.
    func accent(_ bot: BotID, of pairing: PairingID, _ color: String?) async throws(RadarError) -> PairingDocument

    /// Moves a pairing to the bin, without telling its gateway.
    func forget(_ pairing: PairingID) async throws(RadarError) -> PairingDocument

    /// Takes a pairing out of the bin.
    func restore(_ pairing: PairingID) async throws(RadarError) -> PairingDocument

    /// Ends a pairing, or some bots of it, here and at its gateway.
    ///
    /// - Parameter rows: The rows in which the gateway may be elsewhere than where it was last; none for those that the carrier
    ///   knows.
    func unpair(
        _ pairing: PairingID,
        bots: BotSelection,
        seenIn rows: [Gateway]
    ) async throws(RadarError) -> PairingDocument

    /// Trusts another certificate of a gateway, the one whose digits the user has read on its host, or another place of one
    /// without TLS.
    ///
    /// - Parameter shown: The trust as the user was shown it, which decides whether anybody has decided otherwise since; `nil`
    ///   for that of now.
    func trust(
        _ trust: NewTrust,
        in pairing: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument

    /// Asks gateways where this device is an admin which devices wait for an approval.
    ///
    /// - Parameters:
    ///   - pairing: The only gateway that is asked; `nil` for all.
    ///   - limit: The time that they have to answer.
    func approvals(at pairing: PairingID?, within limit: Duration) async throws(RadarError) -> ApprovalsReport

    /// Decides about a device that waits at a gateway where this device is an admin.
    ///
    /// - Parameters:
    ///   - request: The identifier of its request, or the beginning of that.
    ///   - account: The account of a Clawline provider to which the device is attached; `nil` for that of this device.
    ///   - pairing: The gateway at which it waits; `nil` for the one that has it.
    ///   - limit: The time that gateways have to answer.
    func decide(
        _ request: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        at pairing: PairingID?,
        within limit: Duration
    ) async throws(RadarError) -> DecisionReport

    /// Sends a request in the name of this device to a gateway, and waits for its answer, which may be that it refuses.
    func call(
        _ method: String,
        _ params: JSONValue,
        at pairing: PairingID,
        within limit: Duration
    ) async throws(RadarError) -> CallReport

    /// Says why a gateway cannot be used: asks every place at which it is or was, and opens a session with it if it is paired
    /// and nobody has one.
    ///
    /// - Parameters:
    ///   - gateway: The identifier of its row, or the number of its pairing.
    ///   - name: The name by which the user means it, for the commands that help; `nil` for its own.
    ///   - limit: The time that this may take.
    func diagnose(
        _ gateway: String,
        typed name: String?,
        within limit: Duration
    ) async throws(RadarError) -> DiagnosisReport

    /// Returns the identity of this device, with a new name or emoji where one is given.
    func device(name: String?, emoji: String??) async throws(RadarError) -> DeviceReport

    /// Gives a gateway a name of the user's own, paired or not, in place of any that it has.
    func alias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport

    /// Takes the name that the user has given it from a gateway.
    func removeAlias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport

    /// Makes a link to a gateway for another device: where this device is its owner, and has a session with it, with a setup
    /// code that works once; else, or if the gateway makes none, without any secret.
    ///
    /// - Parameter access: The rights that a setup code is to open. Without one, there is no link with full rights.
    func link(to pairing: PairingID, opening access: MadeSetupCode.Access) async throws(RadarError) -> LinkReport

    /// Returns the history of gateways since a time, with the names that they have now.
    ///
    /// - Parameter gateway: The key of the only gateway; `nil` for all.
    func history(since start: Timestamp, of gateway: String?) async throws(RadarError) -> GatewayHistoryReport

    /// Returns the gateways of which nothing is told now.
    func mutes() async throws(RadarError) -> MutesReport

    /// Tells nothing of a gateway for a while, or tells of it again.
    ///
    /// - Parameters:
    ///   - gateway: Its key in the history.
    ///   - milliseconds: The time, at most 90 days; `nil` to tell of it again.
    /// - Returns: The time until which nothing is told of it.
    func mute(_ gateway: String, for milliseconds: Int?) async throws(RadarError) -> MutesReport
}

/// The thing that is trusted from now on.
package enum NewTrust: Hashable, Sendable {
    /// The certificate with these digits. It has to be shown where the gateway was, or at the place where it is by the user's
    /// word, unless the user has said that it is trusted all the same.
    case leaf(LeafFingerprint, at: Endpoint? = nil, unseen: Bool = false)

    /// The gateway without TLS in this way, at an address at which it answers now, with or without its port.
    case place(PlainTrust, String)
}
