internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Reports

/// The answers of an agent as they go over the wire.
enum APIResponse {
    /// The media type of RFC 9457.
    static let problemType = "application/problem+json"

    /// The media type of version 0.0.4 of the exposition format of Prometheus.
    static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

    /// The header field with the version of the agent, which every answer has.
    static let versionField = "Clawradar-Version"

    /// Makes the response with an answer.
    static func make(_ answer: APIAnswer, version: String) -> Response {
        switch answer {
        case .document(let status, let text):
            return make(status, "application/json", [:], ResponseBody(byteBuffer: ByteBuffer(string: text)), version)
        case .paged(let document):
            let body = ResponseBody { writer in
                try await document.write(to: &writer)
                try await writer.finish(nil)
            }
            return make(.ok, "application/json", [:], body, version)
        case .created(let text, let path):
            let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
            return make(.created, "application/json", [.location: path], body, version)
        case .metrics(let text):
            return make(.ok, metricsType, [:], ResponseBody(byteBuffer: ByteBuffer(string: text)), version)
        case .page(let file, let isPacked):
            let packed = isPacked ? file.packed : nil
            var headers = PageFile.headers
            headers[.contentEncoding] = packed.map { _ in "deflate" }
            let body = ResponseBody(byteBuffer: ByteBuffer(bytes: packed ?? file.bytes))
            return make(.ok, file.type, headers, body, version)
        case .events(let stream):
            let body = ResponseBody { writer in
                try await stream.write(to: &writer)
                try await writer.finish(nil)
            }
            return make(.ok, "text/event-stream", [:], body, version)
        }
    }

    /// Makes the response with a problem.
    static func make(_ problem: APIProblem, version: String) -> Response {
        let body = ResponseBody(byteBuffer: ByteBuffer(string: problem.line))
        return make(problem.status, problemType, problem.headers, body, version)
    }

    private static func make(
        _ status: HTTPResponse.Status,
        _ type: String,
        _ more: HTTPFields,
        _ body: ResponseBody,
        _ version: String
    ) -> Response {
        var headers = more
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name(versionField) { headers[name] = version }
        return Response(status: status, headers: headers, body: body)
    }
}
