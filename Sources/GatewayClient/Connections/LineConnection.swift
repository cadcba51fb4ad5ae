package import DNSSD
package import GatewayProtocol
internal import NIOCore

/// A TCP connection that carries lines, as those of a Clawdbot bridge do, within limits of bytes and time.
///
/// It lives as long as the closure that receives it; then its socket is closed. Only one task may use it.
package struct LineConnection {
    /// The path of the connection.
    package let path: GatewayProbePath

    private let channel: any Channel
    private let transcript: Transcript
    private let dialer: Dialer
    private var events: AsyncStream<LineEvent>.Iterator

    /// Connects to the first endpoint that answers, runs the closure, and closes.
    ///
    /// - Parameters:
    ///   - endpoints: The addresses of one gateway, tried as in RFC 8305.
    ///   - transport: With TLS or without.
    ///   - limits: The limits on what is received, and on how long each step may take; the closure is one of the steps.
    /// - Throws: ``GatewayConnectionError`` when there is no connection, or the error that the closure throws.
    package static func withConnection<Value: Sendable>(
        to endpoints: [Endpoint],
        transport: GatewayTransport = .plain,
        limits: ConnectionLimits = ConnectionLimits(),
        _ body: (inout LineConnection) async throws -> Value
    ) async throws -> Value {
        try await Dialer.run(limits: limits) { dialer in
            var connection = try await open(endpoints, transport: transport, dialer: dialer)
            return try await body(&connection)
        }
    }

    /// Connects within a scope that the caller ends.
    static func open(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer
    ) async throws(GatewayConnectionError) -> LineConnection {
        let (stream, continuation) = AsyncStream<LineEvent>.makeStream()
        let limits = dialer.limits
        let opened = try await dialer.open(endpoints, transport: transport) { channel, _, transcript in
            let receiver = LineReceiver(continuation, transcript: transcript, limits: limits)
            try channel.pipeline.syncOperations.addHandler(receiver)
        }
        return LineConnection(
            path: opened.path,
            channel: opened.channel,
            transcript: opened.transcript,
            dialer: dialer,
            events: stream.makeAsyncIterator()
        )
    }

    /// The first bytes that were received, at most ``ForeignAnswer/maximumBytes``.
    var firstBytes: [UInt8] { transcript.firstBytes }

    /// Sends a line; the line feed is added.
    ///
    /// - Throws: ``GatewayConnectionError``.
    package func send(_ line: [UInt8]) async throws(GatewayConnectionError) {
        transcript.spoke()
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: line + [UInt8(ascii: "\n")]))
        } catch {
            throw dialer.failure(error, transcript)
        }
    }

    /// Waits for the next event, and returns it. Nothing else follows `closed` or `failed`.
    package mutating func next() async -> LineEvent {
        let event = await events.next(isolation: #isolation) ?? .closed
        guard dialer.scope.isOutOfTime else { return event }
        if case .line = event { return event }
        return .failed(dialer.failure(ChannelError.eof, transcript))
    }
}

/// An event on a line connection.
package enum LineEvent: Hashable, Sendable {
    /// A line without its line feed.
    case line([UInt8])

    /// The peer closed the connection.
    case closed

    /// The connection failed.
    case failed(GatewayConnectionError)
}
