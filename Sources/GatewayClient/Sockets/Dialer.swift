internal import CoreMetrics
internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Makes connections: to the first address that answers, with TLS or without.
struct Dialer: Sendable {
    private enum RaceEvent: Sendable {
        case connected(Int, any Channel, Duration)
        case failed(Int, GatewayConnectionError, Duration)
        case headStartOver(Int)
    }

    /// The most bytes that are read at once: even this many can be two thousand 2-byte frames, all of which are parsed.
    private static let readBytes = 4_096

    /// A connection that is ready to talk.
    struct Opened<Value: Sendable>: Sendable {
        let channel: any Channel
        let path: GatewayProbePath
        let transcript: Transcript
        let value: Value
    }

    let group: any EventLoopGroup
    let limits: ConnectionLimits
    let scope: ConnectionScope
    let log: StepLog

    /// The root certificates for a ``GatewayTransport/certified(host:)``; `nil` for those that this system trusts.
    var trustRoots: [NIOSSLCertificate]?

    /// The memory budget for incomplete messages.
    var assembly = AssemblyBudget.shared

    /// The counters for its connections.
    var metrics = ClientMetrics.shared

    /// Runs a closure with a dialer, all of whose connections are closed when this returns.
    ///
    /// - Parameters:
    ///   - limits: The limits on what is received, and on how long each step may take.
    ///   - end: The time at which everything must be done; each step has a limit of its own besides.
    ///   - log: The log that records the steps.
    /// - Throws: `noSocket` when the threads for connections cannot be created; then the closure is not run.
    static func run<Value: Sendable>(
        limits: ConnectionLimits,
        until end: ContinuousClock.Instant?,
        log: StepLog,
        _ body: (Dialer) async -> Value
    ) async throws(GatewayConnectionError) -> Value {
        let group = try GatewayLoops.group()
        return await ConnectionScope.run(on: group.any(), until: end) { scope in
            await body(Dialer(group: group, limits: limits, scope: scope, log: log))
        }
    }

