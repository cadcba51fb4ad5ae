public import Agent
internal import GatewayClient
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemPackage

/// Answers questions about an agent, over HTTP at a Unix socket of its user.
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

    /// Answers until the task is cancelled.
    private func run(_ reporter: PartReporter) async throws {
        let (path, version) = (agent.configuration.place.socket, agent.configuration.version)
        let http = HTTP1Channel(
            responder: { request, writer, _ in
                let (response, isRead) = await respond(request, version)
                try await writer.write(response: response.head, body: response.body)
                if !isRead { throw Unread() }
            },
            configuration: HTTP1Channel.Configuration(idleTimeout: Self.idleTimeout)
        )
        let server = AgentChannel(http, version: version).server(
            // Only the agent that has the lock comes here, so that a socket which is there is one of a former agent.
            configuration: ServerConfiguration(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in
                // Until now, the permissions of its folder and the check of each peer kept others out.
                if chmod(path, 0o600) == 0 {
                    reporter.works()
                } else {
                    reporter.isImpaired("the permissions of \(path) cannot be set: \(Errno(rawValue: errno))")
                }
            },
            eventLoopGroup: try GatewayLoops.group(),
            // It calls the end of the agent an error; what fails is in the state of this part.
            logger: Logger(label: "clawradar") { _ in SwiftLogNoOpLogHandler() }
        )
        defer { unlink(path) }
        try await server.run()
    }

    /// Answers a request.
    ///
    /// - Returns: The response, and whether the request was read to its end.
    private func respond(_ request: Request, _ version: String) async -> (Response, isRead: Bool) {
        do {
            let target = (request.head.path ?? "/")[...]
            let path = target.prefix { $0 != "?" }
            let route = try Gate.route(request.head, path, .owner)
            let body = try await Self.read(request.body)
            let lastEvent = request.headers.first { $0.name.canonicalName == "last-event-id" }
            let query = APIQuery(target.dropFirst(path.count + 1), lastEvent: lastEvent?.value, body: body)
            return (APIResponse.make(try await route.answer(agent, query), version: version), true)
        } catch let problem as APIProblem {
            return (APIResponse.make(problem, version: version), problem.status != .contentTooLarge)
        } catch {
            logger.error("a question was not answered: \(error)")
            let problem = APIProblem(.internalServerError, "this should not have happened: \(error)")
            return (APIResponse.make(problem, version: version), true)
        }
    }

    /// Reads the body, as far as it may be long.
    private static func read(_ body: RequestBody) async throws(APIProblem) -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            for try await part in body {
                bytes += part.readableBytesView
                if bytes.count > Gate.bodyLimit { throw Gate.tooLong }
            }
            return bytes
        } catch let problem as APIProblem {
            throw problem
        } catch {
            throw APIProblem(.badRequest, "the request ended before its body did")
        }
    }
}
