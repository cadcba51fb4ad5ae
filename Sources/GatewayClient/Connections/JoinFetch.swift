package import DNSSD
package import GatewayProtocol

/// The one request for the setup code behind a join URL. The gateway forgets the code with its answer, so that nothing is
/// repeated: no redirect is followed, and an answer that is lost stays lost.
package enum JoinFetch {
    /// The limits on the answer: a setup code has at most 8 KiB.
    private static let limits = ConnectionLimits(
        frameBytes: SetupCode.maximumLength,
        connectionBytes: 65_536,
        connecting: .seconds(5),
        duration: .seconds(15)
    )

    /// The reason why there is no setup code.
    package enum Failure: Error, Hashable, Sendable {
        /// Nothing was sent: the connection did not come about.
        case notReached(String)
        /// The request was sent, and no whole answer came: the code may be spent.
        case lost
        /// The gateway has no such code: it is used, expired, or was never there.
        case notFound(status: Int)
        /// It leads to another place, which is not asked.
        case redirected(status: Int)
        /// It is asked too often at present.
        case tooOften(status: Int)
        /// It does not answer this device, whether it has the code or not.
        case refused(status: Int)
        /// It has failed, or a front of it: the code may be spent.
        case serverFailed(status: Int)
        /// It has answered, and with no content that could be a code.
        case noContent(status: Int)
        /// The answer is no setup code.
        case notACode(SetupCode.Problem)
    }

    /// Fetches the code, once.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - addresses: The addresses of its host.
    package static func run(_ url: JoinURL, at addresses: [IPAddress]) async throws(Failure) -> SetupCode {
        let endpoints = addresses.map { Endpoint(address: $0, port: url.port, serverName: ServerName(url.host)) }
        let result: Result<HTTPReply, Failure>
        do throws(GatewayConnectionError) {
            result = try await Dialer.run(limits: limits, until: nil, log: StepLog()) { dialer in
                await ask(url, endpoints, dialer)
            }
        } catch {
            throw .notReached(error.message)
        }
        let reply = try result.get()
        guard reply.status == 200 else { throw Failure(status: reply.status) }
        guard reply.isWhole else { throw .lost }
        do throws(SetupCode.Problem) {
            return try SetupCode(payload: reply.body)
        } catch {
            throw .notACode(error)
        }
    }

    private static func ask(
        _ url: JoinURL,
        _ endpoints: [Endpoint],
        _ dialer: Dialer
    ) async -> Result<HTTPReply, Failure> {
        let connection: HTTPConnection
        do throws(GatewayConnectionError) {
            let transport: GatewayTransport = url.isSecure ? .certified(host: url.host) : .plain
            connection = try await HTTPConnection.open(endpoints, transport: transport, dialer: dialer)
        } catch {
            return .failure(.notReached(error.message))
        }
        do throws(GatewayConnectionError) {
            let resource = url.resource.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return .success(try await connection.get(resource))
        } catch {
            return .failure(.lost)
        }
    }
}

extension JoinFetch.Failure {
    /// Creates the failure that a status other than 200 means.
    init(status: Int) {
        self =
            switch status {
            case 404, 410: .notFound(status: status)
            case 429: .tooOften(status: status)
            case 300..<400: .redirected(status: status)
            case 400..<500: .refused(status: status)
            case 500..<600: .serverFailed(status: status)
            default: .noContent(status: status)
            }
    }
}
