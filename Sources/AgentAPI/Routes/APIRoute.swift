internal import Agent
internal import HTTPTypes

/// One thing that an agent can be asked.
struct APIRoute: Sendable {
    let method: HTTPRequest.Method
    let path: String

    /// The right that it takes; `nil` if everybody may ask.
    let right: Rights?

    /// Answers a request. The caller has checked the right.
    let answer: @Sendable (Agent, APIQuery) async throws -> APIAnswer

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ right: Rights?,
        answer: @escaping @Sendable (Agent, APIQuery) async throws -> APIAnswer
    ) {
        self.method = method
        self.path = path
        self.right = right
        self.answer = answer
    }
}

/// The answer to a request.
enum APIAnswer: Sendable {
    /// A document, with the status of the answer.
    case document(HTTPResponse.Status, String)

    /// A text for Prometheus.
    case metrics(String)

    /// Everything that the agent shows and its changes, until the reader goes.
    case events(EventStream)
}

/// What a request says besides its path.
struct APIQuery: Sendable {
    /// The parameters of the query.
    let parameters: [String: String]

    /// The header field `Last-Event-ID`.
    let lastEvent: String?

    /// The body.
    let body: [UInt8]

    /// Makes what a request says.
    ///
    /// - Parameter query: The part of its target after the question mark.
    init(_ query: Substring, lastEvent: String? = nil, body: [UInt8] = []) {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&").prefix(16) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            parameters[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
        self.parameters = parameters
        self.lastEvent = lastEvent
        self.body = body
    }
}
