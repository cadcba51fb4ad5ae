internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem
internal import Synchronization

/// Opens connections to gateways, and asks for sessions in their dialects.
struct GatewayDialer: SessionDialer {
    /// The time for looking up a host.
    private static let lookUpTimeout = Duration.seconds(10)

    /// The version of the program, which gateways receive.
    let clientVersion: String

    /// The time in milliseconds since 1970.
    let wallTime: @Sendable () -> Int

    /// The error by which the gate prevents sending.
    private struct Blocked: Error {
        let decision: TrustDecision
    }

    func dial(_ call: SessionCall) async -> SessionFailure {
        let line = OpenLine()
        return await withTaskGroup(of: SessionFailure?.self) { tasks in
            tasks.addTask { await converse(call, line) }
            tasks.addTask {
                await obey(call, line)
                return nil
            }
            var failure: SessionFailure?
            for await result in tasks {
                failure = failure ?? result
                // When either task is over, the other is, too: a connection that has ended takes no orders, and one
                // that was closed reports nothing more.
                tasks.cancelAll()
            }
            return failure ?? .unreachable
        }
    }

    // MARK: Orders

    private func obey(_ call: SessionCall, _ line: OpenLine) async {
        await withDiscardingTaskGroup { pings in
            for await command in call.commands {
                switch command {
                case .ping:
                    guard let conversation = line.conversation else { continue }
                    pings.addTask {
                        // No timeout: the session's machine ends a session that is silent for too long, and a timer for
                        // each ping would wake the event loop twice more.
                        guard let time = try? await conversation.ping(timeout: nil) else { return }
                        await call.signOfLife(time)
                    }
                case .close(let code):
                    line.conversation?.close(code: code)
                    pings.cancelAll()
                    return
                }
            }
            pings.cancelAll()
        }
    }

    // MARK: Connecting

    private func converse(_ call: SessionCall, _ line: OpenLine) async -> SessionFailure {
        // Newer gateways may demand a device token under its own name. They say so in a refusal, which leads to one
        // more attempt.
        var namesDeviceToken = false
        while true {
            guard GatewayLoops.hasRoom else { return .failed("no socket: too many files are open") }
            let endpoints = await Self.endpoints(of: call.path)
            guard !endpoints.isEmpty, !Task.isCancelled else { return .unreachable }
            do {
                let failure: SessionFailure? = try await GatewayConversation.withConversation(
                    to: endpoints,
                    transport: call.path.transport,
                    speaking: call.dialect
                ) { conversation in
                    line.conversation = conversation
                    let path = conversation.path
                    // Asked before this connection is chosen among others, so that another one can still lead there.
                    var told: DiscoverPayload?
                    if call.fingerprint != nil { told = try await conversation.discover() }
                    let identity = PairedTerms.decision(told: told?.fingerprint, wanted: call.fingerprint)
                    guard identity.isAllowed else { return .blocked(identity) }
                    if !namesDeviceToken {
                        guard await call.opened(Self.shown(path, call.path), path.endpoint) else { return .unreachable }
                    }
                    do {
                        if call.dialect == .clawline {
                            let transport = call.path.transport
                            try await ClawlineVersion.check(at: [path.endpoint], transport: transport)
                        }
                        try await enter(conversation, call, told, namesDeviceToken: namesDeviceToken)
                    } catch let refusal as SessionRefusal {
                        let isWrong = refusal.reason == .deviceTokenMismatch && refusal.canNameDeviceToken
                        return isWrong && !namesDeviceToken ? nil : .refused(refusal)
                    }
                    for try await frame in conversation.frames {
                        guard case .event(let event) = frame else { continue }
                        if let refusal = Self.bridgeRefusal(event, call.dialect) { return .refused(refusal) }
                        if call.dialect == .bridge, event.name == "invoke", let id = event.payload?["id"]?.string {
                            // Without an answer, whoever has asked the bridge waits until it gives up.
                            try conversation.say(BridgeMessage.refusal(ofInvoke: id))
                            await call.signOfLife(nil)
                            continue
                        }
                        guard Self.isForReaders(event, call.dialect) else {
                            await call.signOfLife(nil)
                            continue
                        }
                        if call.dialect == .clawline {
                            if let refusal = Self.clawlineRefusal(event) { return .refused(refusal) }
                            guard call.history.isNew(event) else {
                                await call.signOfLife(nil)
                                continue
                            }
                        }
                        await call.received(event)
                    }
                    return .unreachable
                }
                if let failure { return failure }
                namesDeviceToken = true
            } catch {
                return Self.failure(error, call.dialect)
            }
        }
    }

    /// Asks for the session, and reports what was granted. A function of its own, so that neither the token that was
    /// sent nor the one that came back is in memory while the session lasts.
    private func enter(
        _ conversation: GatewayConversation,
        _ call: SessionCall,
        _ told: DiscoverPayload?,
        namesDeviceToken: Bool
    ) async throws {
        let request = try await request(call, namesDeviceToken: namesDeviceToken)
        let grant = try await conversation.authenticate(request)
        if grant.clawline?.isHistoryReset == true { call.history.reset() }
        await call.granted(Self.granted(grant, call, told, conversation))
    }

