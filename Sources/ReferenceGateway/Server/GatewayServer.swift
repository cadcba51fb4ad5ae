package import DNSSD
internal import GatewayClient
package import GatewayProtocol
internal import Glibc
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket

/// A gateway that listens, for as long as a closure runs.
///
/// ## Usage
///
/// ```swift
/// try await GatewayServer.withServer(state, configuration, logger: logger) { server in
///     print("listens on \(server.endpoint)")
///     try await Task.sleep(for: .seconds(60))
/// }
/// ```
package struct GatewayServer: Sendable {
    /// The result of setting up a connection.
    private enum Connection: Sendable {
        /// The connection has a session.
        case session(PeerConnection)
        /// The connection has no session, and has been or will be closed without this code.
        case over
    }

    private typealias Listener = NIOAsyncChannel<EventLoopFuture<Connection>, Never>

    /// The endpoint on which it listens.
    package let endpoint: Endpoint

    private let store: GatewayStateStore

    /// The present state of the gateway.
    package var state: GatewayState {
        get async { await store.state }
    }

    /// Carries out a command of the operator of this host: see ``GatewayState/operate(_:dialect:url:at:using:)``.
    package func operate(_ request: GatewayRequest) async -> GatewayResponse? {
        guard case .response(let response) = try? GatewayFrame(parsing: await store.operate(request)) else {
            return nil
        }
        return response
    }

    /// Lets the user of this host operate the gateway over a socket while a closure runs.
    ///
    /// - Throws: ``ReferenceGatewayError`` `noControl` when the socket cannot be opened, or the closure's error.
    package func withControl(
        at socket: ControlSocket,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        try await socket.serve({ await store.operate($0) }, while: body)
    }

    /// Changes the state of the gateway as its operator would, for example its bots or its name.
    ///
    /// The state file is not written before the next pairing.
    package func change(_ body: @Sendable (inout GatewayState) -> Void) async {
        await store.change(body)
    }

    /// Listens, runs the closure, and ends every connection.
    ///
    /// - Parameters:
    ///   - state: The state of the gateway. It is written to the file at once, if there is one.
    ///   - configuration: The configuration of the gateway.
    ///   - logger: Logs who asks for what, without secrets.
    ///   - body: Runs while the gateway listens.
    /// - Throws: ``ReferenceGatewayError``, or the closure's error.
    package static func withServer(
        _ state: GatewayState,
        _ configuration: GatewayServerConfiguration,
        logger: Logger,
        _ body: @escaping @Sendable (GatewayServer) async throws -> Void
    ) async throws {
        var save: GatewayStateStore.Save?
        if let file = configuration.file {
            save = { (state) throws(ReferenceGatewayError) in try file.write(state) }
        }
        try GatewayStateStore.save(state, save, logger)
        var configuration = configuration
        // OpenClaw gateways have had pages since March 2026.
        let isOld = configuration.dialect == .openClaw && state.openClaw.settings.era == .january2026
        configuration.hasPages = configuration.misbehaviour != .noHealth && !isOld
        let settings = state.openClaw.settings
        configuration.hidesReadiness = settings.era.hidesReadiness && settings.authentication != .none
        let sessions = WaitingSessions()
        let listener = try await listen(configuration, sessions, logger)
        let port = UInt16(listener.channel.localAddress?.port ?? 0)
        let endpoint = Endpoint(address: configuration.endpoint.address, port: port)
        configuration.url = configuration.dialect.location(
            configuration.hostName.map { "\($0):\(port)" } ?? "\(endpoint)",
            isSecure: configuration.certificate != nil
        )
        configuration.link = link(to: endpoint, of: state, configuration)
        let store = GatewayStateStore(state, configuration, save: save, logger: logger)
        configuration.invitation.open { [weak store] in await store?.invitationPage() }
        let server = GatewayServer(endpoint: endpoint, store: store)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { [configuration] in try await accept(listener, sessions, configuration, store, logger) }
                tasks.addTask { try await body(server) }
                defer { tasks.cancelAll() }
                try await tasks.next()
            }
        } catch {
            await sessions.end()
            throw error
        }
        await sessions.end()
    }

    /// Returns the link by which devices pair with a gateway that its certificate proves; `nil` for any other.
    private static func link(
        to endpoint: Endpoint,
        of state: GatewayState,
        _ configuration: GatewayServerConfiguration
    ) -> GatewayLink? {
        guard configuration.dialect == .optaplus, let leaf = configuration.certificate?.fingerprint,
            state.fingerprint == GatewayFingerprint("\(leaf)")
        else { return nil }
        let host = configuration.hostName ?? "\(endpoint.address)"
        return GatewayLink(host: host, port: endpoint.port, fingerprint: "\(leaf)")
    }

    private static func listen(
        _ configuration: GatewayServerConfiguration,
        _ sessions: WaitingSessions,
        _ logger: Logger
    ) async throws -> Listener {
        let slots = ConnectionSlots(configuration.connections)
        let tls = try configuration.certificate?.serverContext()
        do {
            let endpoint = configuration.endpoint
            let address = try SocketAddress(ipAddress: "\(endpoint.address)", port: Int(endpoint.port))
            return try await ServerBootstrap(group: try GatewayLoops.group())
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .bind(to: address) { channel in
                    let ip = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0)?.unmapped }
                    guard let number = slots.take(for: ip) else {
                        let all = "all \(configuration.connections) connections or its share of them are taken"
                        logger.warning("\(text(channel.remoteAddress)) was refused: \(all)")
                        channel.close(promise: nil)
                        return channel.eventLoop.makeSucceededFuture(channel.eventLoop.makeSucceededFuture(.over))
                    }
                    channel.closeFuture.whenComplete { _ in slots.give(for: ip) }
                    let peer = GatewayPeer(connection: number, address: text(channel.remoteAddress), ip: ip)
                    return channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                        return try configure(channel, peer, sessions, configuration, logger)
                    }
                }
        } catch {
            throw ReferenceGatewayError(
                .cannotListen,
                "cannot listen on \(configuration.endpoint): \(reason(error)). Choose another --port or --host."
            )
        }
    }

    private static func accept(
        _ listener: Listener,
        _ sessions: WaitingSessions,
        _ configuration: GatewayServerConfiguration,
        _ store: GatewayStateStore,
        _ logger: Logger
    ) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    tasks.addTask {
                        // An error on one connection ends only that connection.
                        do {
                            guard case .session(let session) = try await connection.get() else { return }
                            sessions.take(session)
                            do {
                                try await session.run(configuration, store)
                            } catch {
                                logger.debug("\(session.peer) broke off: \(error)")
                            }
                            await store.forget(session.peer)
                        } catch {
                            logger.debug("a connection came to nothing: \(error)")
                        }
                    }
                }
            }
        }
    }

    private static func configure(
        _ channel: any Channel,
        _ peer: GatewayPeer,
        _ sessions: WaitingSessions,
        _ configuration: GatewayServerConfiguration,
        _ logger: Logger
    ) throws -> EventLoopFuture<Connection> {
        if configuration.misbehaviour == .silent { return channel.eventLoop.makeSucceededFuture(.over) }
        if configuration.misbehaviour == .slow { try channel.pipeline.syncOperations.addHandler(DripHandler()) }
        let handshake = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.handshake)) {
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in handshake.cancel() }
        @Sendable func session(_ channel: any Channel, origin: String? = nil) throws -> Connection {
            let session = try sessions.add {
                let wire = try PeerConnection.Wire(wrappingChannelSynchronously: channel)
                var peer = peer
                peer.origin = origin
                return PeerConnection(peer: peer, wire: wire, handshake: handshake)
            }
            if let session { return .session(session) }
            channel.close(promise: nil)
            return .over
        }
        guard configuration.dialect.isWebSocket else {
            try channel.pipeline.syncOperations.addHandler(LineCodec(limit: configuration.messageBytes))
            return channel.eventLoop.makeSucceededFuture(try session(channel))
        }
        let dialect = configuration.dialect
        // Messages before authentication have a smaller limit, which the dialogue enforces and reports.
        let limit = max(configuration.messageBytes, dialect == .openClaw ? GatewayState.openClawPayload : 0)
        let upgrader = NIOTypedWebSocketServerUpgrader<Connection>(
            maxFrameSize: limit,
            shouldUpgrade: { channel, head in
                guard dialect.upgrades(on: head.uri) else {
                    // NIO itself sends no response to an upgrade that is refused.
                    PageHandler.answer(nil, on: channel)
                    return channel.eventLoop.makeSucceededFuture(nil)
                }
                return channel.eventLoop.makeSucceededFuture(HTTPHeaders())
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1,
                        maxAccumulatedFrameCount: 256,
                        maxAccumulatedFrameSize: limit
                    )
                    if let opcode = configuration.misbehaviour?.floodsWith {
                        try channel.pipeline.syncOperations.addHandler(FloodHandler(opcode))
                    }
                    try channel.pipeline.syncOperations.addHandlers([aggregator, WebSocketCodec()])
                    logger.debug("\(peer) speaks WebSocket")
                    return try session(channel, origin: head.headers.first(name: "Origin"))
                }
            }
        )
        let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Connection>(
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    let hasPages = configuration.hasPages
                    let invitation = hasPages && peer.isLoopback ? configuration.invitation : nil
                    let pages = PageHandler(invitation) { path in
                        logger.debug("\(peer) asks for \(path)")
                        guard hasPages else { return nil }
                        let isHidden = configuration.hidesReadiness && !peer.isLoopback
                        if dialect == .openClaw, let page = configuration.readiness.answer(to: path, isHidden: isHidden)
                        {
                            return page
                        }
                        return dialect.page(path, misbehaving: configuration.misbehaviour).map { PageHandler.Page($0) }
                    }
                    try channel.pipeline.syncOperations.addHandler(pages)
                    return .over
                }
            }
        )
        return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrade)
        )
    }

    /// Returns the system's description of an error, without the name of the function that failed.
    private static func reason(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }

    private static func text(_ address: SocketAddress?) -> String {
        guard let address, let ip = address.ipAddress, let port = address.port else { return "somebody" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
