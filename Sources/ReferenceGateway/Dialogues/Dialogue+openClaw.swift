internal import GatewayProtocol

/// An OpenClaw gateway: it sends a challenge at once, and accepts nothing before `connect`.
extension Dialogue {
    /// The maximum size of a message before authentication, in bytes.
    private static let maximumBytes = 65_536

    mutating func openClaw(
        _ message: [UInt8],
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        guard session != nil || message.count <= Self.maximumBytes else {
            return [.note("\(peer) says too much"), .close(1_009, reason: "preauth payload too large")]
        }
        guard case .request(let request) = try GatewayFrame(parsing: message) else {
            return [.note("\(peer) sends what is no request"), .close(1_008)]
        }
        if let session {
            let actions = state.answer(request, of: session, at: time, using: &generator)
            guard session.role != OpenClawConnect.role, GatewayState.openClawMethods[request.method] != nil else {
                return actions
            }
            self.session?.strikes += 1
            guard session.strikes >= OpenClawSession.mostStrikes else { return actions }
            return actions + [.close(1_008, reason: "repeated unauthorized calls")]
        }
        do throws(ConnectRefusal) {
            return try connect(request, &state, at: time, &generator)
        } catch {
            return [.note("\(peer) is refused: \(error.message)")] + error.actions + [
                GatewayState.refuse(request, error.failure(in: state.openClaw.settings.era)),
                .close(error.close, reason: error.reason ?? error.message),
            ]
        }
    }

    private mutating func connect(
        _ request: GatewayRequest,
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) throws(ConnectRefusal) -> [GatewayAction] {
        guard request.method == "connect" else { throw .notConnecting }
        if state.openClaw.settings.era.refusesWhileStarting, time.uptime < state.openClaw.readyAt { throw .starting }
        let json = request.params ?? .object([:])
        let problems = state.openClaw.settings.era.connectSchema.problems(of: json)
        guard problems.isEmpty else { throw .invalid(problems) }
        let params = ConnectParams(json)
        let admission = try state.openClaw.admit(params, peer: peer, nonce: nonce, at: time, using: &generator)
        session = admission.session
        let who = admission.session.deviceID.map { "device \($0)" } ?? "an operator without a device"
        return [.note("\(peer) connects as \(who) (\(params.name))")] + admission.actions + [
            .admitOpenClaw(deviceID: admission.session.deviceID, scopes: admission.session.scopes),
            GatewayState.answer(request, state.hello(admission, connection: peer.connection)),
        ]
    }
}
