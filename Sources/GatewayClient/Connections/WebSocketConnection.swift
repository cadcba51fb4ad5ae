package import DNSSD
package import GatewayProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import Synchronization

/// A WebSocket connection to a gateway, within limits of bytes and time.
///
/// It lives as long as the closure that receives it; then its socket is closed. Only one task may use it.
///
/// ## Usage
///
///     let frame = try await WebSocketConnection.withConnection(to: [endpoint]) { connection -> GatewayFrame? in
///         try await connection.send(GatewayFrame.request(.discover(id: "1")).encoded)
///         guard case .message(let bytes) = await connection.next() else { return nil }
///         return try GatewayFrame(parsing: bytes)
///     }
package struct WebSocketConnection {
    private enum Upgrade: Sendable {
        case upgraded
        case refused
    }

    /// The path of the connection.
    package let path: GatewayProbePath

    /// The channel, for other code that sends over it as well.
    let channel: any Channel

    /// The record of the received data. Other code that sends over the channel has to report to it what it sends.
    let transcript: Transcript

    private let backlog: WebSocketBacklog

    private let dialer: Dialer
    private var events: AsyncStream<WebSocketArrival>.Iterator

    /// The number of reminders that were scheduled.
    private var reminders = 0

    /// Connects to the first endpoint that answers, upgrades, runs the closure, and closes.
    ///
    /// No redirect is followed, no name is resolved, no `Origin` is sent, and the `Host` is the address.
    ///
    /// - Parameters:
    ///   - endpoints: The addresses of one gateway, tried as in RFC 8305. The caller decides which are allowed: see
    ///     ``/GatewayProtocol/TargetRules``.
    ///   - transport: With TLS or without.
    ///   - limits: The limits on what is received, and on how long each step may take; the closure is one of the steps.
    /// - Throws: ``GatewayConnectionError`` when there is no connection, or the error that the closure throws.
    package static func withConnection<Value: Sendable>(
        to endpoints: [Endpoint],
        transport: GatewayTransport = .plain,
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: (inout WebSocketConnection) async throws -> Value
    ) async throws -> Value {
        try await Dialer.run(limits: limits) { dialer in
            var connection = try await open(endpoints, transport: transport, dialer: dialer)
            return try await body(&connection)
        }
    }

    /// Connects within a scope that the caller ends.
    ///
    /// - Parameters:
    ///   - wantsMessages: Whether messages become events; otherwise they are counted and dropped.
    ///   - dialect: The dialect that will be spoken, which may have a path of its own, or lines instead of an upgrade.
    static func open(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer,
        wantsMessages: Bool = true,
        speaking dialect: GatewayDialect = .optaplus
    ) async throws(GatewayConnectionError) -> WebSocketConnection {
        let backlog = WebSocketBacklog(wantsMessages: wantsMessages)
        let (limits, assembly) = (dialer.limits, dialer.assembly)
        let opened = try await dialer.open(endpoints, transport: transport) {
            channel,
            endpoint,
            transcript -> EventLoopFuture<Upgrade> in
            transcript.limitAssembly(by: assembly)
            guard !dialect.hasLines else {
                let receiver = WebSocketReceiver(backlog, transcript: transcript, limits: limits)
                try channel.pipeline.syncOperations.addHandlers([LineFrames(limits), receiver])
                return channel.eventLoop.makeSucceededFuture(.upgraded)
            }
            return try upgrade(
                channel,
                resource: dialect.webSocketPath(of: endpoint.resource),
                host: transport.host(at: endpoint),
                limits: limits
            ) {
                WebSocketReceiver(backlog, transcript: transcript, limits: limits)
            }
        }
        do {
            switch try await opened.value.get() {
            case .upgraded:
                return WebSocketConnection(
                    path: opened.path,
                    channel: opened.channel,
                    transcript: opened.transcript,
                    backlog: backlog,
                    dialer: dialer,
                    events: backlog.arrivals.makeAsyncIterator()
                )
            case .refused:
                throw GatewayConnectionError(.notUpgraded, "a web server that does not speak WebSocket here")
            }
        } catch {
            throw dialer.failure(error, opened.transcript)
        }
    }

    /// The lock under which pipelines are set up.
    private static let settingUp = Mutex(())

    private static func upgrade(
        _ channel: any Channel,
        resource: String,
        host: String?,
        limits: ConnectionLimits,
        receiver: @escaping @Sendable () -> WebSocketReceiver
    ) throws -> EventLoopFuture<Upgrade> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
            maxFrameSize: limits.frameBytes,
            // The receiver handles errors itself: it reports one, once, with a close code.
            enableAutomaticErrorHandling: false
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(receiver())
                return .upgraded
            }
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: resource)
        head.headers.add(name: "Host", value: HTTPHost.value(of: channel, named: host))
        head.headers.add(name: "User-Agent", value: HTTPHost.userAgent)
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head,
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(.refused) }
            )
        )
        // A gateway's first frame may come in the same packet as the upgrade.
        configuration.leftOverBytesStrategy = .forwardBytes
        // Swift's runtime may trap when two threads make the same generic types for the first time, and every first
        // connection makes them here. That takes microseconds, and no time after the first one.
        return try settingUp.withLock { _ in
            try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
        }
    }

    /// The first bytes that were received, at most ``ForeignAnswer/maximumBytes``.
    var firstBytes: [UInt8] { transcript.firstBytes }

    /// Sends a text message.
    ///
    /// - Throws: ``GatewayConnectionError``.
    package func send(_ text: [UInt8]) async throws(GatewayConnectionError) {
        transcript.spoke()
        try await send(.text, ByteBuffer(bytes: text))
    }

    /// Sends a ping; the answer comes as ``WebSocketEvent/pong``.
    ///
    /// - Throws: ``GatewayConnectionError``.
    package func ping() async throws(GatewayConnectionError) {
        transcript.pinged()
        try await send(.ping, ByteBuffer())
    }

    /// Asks whether the peer is alive, each time that the sequence says so. Then hangs up, without waiting for the peer, so
    /// that whoever waits for the next event gets the end. Any task may run it.
    ///
    /// Received bytes are counted anew for each question. None waits until the last has left this host: a peer that reads
    /// nothing must not hold up the next one.
    ///
    /// - Returns: `false` if the task was cancelled before the end of the sequence.
    func ask(for checks: AsyncStream<Void>) -> @Sendable () async -> Bool {
        let (channel, transcript, backlog) = (channel, transcript, backlog)
        return {
            for await _ in checks {
                transcript.restart()
                transcript.pinged()
                channel.writeAndFlush(Self.frame(.ping, ByteBuffer()), promise: nil)
            }
            guard !Task.isCancelled else { return false }
            channel.writeAndFlush(Self.frame(.connectionClose, ByteBuffer(integer: UInt16(1_000))), promise: nil)
            backlog.finish()
            return true
        }
    }

    /// The time since the last of these questions; `nil` if none was asked.
    var timeSinceQuestion: Duration? { transcript.asked.map { .now - $0 } }

    /// Sends a close frame, and waits for nothing: the peer may have stopped reading.
    ///
    /// - Parameter code: The close code; 1000 is a normal end.
    package func close(code: UInt16 = 1_000) {
        channel.writeAndFlush(Self.frame(.connectionClose, ByteBuffer(integer: code)), promise: nil)
    }

    /// Waits for the next event, and returns it. Nothing else follows `closed` or `failed`.
    package mutating func next() async -> WebSocketEvent {
        while true {
            if let event = await next(before: nil) { return event }
        }
    }

    /// Waits for the next event within the given time, and returns it; `nil` when none comes.
    package mutating func next(within time: Duration) async -> WebSocketEvent? {
        reminders += 1
        let (number, backlog) = (reminders, backlog)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { backlog.remind(number) }
        defer { timer.cancel() }
        return await next(before: number)
    }

    /// Waits for the next event, and returns it; `nil` when a reminder comes before.
    private mutating func next(before reminder: Int?) async -> WebSocketEvent? {
        while true {
            switch await events.next(isolation: #isolation) {
            case .event(let event): return taken(event)
            case .reminder(let number) where number == reminder: return nil
            // A reminder of an earlier wait.
            case .reminder: continue
            case nil: return judged(.closed(WebSocketClose(code: nil)))
            }
        }
    }

    /// Makes a read that was postponed, if there is room again, and returns the event.
    private func taken(_ event: WebSocketEvent) -> WebSocketEvent {
        if backlog.took(event) { channel.read() }
        return judged(event)
    }

    /// Returns the event, or the failure behind it: when our own time limit closes the socket, this looks as if the
    /// peer had closed it.
    private func judged(_ event: WebSocketEvent) -> WebSocketEvent {
        switch event {
        case .message, .pong: event
        case .closed(let close) where close.code != nil: event
        case .closed, .failed:
            dialer.scope.isOutOfTime ? .failed(dialer.failure(ChannelError.eof, transcript)) : event
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async throws(GatewayConnectionError) {
        do {
            try await channel.writeAndFlush(Self.frame(opcode, data))
        } catch {
            throw dialer.failure(error, transcript)
        }
    }

    private static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }
}
