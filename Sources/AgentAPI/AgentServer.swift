public import Agent
internal import GatewayClient
internal import GatewayProtocol
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemPackage

/// Answers questions about an agent, over HTTP at a Unix socket of its user and, if that is wanted, at a port of this host.
///
/// ## Usage
///
/// ```swift
/// let agent = Agent(configuration)
/// try await agent.run(with: [AgentServer(agent).part])
/// ```
public struct AgentServer: Sendable {
    /// The time after which a connection on which nothing is asked is closed.
    private static let idleTimeout = TimeAmount.seconds(60)

    /// The request cannot be read to its end, so that nothing more can follow it.
    private struct Unread: Error {}

    private let agent: Agent
    private let logger: Logger

    /// Makes what answers questions about an agent.
    ///
    /// - Parameter logger: Receives what this program itself has done wrong.
    public init(_ agent: Agent, logger: Logger? = nil) {
        self.agent = agent
        self.logger = logger ?? Logger(label: "clawradar") { _ in SwiftLogNoOpLogHandler() }
    }

    /// It as a part of its agent.
    public var part: AgentPart { AgentPart("api") { try await run($0) } }

    /// It at a port of 127.0.0.1 as another part: whoever asks there has to have the token.
    package func part(port: UInt16, token: ReadToken) -> AgentPart {
        AgentPart("port") { reporter in
            let address = "127.0.0.1"
            let server = try server(at: .hostname(address, port: Int(port)), .port(token)) { reporter.works() }
            do {
                try await server.run()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                throw PartEnd(description: "\(address):\(port) is taken: another program answers there")
            }
        }
    }

    /// Answers at the socket until the task is cancelled.
    private func run(_ reporter: PartReporter) async throws {
        let place = agent.configuration.place
        let path = place.socket
        // It gets its permissions before it gets its name, so that nobody meets it with those of the system's mask.
        let unnamed = path + "~"
        // Only the agent that has the lock comes here, so that a socket which is there is one of a former agent.
        let (failures, failure) = AsyncStream.makeStream(of: PartEnd.self)
        let server = try server(at: .unixDomainSocket(path: unnamed), .socket(isShared: place.isShared)) {
            if chmod(unnamed, place.isShared ? 0o660 : 0o600) == 0, rename(unnamed, path) == 0 {
                reporter.works()
            } else {
                failure.yield(PartEnd(description: "\(path) cannot be made: \(Errno(rawValue: errno))"))
            }
        }
        defer {
            unlink(unnamed)
            unlink(path)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            // Nobody would meet it without its name.
            group.addTask { for await failure in failures { throw failure } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func server(
        at address: BindAddress,
        _ entrance: Entrance,
        isRunning: @escaping @Sendable () -> Void
    ) throws -> any Service {
        let version = agent.configuration.version
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                let (response, isRead) = await respond(request, entrance, channel, version)
                try await writer.write(response: response.head, body: response.body)
                if !isRead { throw Unread() }
            },
            configuration: HTTP1Channel.Configuration(idleTimeout: Self.idleTimeout)
        )
        return AgentChannel(http, version: version, entrance.kind).server(
            configuration: ServerConfiguration(address: address),
            onServerRunning: { _ in isRunning() },
            eventLoopGroup: try GatewayLoops.group(),
            // It calls the end of the agent an error; what fails is in the state of this part.
            logger: Logger(label: "clawradar") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Answers a request.
    ///
    /// - Returns: The response, and whether the request was read to its end.
    private func respond(
        _ request: Request,
        _ entrance: Entrance,
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
            let body = try await Self.read(request.body)
            // It may hold a secret.
            defer { body.wipe() }
            let lastEvent = request.headers.first { $0.name.canonicalName == "last-event-id" }
            let query = APIQuery(
                target.dropFirst(path.count + 1),
                name: route.name(in: path) ?? "",
                lastEvent: lastEvent?.value,
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
    private static func read(_ body: RequestBody) async throws(APIProblem) -> [UInt8] {
        do {
            var parts: [ByteBuffer] = []
            defer { for part in parts { part.wipe() } }
            var count = 0
            for try await part in body {
                parts.append(part)
                count += part.readableBytes
                if count > Gate.bodyLimit { throw Gate.tooLong }
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