    /// Returns whether an event is for those who read a session's events. A greeting of OpenAgents that comes again contains
    /// the gateway's token, and says nothing.
    static func isForReaders(_ event: GatewayEvent, _ dialect: GatewayDialect) -> Bool {
        dialect != .openAgents || event.name != "HelloAck" && event.name != "Hello"
    }

    /// Returns the refusal with which a Clawline provider ends a session; `nil` for any other message. Errors that answer
    /// a message of this device end nothing.
    private static func clawlineRefusal(_ event: GatewayEvent) -> SessionRefusal? {
        guard event.name == "error", let json = event.payload,
            case .error(let code, let message)? = try? ClawlineMessage(json: json)
        else { return nil }
        let refusal = SessionRefusal(clawline: code, message: message, credential: .deviceToken)
        return refusal.endsCredential || refusal.reason == .sessionReplaced || refusal.reason == .notApproved
            ? refusal : nil
    }

    /// Returns the refusal with which a bridge ends a session; `nil` for any other message.
    private static func bridgeRefusal(_ event: GatewayEvent, _ dialect: GatewayDialect) -> SessionRefusal? {
        guard dialect == .bridge, event.name == "error", let json = event.payload,
            case .error(let code, let message)? = try? BridgeMessage(json: json)
        else { return nil }
        let refusal = SessionRefusal(bridge: code, message: message, credential: .deviceToken)
        return refusal.endsCredential ? refusal : nil
    }

    private func request(_ call: SessionCall, namesDeviceToken: Bool) async throws -> SessionRequest {
        let secret = try await call.secret()
        let device = try await call.device()
        return SessionRequest(
            dialect: call.dialect,
            device: DeviceDescription(
                id: device.id,
                name: device.name,
                platform: device.platform,
                version: clientVersion,
                publicKey: device.publicKey,
                sign: { try device.signature(of: $0) }
            ),
            credential: .deviceToken(secret),
            scopes: call.scopes.isEmpty ? OpenClawConnect.scopesForReading : call.scopes,
            namesDeviceToken: namesDeviceToken,
            lastMessageID: call.history.last,
            time: wallTime(),
            gate: { path, _ in
                let decision = try await call.decide(Self.shown(path, call.path), path.endpoint)
                guard decision.isAllowed else { throw Blocked(decision: decision) }
            }
        )
    }

    private static func granted(
        _ grant: SessionGrant,
        _ call: SessionCall,
        _ told: DiscoverPayload?,
        _ conversation: GatewayConversation
    ) -> GrantedSession {
        GrantedSession(
            endpoint: grant.path.endpoint,
            leaf: grant.path.leaf,
            // OptaPlus has no ticks.
            tick: call.dialect == .openClaw ? grant.hello.tick : nil,
            deviceToken: grant.hello.deviceToken,
            scopes: call.dialect == .openClaw ? grant.hello.scopes : nil,
            told: told,
            roundTrip: grant.roundTrip,
            ask: { method, params, timeout throws(GatewayConnectionError) in
                guard call.dialect.hasFrames else {
                    throw GatewayConnectionError(.notUnderstood, "expected a dialect with requests, found none")
                }
                return try await conversation.request(method, params: params, timeout: timeout)
            },
            say: { message, timeout throws(GatewayConnectionError) in
                try conversation.say(message)
                // Nothing answers it but the ping behind it.
                _ = try await conversation.ping(timeout: timeout)
            },
            clawline: grant.clawline
        )
    }

    private static func shown(_ path: GatewayProbePath, _ sought: SessionPath) -> TrustAttempt.Shown {
        guard let leaf = path.leaf else { return .plain }
        // The handshake would have failed if the host had not been proved.
        let host: String? = if case .certified(let host) = sought.transport { host } else { nil }
        return TrustAttempt.Shown(leaf, certifiedFor: host)
    }

    private static func failure(_ error: any Error, _ dialect: GatewayDialect) -> SessionFailure {
        switch error {
        case let error as Blocked:
            return .blocked(error.decision)
        case let error as SessionRefusal:
            return .refused(error)
        case let error as StoreError:
            return .failed(error.description)
        case let error as GatewayConnectionError:
            // This device is short of something, and the gateway is not to blame.
            if error.code == .noSocket { return .failed(error.message) }
            if error.code == .untrusted { return .blocked(.refused(.notCertified)) }
            if error.code == .wrongLeaf, let leaf = error.leaf { return .wrongLeaf(leaf) }
            return error.refusal(dialect: dialect, credential: .deviceToken).map(SessionFailure.refused) ?? .unreachable
        default:
            return .unreachable
        }
    }

    /// Returns the endpoints of a path. A host name is looked up by the system's resolver alone.
    private static func endpoints(of path: SessionPath) async -> [Endpoint] {
        switch path.place {
        case .endpoint(let endpoint):
            return [endpoint]
        case .host(let host, let port):
            let addresses = await SystemResolver.addresses(of: host, within: lookUpTimeout) ?? []
            let name = ServerName(host)
            return addresses.prefix(8).map {
                Endpoint(address: $0, port: port, resource: path.resource, serverName: name)
            }
        }
    }
}

/// The conversation of an attempt, once there is one.
private final class OpenLine: Sendable {
    private let value = Mutex<GatewayConversation?>(nil)

    var conversation: GatewayConversation? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