    /// Runs a closure with a dialer, all of whose connections are closed when this returns.
    ///
    /// - Throws: The error of the other method, or that of the closure.
    static func run<Value: Sendable>(
        limits: ConnectionLimits,
        _ body: (Dialer) async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error> = try await run(limits: limits, until: nil, log: StepLog()) { dialer in
            do { return .success(try await body(dialer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Connects, does the TLS handshake, and sets the channel up.
    ///
    /// Connecting, the handshake and the exchange after it are steps, each with its own time limit. The last step has
    /// begun when this returns.
    ///
    /// - Parameter configure: Adds handlers. It runs on the event loop, before any received bytes are delivered.
    func open<Value: Sendable>(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        configure: @escaping @Sendable (any Channel, Endpoint, Transcript) throws -> Value
    ) async throws(GatewayConnectionError) -> Opened<Value> {
        do throws(GatewayConnectionError) {
            let opened = try await connect(endpoints, transport: transport, configure: configure)
            metrics.connections.increment()
            return opened
        } catch {
            metrics.noteFailure(error.code)
            throw error
        }
    }

    private func connect<Value: Sendable>(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        configure: @escaping @Sendable (any Channel, Endpoint, Transcript) throws -> Value
    ) async throws(GatewayConnectionError) -> Opened<Value> {
        scope.begin(limits.connecting)
        let (channel, endpoint, connecting) = try await connect(to: endpoints)
        let stepTimeout = limits.duration(after: connecting)
        scope.begin(stepTimeout)
        let transcript = Transcript(limits)
        let (limits, roots, metrics) = (limits, trustRoots, metrics)
        @Sendable func setUp() throws -> Value {
            try channel.pipeline.syncOperations.addHandler(ByteMeter(transcript, limits: limits, metrics: metrics))
            return try configure(channel, endpoint, transcript)
        }
        let start = ContinuousClock.now
        do {
            let ready: EventLoopFuture<(LeafFingerprint?, Value)>
            switch transport {
            case .plain:
                ready = channel.eventLoop.submit { (nil, try setUp()) }
            case .tls, .certified:
                ready = channel.eventLoop.flatSubmit {
                    do {
                        return try TLSClient.start(
                            on: channel,
                            named: endpoint.serverName,
                            transport: transport,
                            roots: roots
                        )
                        .flatMapThrowing { ($0, try setUp()) }
                    } catch {
                        return channel.eventLoop.makeFailedFuture(error)
                    }
                }
            }
            // Nothing is read before there is a handler for it, so that the first bytes of a peer are not lost.
            channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
            let (leaf, value) = try await ready.get()
            if let leaf {
                scope.begin(stepTimeout)
                log.add(.tls, endpoint, result: "certificate \(leaf)", since: start, succeeded: true)
            }
            return Opened(
                channel: channel,
                path: GatewayProbePath(endpoint: endpoint, leaf: leaf),
                transcript: transcript,
                value: value
            )
        } catch {
            let error = failure(error, transcript)
            if transport.isTLS { log.add(.tls, endpoint, result: error.message, since: start, succeeded: false) }
            throw error
        }
    }

    /// Translates an error of a connection into a ``GatewayConnectionError``.
    func failure(_ error: any Error, _ transcript: Transcript?) -> GatewayConnectionError {
        if let error = error as? GatewayConnectionError, error.code == .wrongLeaf || error.code == .untrusted {
            return error
        }
        let firstBytes = transcript?.firstBytes ?? []
        if scope.isOutOfTime {
            return GatewayConnectionError(.timedOut, "expected an answer in time, found none", firstBytes: firstBytes)
        }
        if let error = error as? GatewayConnectionError {
            return GatewayConnectionError(
                error.code,
                error.message,
                firstBytes: firstBytes,
                leaf: error.leaf,
                close: error.close
            )
        }
        return GatewayConnectionError(
            firstBytes.isEmpty ? .closed : .notUnderstood,
            firstBytes.isEmpty ? "closed without a word" : "expected another protocol than was found",
            firstBytes: firstBytes
        )
    }

    /// - Returns: The channel, its endpoint, and how long connecting took, counted from the start of that attempt.
    private func connect(
        to endpoints: [Endpoint]
    ) async throws(GatewayConnectionError) -> (any Channel, Endpoint, Duration) {
        var race = AddressRace(endpoints)
        let order = race.endpoints
        typealias Winner = (any Channel, Endpoint, Duration)
        let result = await withTaskGroup(of: RaceEvent.self) { tasks -> Result<Winner, GatewayConnectionError> in
            var connected: [Int: (channel: any Channel, time: Duration)] = [:]
            var action = race.start()
            while true {
                switch action {
                case .connect(let index):
                    tasks.addTask { await self.attempt(index, order[index]) }
                    tasks.addTask {
                        try? await Task.sleep(for: AddressRace.headStart)
                        return .headStartOver(index)
                    }
                case .wait:
                    break
                case .win(let index):
                    tasks.cancelAll()
                    guard let (channel, time) = connected[index] else { break }
                    // Other attempts may have connected by now too; nothing was sent over them.
                    scope.closeAll(but: channel)
                    return .success((channel, order[index], time))
                case .giveUp(let error):
                    tasks.cancelAll()
                    return .failure(error)
                }
                switch await tasks.next() {
                case .connected(let index, let channel, let time):
                    connected[index] = (channel, time)
                    log.connected(to: order[index], in: time)
                    log.add(.connect, order[index], result: "connected", since: .now - time, succeeded: true)
                    action = race.receive(.connected(index))
                case .failed(let index, let error, let time):
                    log.add(.connect, order[index], result: error.message, since: .now - time, succeeded: false)
                    action = race.receive(.failed(index, error))
                case .headStartOver(let index):
                    action = race.receive(.headStartOver(index))
                case nil:
                    return .failure(GatewayConnectionError(.unreachable, "there is no address"))
                }
            }
        }
        return try result.get()
    }

    private func attempt(_ index: Int, _ endpoint: Endpoint) async -> RaceEvent {
        let scope = scope
        let start = ContinuousClock.now
        func failed(_ code: GatewayConnectionError.Code, _ message: String) -> RaceEvent {
            .failed(index, GatewayConnectionError(code, message), .now - start)
        }
        do {
            let channel = try await ClientBootstrap(group: group)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readBytes))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connectTimeout(TimeAmount(limits.connecting))
                .channelInitializer { channel in
                    let loop = channel.eventLoop
                    // This is checked here, where the attempt has its socket already: many attempts could pass an
                    // earlier check before any of them takes a socket.
                    guard GatewayLoops.hasRoom else {
                        return loop.makeFailedFuture(GatewayLoops.shortage)
                    }
                    return scope.add(channel)
                        ? loop.makeSucceededVoidFuture() : loop.makeFailedFuture(ChannelError.alreadyClosed)
                }
                .connect(to: try SocketAddress(endpoint))
                .get()
            return .connected(index, channel, .now - start)
        } catch let error as IOError {
            let failure = ConnectFailure(errno: error.errnoCode)
            return failed(failure.code, failure.message)
        } catch let error as GatewayConnectionError {
            return failed(error.code, error.message)
        } catch {
            return failed(.timedOut, "no connection in time")
        }
    }
}
