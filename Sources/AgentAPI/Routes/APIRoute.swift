internal import Agent
internal import GatewayProtocol
internal import HTTPTypes

/// One thing that an agent can be asked.
struct APIRoute: Sendable {
    let method: HTTPRequest.Method
    /// Its path, in which `{id}` stands for one part that is the name of something.
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
        self.answer = { agent, query in
            do {
                return try await answer(agent, query)
            } catch let error as RadarError {
                throw APIProblem(error)
            }
        }
    }

    /// Returns the name that a path gives in place of `{id}`, which is empty where it has none; `nil` if it is another path.
    func name(in path: Substring) -> Substring? {
        let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard wanted.count == parts.count else { return nil }
        var name = Substring()
        for (wanted, part) in zip(wanted, parts) where wanted != part {
            guard wanted == "{id}", !part.isEmpty, part.utf8.count <= 64 else { return nil }
            name = part
        }
        return name
    }
}

/// The answer to a request.
enum APIAnswer: Sendable {
    /// A document, with the status of the answer.
    case document(HTTPResponse.Status, String)

    /// A document with a crowd in it.
    case paged(PagedDocument)

    /// A document of what was made, and its path.
    case created(String, at: String)

    /// A text for Prometheus.
    case metrics(String)

    /// A file of the page, packed where that is possible and wanted.
    case page(PageFile, isPacked: Bool)

    /// Everything that the agent shows and its changes, until the reader goes.
    case events(EventStream)
}

/// The parts of a request that the answer of its route may depend on.
struct APIQuery: Sendable {
    /// The name in the path, where its route has one.
    let name: String

    /// The parameters of the query.
    let parameters: [String: String]

    /// The header field `Last-Event-ID`.
    let lastEvent: String?

    /// Indicates whether the reader takes what zlib has packed.
    let takesDeflate: Bool

    /// The body.
    let body: [UInt8]

    /// Makes what a request says.
    ///
    /// - Parameters:
    ///   - query: The part of its target after the question mark.
    ///   - name: The name in its path.
    ///   - lastEvent: The header field `Last-Event-ID`.
    ///   - encodings: The header field `Accept-Encoding`.
    ///   - body: The body.
    init(
        _ query: Substring,
        name: Substring = "",
        lastEvent: String? = nil,
        encodings: String? = nil,
        body: [UInt8] = []
    ) {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&").prefix(16) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1] : ""
            parameters[String(parts[0])] = PercentEncoding.decoded(value) ?? String(value)
        }
        self.name = String(name)
        self.parameters = parameters
        self.lastEvent = lastEvent
        // A weight, which could be 0, is one more thing to read: browsers give none.
        takesDeflate = encodings?.split(separator: ",").contains { $0.filter { $0 != " " } == "deflate" } ?? false
        self.body = body
    }
}
