internal import GatewayProtocol

/// A generation of OpenClaw gateways, distinguished by what it demands of clients.
package enum OpenClawEra: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Clawdbot 2026.1.24: protocol 3, no details of errors, signatures of the first and second version.
    case january2026 = "2026.1"
    /// OpenClaw 2026.4.12: protocol 3, details of errors, no lock-outs.
    case april2026 = "2026.4"
    /// OpenClaw 2026.7.2: protocol 4, lock-outs, pings.
    case july2026 = "2026.7"
    /// OpenClaw 2026.8.1: lock-outs say until when, and readiness is told on its own host alone.
    case august2026 = "2026.8"

    /// Returns whether the first era came before the second.
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Returns whether it has a method of the newest gateways.
    func has(_ method: String) -> Bool {
        switch method {
        case "device.pair.remove": self != .january2026
        case "device.pair.setupCode": self >= .july2026
        default: true
        }
    }

    /// The scope that an operator needs for the requests of other devices. With `operator.pairing`, newer gateways show a
    /// device its own alone.
    var scopeForOthers: String { self >= .july2026 ? OperatorScopes.admin : OperatorScopes.pairing }

    /// Indicates whether a setup code is accepted only for the scopes that it opens.
    var boundsSetupCodes: Bool { self >= .july2026 }

    /// The version of the protocol that it speaks.
    var protocolVersion: Int { self >= .july2026 ? 4 : 3 }

    /// The oldest protocol that a client of mode `probe`, or a node, may offer as its newest.
    var oldestProbeProtocol: Int { 3 }

    /// The version that its `hello-ok` names.
    var serverVersion: String {
        switch self {
        case .january2026: "dev"
        case .april2026: "2026.4.12"
        case .july2026: "2026.7.2"
        case .august2026: "2026.8.1"
        }
    }

    /// The allowed difference between the time of a device's signature and our clock, in milliseconds.
    var signatureTolerance: Int { self == .january2026 ? 600_000 : 120_000 }

    /// Indicates whether refusals have details, with a code to branch on.
    var hasErrorDetails: Bool { self != .january2026 }

    /// Indicates whether failed attempts lock an address out.
    var limitsRate: Bool { self >= .july2026 }

    /// Indicates whether a lock-out says how long it lasts.
    var tellsLockout: Bool { self >= .august2026 }

    /// Indicates whether a refusal for want of a scope has a code of its own, and names the scope in its details.
    var namesMissingScopes: Bool { self >= .august2026 }

    /// Indicates whether a gateway that demands a secret keeps its readiness from clients on other hosts.
    var hidesReadiness: Bool { self >= .august2026 }

    /// Indicates whether a device whose token is withdrawn loses its connections, and may not have another token without
    /// being approved again.
    var withdrawsTokens: Bool { self != .january2026 }

    /// Indicates whether a gateway that is still starting refuses clients with that reason.
    var refusesWhileStarting: Bool { self >= .july2026 }

    /// Indicates whether platform and device family are pinned when a device is approved.
    var pinsMetadata: Bool { self != .january2026 }

    /// The time between two pings of a session, in milliseconds; `nil` if it sends none.
    var pingInterval: Int? { self >= .july2026 ? 25_000 : nil }

    /// The modes that a client may name.
    var clientModes: [String] {
        let all = ["webchat", "cli", "ui", "backend", "node", "probe", "test"]
        return self == .january2026 ? all : all + ["worker"]
    }

    /// The identifiers that a client may name.
    var clientIDs: [String] {
        let all = ["webchat-ui", "webchat", "cli", "gateway-client", "node-host", "test", "fingerprint"]
        return switch self {
        case .january2026:
            all + [
                "clawdbot-control-ui", "clawdbot-macos", "clawdbot-ios", "clawdbot-android", "clawdbot-probe",
            ]
        case .april2026:
            all + [
                "openclaw-control-ui", "openclaw-tui", "openclaw-macos", "openclaw-ios", "openclaw-android",
                "openclaw-probe",
            ]
        case .july2026, .august2026:
            all + [
                "openclaw-control-ui", "openclaw-tui", "openclaw-macos", "openclaw-ios", "openclaw-watchos",
                "openclaw-android", "openclaw-worker", "openclaw-probe",
            ]
        }
    }

    /// The identifiers of clients that run in browsers, which must send their origin.
    static let browserClientIDs: Set<String> = ["openclaw-control-ui", "clawdbot-control-ui", "webchat-ui", "webchat"]
}
