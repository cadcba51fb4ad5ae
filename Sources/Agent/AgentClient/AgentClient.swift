/// Asks the agent of this user, and waits for its answer.
///
/// ## Usage
///
/// ```swift
/// let answer = try AgentClient(socket: path).ask("GET", "/api/v1/gateways")
/// ```
package struct AgentClient: Hashable, Sendable {
    /// The maximum number of bytes of an answer.
    static let limit = 64 * 1_048_576

    /// The longest time within which an agent has to show that it answers at all, where an answer may take longer: one that
    /// hangs must not take up the time of whoever asks.
    package static let lifeTimeout = Duration.milliseconds(1_500)

    /// The path of its socket.
    package let socket: String

    package init(socket: String) {
        self.socket = socket
    }

    /// Asks a question, and waits for all of the answer.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - target: The path, and the query if there is one.
    ///   - fields: Further header fields.
    ///   - timeout: The time within which the answer has to come. The thread is blocked meanwhile.
    ///   - lifeTimeout: The time within which the agent has to show that it answers at all.
    package func ask(
        _ method: String,
        _ target: String,
        fields: [String: String] = [:],
        body: [UInt8] = [],
        within timeout: Duration = .seconds(5),
        lifeTimeout: Duration = AgentClient.lifeTimeout
    ) throws(AgentClientError) -> AgentAnswer {
        let deadline = ContinuousClock.now + timeout
        if target != Self.lifeTarget { try checkLife(within: min(lifeTimeout, Self.lifeTimeout, timeout)) }
        let connection = try AgentConnection(socket, until: deadline)
        try connection.write(Self.request(method, target, fields, body), until: deadline)
        var reader = HTTPResponseReader()
        var answer: [UInt8] = []
        while !reader.isComplete {
            let bytes = try connection.read(until: deadline)
            guard !bytes.isEmpty else {
                guard reader.mayEndHere else { throw .broken("it was closed before the answer was complete") }
                break
            }
            answer += try reader.take(bytes[...])
            guard answer.count <= Self.limit else { throw .garbled("it has more than \(Self.limit) bytes") }
        }
        return AgentAnswer(reader, answer)
    }

    /// Asks for what an agent answers at once, whatever it does.
    ///
    /// - Returns: The version of the agent.
    /// - Throws: ``AgentClientError/silent`` if it does not.
    @discardableResult
    package func checkLife(within timeout: Duration = AgentClient.lifeTimeout) throws(AgentClientError) -> String? {
        do throws(AgentClientError) {
            return try ask("GET", Self.lifeTarget, within: timeout).version
        } catch {
            switch error {
            case .timedOut, .broken: throw .silent
            case .absent, .unsafe, .silent, .garbled: throw error
            }
        }
    }

    /// The path of that.
    private static let lifeTarget = "/health/live"

    static func request(
        _ method: String,
        _ target: String,
        _ fields: [String: String],
        _ body: [UInt8]
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        if !body.isEmpty || method == "POST" { lines.append("Content-Length: \(body.count)") }
        lines += fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// The answer of an agent.
package struct AgentAnswer: Hashable, Sendable {
    /// The status of HTTP.
    package let status: Int

    /// The header fields, by their names in lower case.
    package let fields: [String: String]

    package let body: [UInt8]

    /// The version of the agent.
    package var version: String? { fields["clawradar-version"] }

    init(_ reader: HTTPResponseReader, _ body: [UInt8]) {
        status = reader.status ?? 0
        fields = reader.fields
        self.body = body
    }
}
