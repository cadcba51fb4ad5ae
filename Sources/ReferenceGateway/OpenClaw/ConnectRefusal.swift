internal import GatewayProtocol

/// The refusal of a client by an OpenClaw gateway: a response, and the close after it.
struct ConnectRefusal: Error, Hashable, Sendable {
    /// The code of the response; most are `INVALID_REQUEST`.
    var code = "INVALID_REQUEST"

    /// The message of the response.
    let message: String

    /// The details of the response.
    var details: [String: JSONValue] = [:]

    /// The code of the close.
    var close: UInt16 = 1_008

    /// The reason of the close, if it is not the message.
    var reason: String?

    /// The time after which the client should try again, if it is to be sent.
    var retryAfter: Duration?

    /// Further actions to take, such as a note for the operator.
    var actions: [GatewayAction] = []

    /// Returns the response in the form that gateways of an era send.
    func failure(in era: OpenClawEra) -> GatewayFailure {
        // The details that existed before there were codes.
        let early: Set = ["requestId", "expectedProtocol", SessionRefusal.OperatorTool.claim.name]
        let details = era.hasErrorDetails ? details : details.filter { early.contains($0.key) }
        return GatewayFailure(
            code: code,
            message: message,
            details: details.isEmpty ? nil : .object(details),
            retryAfter: retryAfter
        )
    }

    // MARK: Before authentication

    static let notConnecting = ConnectRefusal(message: "invalid handshake: first request must be connect")

    /// The refusal while the gateway is still starting, before any other check.
    static let starting = ConnectRefusal(
        code: "UNAVAILABLE",
        message: "gateway starting",
        details: ["reason": "startup-sidecars"],
        close: 1_013,
        retryAfter: .milliseconds(500)
    )

    static func invalid(_ problems: [String]) -> ConnectRefusal {
        ConnectRefusal(message: "invalid connect params: \(problems.joined(separator: "; "))")
    }

    static func protocolMismatch(_ params: ConnectParams, era: OpenClawEra) -> ConnectRefusal {
        var details: [String: JSONValue] = ["expectedProtocol": .number(JSONNumber(era.protocolVersion))]
        if era >= .july2026 {
            details["code"] = "PROTOCOL_MISMATCH"
            details["clientMinProtocol"] = .number(JSONNumber(params.oldestProtocol))
            details["clientMaxProtocol"] = .number(JSONNumber(params.newestProtocol))
            details["minimumProbeProtocol"] = .number(JSONNumber(era.oldestProbeProtocol))
        }
        return ConnectRefusal(message: "protocol mismatch", details: details, close: 1_002)
    }

    static let invalidRole = ConnectRefusal(message: "invalid role")

    static let originNotAllowed = ConnectRefusal(
        message: "origin not allowed (open the Control UI from the gateway host or allow it)",
        details: ["code": "CONTROL_UI_ORIGIN_NOT_ALLOWED"]
    )

    static let deviceRequired = ConnectRefusal(
        code: "NOT_PAIRED",
        message: "device identity required",
        details: ["code": "DEVICE_IDENTITY_REQUIRED"]
    )

    /// Returns the refusal for a fault in the proof of a device.
    static func proof(_ code: String, _ message: String, _ reason: String) -> ConnectRefusal {
        ConnectRefusal(message: message, details: ["code": .string("DEVICE_AUTH_\(code)"), "reason": .string(reason)])
    }

    // MARK: Authentication

    /// A kind of failed authentication.
    enum Credential: String {
        case tokenMissing = "token_missing"
        case tokenMismatch = "token_mismatch"
        case passwordMissing = "password_missing"
        case passwordMismatch = "password_mismatch"
        case deviceTokenMismatch = "device_token_mismatch"
        case scopeMismatch = "scope_mismatch"
        case bootstrapTokenInvalid = "bootstrap_token_invalid"
        case rateLimited = "rate_limited"

        fileprivate var text: (code: String, words: String, next: String) {
            let token = "(provide gateway auth token)"
            let password = "(provide gateway auth password)"
            return switch self {
            case .tokenMissing: ("TOKEN_MISSING", "gateway token missing \(token)", "update_auth_configuration")
            case .tokenMismatch: ("TOKEN_MISMATCH", "gateway token mismatch \(token)", "update_auth_credentials")
            case .passwordMissing:
                ("PASSWORD_MISSING", "gateway password missing \(password)", "update_auth_configuration")
            case .passwordMismatch:
                ("PASSWORD_MISMATCH", "gateway password mismatch \(password)", "update_auth_credentials")
            case .deviceTokenMismatch:
                (
                    "DEVICE_TOKEN_MISMATCH", "device token mismatch (rotate/reissue device token)",
                    "update_auth_credentials"
                )
            case .scopeMismatch:
                (
                    "SCOPE_MISMATCH", "device token scope mismatch (re-pair or approve scope upgrade)",
                    "review_auth_configuration"
                )
            case .bootstrapTokenInvalid:
                (
                    "BOOTSTRAP_TOKEN_INVALID", "bootstrap token invalid or expired (scan a fresh setup code)",
                    "review_auth_configuration"
                )
            case .rateLimited:
                ("RATE_LIMITED", "too many failed authentication attempts (retry later)", "wait_then_retry")
            }
        }
    }

    /// - Parameter canNameDeviceToken: Whether the device has a token, which it could send instead.
    static func unauthorized(_ credential: Credential, canNameDeviceToken: Bool = false) -> ConnectRefusal {
        let (code, words, next) = credential.text
        return ConnectRefusal(
            message: "unauthorized: \(words)",
            details: [
                "code": .string("AUTH_\(code)"), "authReason": .string(credential.rawValue),
                "canRetryWithDeviceToken": .bool(canNameDeviceToken),
                "recommendedNextStep": .string(canNameDeviceToken ? "retry_with_device_token" : next),
            ]
        )
    }
}
