import DNSSD
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization
import Testing

/// A server on 127.0.0.1, on a port that the system chooses, with a given behaviour.
struct TestServer: Sendable {
    /// The behaviour of the server.
    enum Behaviour: Sendable {
        /// Sends bytes when a connection is opened, and others in answer to the first bytes that it receives; then
        /// hangs up if it should.
        case raw(greeting: [UInt8] = [], answer: [UInt8]? = nil, hangsUp: Bool = false)

        /// Sends bytes one by one, with a pause after each.
        case drip([UInt8], every: TimeAmount)

        /// Sends lines when a connection is opened, and answers each line with others.
        case lines(greeting: [String] = [], answer: @Sendable (String) -> [String])

        /// A web server that upgrades on `path`, sends texts after the upgrade, and answers each text with frames.
        case webSocket(
            path: String? = "/",
            greeting: [String] = [],
            answer: @Sendable (String) -> [WebSocketFrame] = { _ in [] },
            http: @Sendable (String) -> WebAnswer = { _ in WebAnswer(status: .notFound) },
            onPing: PingAnswer = .pong
        )
    }

    /// The answer to a ping.
    enum PingAnswer: Sendable {
        case pong
        case silence
        case hangingUp
        /// The connection ends without a close frame: by a reset, or with TLS without its closing alert.
        case breaking
        /// A pong, followed by a number of frames of one kind.
        case flood(WebSocketFrame, count: Int)
    }

    struct WebAnswer: Sendable {
        var status: HTTPResponseStatus
        var headers: [(String, String)] = []
        var body = ""
    }

    /// The address and port at which the server listens.
    let endpoint: Endpoint

    /// The bytes and the number of connections received from clients, over all connections.
    let received: Received

    final class Received: Sendable {
        private let state = Mutex<(bytes: [UInt8], connections: Int)>(([], 0))
        var bytes: [UInt8] { state.withLock { $0.bytes } }
        var text: String { String(decoding: bytes, as: UTF8.self) }
        var connections: Int { state.withLock { $0.connections } }
        func add(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }
        func connected() { state.withLock { $0.connections += 1 } }
    }

    /// Runs a server while a closure runs.
    ///
    /// - Parameters:
    ///   - behaviour: The behaviour of the server.
    ///   - tls: Whether the server uses TLS.
    ///   - named: The certificate that it shows, in PEM; `nil` for the one without a name.
    ///   - roundTrip: The time by which received bytes are delayed.
    ///   - isFull: Whether its queue of connections is full for a moment, so that the first packet of the next client
    ///     is lost; the client sends it again after a second.
    ///   - body: The closure.
    static func run<Value: Sendable>(
        _ behaviour: Behaviour,
        tls: Bool = false,
        named: String? = nil,
        roundTrip: TimeAmount = .zero,
        isFull: Bool = false,
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let received = Received()
        let context = tls ? try TestCertificate.serverContext(named: named) : nil
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: isFull ? Int32(0) : Int32(128))
            .serverChannelOption(.autoRead, value: !isFull)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    received.connected()
                    if roundTrip > .zero { try channel.pipeline.syncOperations.addHandler(DelayHandler(roundTrip)) }
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(Recorder(received))
                    try configure(channel, behaviour)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(try #require(listener.localAddress?.port))
        let address = try #require(IPAddress("127.0.0.1"))
        let server = TestServer(endpoint: Endpoint(address: address, port: port), received: received)
        if isFull {
            // This connection occupies the only place in the queue.
            let filler = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(port)).get()
            // Less than a second: then the client repeats the packet that was lost.
            listener.eventLoop.scheduleTask(in: .milliseconds(700)) {
                filler.close(promise: nil)
                listener.setOption(.autoRead, value: true).whenSuccess { listener.read() }
            }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await listener.close()
        return try result.get()
    }

    private static func configure(_ channel: any Channel, _ behaviour: Behaviour) throws {
        switch behaviour {
        case .raw(let greeting, let answer, let hangsUp):
            try channel.pipeline.syncOperations.addHandler(RawServer(greeting, answer: answer, hangsUp: hangsUp))
        case .drip(let bytes, let pause):
            try channel.pipeline.syncOperations.addHandler(DripServer(bytes, pause: pause))
        case .lines(let greeting, let answer):
            try channel.pipeline.syncOperations.addHandler(LineServer(greeting, answer))
        case .webSocket(let path, let greeting, let answer, let http, let onPing):
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: 1 << 20,
                shouldUpgrade: { channel, head in
                    channel.eventLoop.makeSucceededFuture(head.uri == path ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = WebSocketServer(
                            greeting: greeting,
                            answer: answer,
                            onPing: onPing
                        )
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
            )
            let web = WebServer(http)
            let upgrade: NIOHTTPServerUpgradeConfiguration = (
                upgraders: [upgrader],
                completionHandler: { context in context.pipeline.syncOperations.removeHandler(web, promise: nil) }
            )
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withServerUpgrade: path == nil ? nil : upgrade
            )
            try channel.pipeline.syncOperations.addHandler(web)
        }
    }
}
