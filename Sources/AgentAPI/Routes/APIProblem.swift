internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports

/// The reason why a request is not answered as it was meant, as a document of RFC 9457.
struct APIProblem: Error, Hashable, JSONReport {
    let status: HTTPResponse.Status

    /// An explanation: what was expected, what was found, and what to do.
    let detail: String

    /// The code of the operation that was not carried out; `nil` where none was begun.
    private(set) var code: RadarError.Code?

    /// Further header fields of the answer.
    var headers = HTTPFields()

    init(_ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    /// Makes the problem of an operation that was not carried out.
    init(_ error: RadarError) {
        switch error.code {
        case .notFound: self.init(.notFound, error.description)
        case .inapplicable, .conflict, .contested: self.init(.conflict, error.description)
        case .invalid: self.init(.badRequest, error.description)
        case .unavailable: self.init(.serviceUnavailable, error.description, headers: [.retryAfter: "1"])
        case .notReached: self.init(.badGateway, error.description)
        case .unknown: self.init(.gatewayTimeout, error.description)
        }
        code = error.code
    }

    var fields: [String: JSONValue] {
        [
            "type": "about:blank",
            "title": .string(status.reasonPhrase),
            "status": .number(JSONNumber(status.code)),
            "detail": .string(DisplayText(sentence: detail).text),
            "code": JSONValue(code?.rawValue),
        ]
    }
}
