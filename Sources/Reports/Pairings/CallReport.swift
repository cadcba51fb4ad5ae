package import GatewayProtocol

/// The answer of a gateway to a request of a user, as an agent passes it on.
package struct CallReport: ReadableReport {
    /// The payload, or the failure that the gateway reports. It is untrusted.
    package let outcome: Result<JSONValue?, GatewayFailure>

    package init(_ outcome: Result<JSONValue?, GatewayFailure>) {
        self.outcome = outcome
    }

    /// Reads what an agent has passed on.
    package init(_ report: JSONValue) throws(RecordingProblem) {
        switch report["ok"]?.bool {
        case true?: outcome = .success(report["payload"])
        case false?:
            guard let code = report["error"]?["code"]?.string else {
                throw RecordingProblem("“error” of the document is to have a code")
            }
            let message = report["error"]?["message"]?.string ?? ""
            outcome = .failure(GatewayFailure(code: code, message: message, details: report["error"]?["details"]))
        case nil: throw RecordingProblem("“ok” of the document is to be true or false")
        }
    }

    package var fields: [String: JSONValue] {
        switch outcome {
        case .success(let payload): ["ok": true, "payload": payload ?? .null, "error": .null]
        case .failure(let failure):
            [
                "ok": false, "payload": .null,
                "error": .object([
                    "code": .string(failure.code), "message": .string(failure.message),
                    "details": failure.details ?? .null,
                ]),
            ]
        }
    }
}
