package import Agent
internal import GatewayClient
internal import GatewayProtocol
internal import Glibc
internal import HTTPTypes
internal import HostSystem
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization
internal import SystemPackage

/// Answers questions about an agent, over HTTP at a Unix socket of its user and, if that is wanted, at a port of this host.
///
/// ## Usage
///
/// ```swift
/// let agent = Agent(configuration)
/// try await agent.run(with: [AgentServer(agent).part])
/// ```
package struct AgentServer: Sendable {
    /// The time after which a connection on which nothing is asked is closed.
    private static let idleTimeout = TimeAmount.seconds(60)

    /// The time between two looks whether the socket is still there.
    private static let interval = Duration.seconds(2)

    /// The address of the port: only this host reaches it.
    private static let address = "127.0.0.1"

    /// The request cannot be read to its end, so that nothing more can follow it.
    private struct Unread: Error {}

    private let agent: Agent
    private let logger: Logger

    /// Makes what answers questions about an agent.
    ///
    /// - Parameter logger: Receives what this program itself has done wrong.
    package init(_ agent: Agent, logger: Logger? = nil) {
        self.agent = agent
        self.logger = logger ?? Logger(label: "clawradar") { _ in SwiftLogNoOpLogHandler() }
    }

    /// It as a part of its agent.
    package var part: AgentPart { AgentPart("api") { try await run($0) } }

    /// Returns the name of the part that answers at a port; 0 for any that is free, which only the page is answered at.
    package static func name(ofPartAt port: UInt16) -> String { port == 0 ? "page" : "port" }

    /// It at a port of 127.0.0.1 as another part: whoever asks there has to have the token, or that of a page.
    ///
    /// - Parameter port: The port; 0 for that at which pages ask that are still open, or any that is free.
    package func part(port: UInt16, token: ReadToken) -> AgentPart {
        AgentPart(Self.name(ofPartAt: port)) { reporter in
            let former = port == 0 ? agent.page.formerPort ?? 0 : port
            do {
                try await run(at: former, token, reporter)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                guard port == 0, former != 0 else {
                    throw PartEnd(description: "\(Self.address):\(port) is taken: another program answers there")
                }
                try await run(at: 0, token, reporter)
            }
        }
    }

    /// Answers at a port until the task is cancelled.
    private func run(at port: UInt16, _ token: ReadToken, _ reporter: PartReporter) async throws {
        let served = ServedConnections()
        let place = BindAddress.hostname(Self.address, port: Int(port))
        let server = try server(at: place, .port(token, of: agent), served) { channel in
            if let port = channel.localAddress?.port { agent.page.begins(at: UInt16(port)) }
            reporter.works()
        }
        defer { agent.page.ends() }
        try await Self.run(server, served)
    }

    /// Answers at the socket until the task is cancelled.
    private func run(_ reporter: PartReporter) async throws {
        let place = agent.configuration.place
        // The system removes the folder when the user logs out, and makes it anew later.
        try agent.renewPlace()
        let path = place.socket
        // It gets its permissions before it gets its name, so that nobody meets it with those of the system's mask.
        let unnamed = path + "~"
        // Only the agent that has the lock comes here, so that a socket which is there is one of a former agent.
        let (sockets, socket) = AsyncStream.makeStream(of: Result<FileIdentity, PartEnd>.self)
        let own = Mutex<FileIdentity?>(nil)
        let served = ServedConnections()
        let server = try server(at: .unixDomainSocket(path: unnamed), .socket(isShared: place.isShared), served) { _ in
            let made = try? FileIdentity.of(FilePath(unnamed))
            if let made, chmod(unnamed, place.isShared ? 0o660 : 0o600) == 0, rename(unnamed, path) == 0 {
                own.withLock { $0 = made }
                reporter.works()
                socket.yield(.success(made))
            } else {
                socket.yield(.failure(PartEnd(description: "\(path) cannot be made: \(Errno(rawValue: errno))")))
            }
        }
        defer {
            unlink(unnamed)
            // Another agent may have put its own there.
            if let own = own.withLock(\.self), Self.isThere(own, path) { unlink(path) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.run(server, served) }
            // A socket whose file was removed takes no connections: it is made again.
            group.addTask {
                for await made in sockets {
                    let own = try made.get()
                    while Self.isThere(own, path) { try await Task.sleep(for: Self.interval) }
                    throw PartEnd(description: "\(path) was removed, and is made anew")
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Runs a server until the task is cancelled.
    ///
    /// NIO ends the process where a connection is dropped that was accepted and is not served yet, as it is by cancelling. So
    /// the server is ended gracefully, which takes each of them up, and is cancelled if that takes longer.
    private static func run(_ server: any Service, _ served: ServedConnections) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [ServiceGroupConfiguration.ServiceConfiguration(service: server)],
            logger: silent
        )
        configuration.maximumGracefulShutdownDuration = .milliseconds(200)
        let group = ServiceGroup(configuration: configuration)
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            served.end()
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// It calls the end of the agent an error; what fails is in the state of this part.
    private static var silent: Logger { Logger(label: "clawradar") { _ in SwiftLogNoOpLogHandler() } }

    /// Indicates whether a socket is still the one at its path.
    private static func isThere(_ socket: FileIdentity, _ path: String) -> Bool {
        (try? FileIdentity.of(FilePath(path))) == socket
    }

    private func server(
        at address: BindAddress,
        _ entrance: Entrance,
        _ served: ServedConnections,
        isRunning: @escaping @Sendable (any Channel) -> Void
    ) throws -> any Service {
        let version = agent.configuration.version
        let visitors = Visitors(entrance.kind)
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                let (response, isRead) = await respond(request, entrance, visitors, channel, version)
                try await writer.write(response: response.head, body: response.body)
                if !isRead { throw Unread() }
            },
            configuration: HTTP1Channel.Configuration(idleTimeout: Self.idleTimeout)
        )
        return AgentChannel(http, version: version, entrance.kind, visitors, served).server(
            configuration: ServerConfiguration(address: address),
            onServerRunning: { isRunning($0) },
            eventLoopGroup: try GatewayLoops.group(),
            logger: Self.silent
        )
    }

    /// Answers a request.
    ///
    /// - Returns: The response, and whether the request was read to its end.
    private func respond(
        _ request: Request,
        _ entrance: Entrance,
        _ visitors: Visitors,
        _ channel: any Channel,
        _ version: String
    ) async -> (Response, isRead: Bool) {
        do {
            let target = (request.head.path ?? "/")[...]
            let path = target.prefix { $0 != "?" }
            let owner = geteuid()
            let user: uid_t? =
                switch entrance.kind {
                // Connections of others were closed before.
                case .ownSocket: owner
                case .sharedSocket: try await Peer.user(of: channel).get()
                case .port: nil
                }
            let route = try entrance.route(request.head, path, user: user, owner: owner)
            // At the port only the token gives a right, so whoever has passed has shown it.
            if entrance.kind == .port, route.right != nil, !visitors.prove(channel) { throw AgentChannel.tooMany }
            let body = try await Self.read(request.body, upTo: Gate.limit(of: route))
            // The body may hold a secret.
            defer { body.wipe() }
            let lastEvent = request.headers.first { $0.name.canonicalName == "last-event-id" }
            let query = APIQuery(
                target.dropFirst(path.count + 1),
                name: route.name(in: path) ?? "",
                lastEvent: lastEvent?.value,
                encodings: request.headers[.acceptEncoding],
                body: body
            )
            return (APIResponse.make(try await route.answer(agent, query), version: version), true)
        } catch let problem as APIProblem {
            // A stranger is not listened to any further; nor is a body that is too long.
            let isRead = problem.status != .contentTooLarge && entrance.kind != .port
            return (APIResponse.make(problem, version: version), isRead)
        } catch {
            logger.error("a question was not answered: \(error)")
            let problem = APIProblem(.internalServerError, "this should not have happened: \(error)")
            return (APIResponse.make(problem, version: version), true)
        }
    }

    /// Reads the body, as far as it may be long. It may hold a secret, so that no copy of it is left behind.
    private static func read(_ body: RequestBody, upTo limit: Int) async throws(APIProblem) -> [UInt8] {
        do {
            var parts: [ByteBuffer] = []
            defer { for part in parts { part.wipe() } }
            var count = 0
            for try await part in body {
                parts.append(part)
                count += part.readableBytes
                if count > limit { throw Gate.tooLong(limit) }
            }
            var bytes: [UInt8] = []
            // An array that grows leaves copies of its content behind.
            bytes.reserveCapacity(count)
            for part in parts { bytes += part.readableBytesView }
            return bytes
        } catch let problem as APIProblem {
            throw problem
        } catch {
            throw APIProblem(.badRequest, "the request ended before its body did")
        }
    }
}
