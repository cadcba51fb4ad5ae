internal import DNSSD

/// The paths at which a gateway is asked: all are at or below the path of its endpoint, since behind a front every other
/// path is somebody else's.
struct GatewayPages: Hashable, Sendable {
    /// The path of its WebSocket.
    let webSocket: String

    /// Creates the paths of an endpoint, by default those of one without a path.
    init(_ endpoint: Endpoint? = nil) {
        webSocket = endpoint?.resource ?? "/"
    }

    /// Indicates whether the gateway has the whole server, so that whatever that answers is from the gateway.
    var isWholeServer: Bool { webSocket == "/" }

    /// The page that says how an OpenClaw gateway is.
    var health: String { page("healthz") }

    /// The pages that say whether an OpenClaw gateway can do its work, and whether it has started.
    var readiness: String { page("readyz") }
    var startup: String { page("startupz") }

    /// The page that names the version of a Clawline gateway.
    var version: String { page("version") }

    private func page(_ name: String) -> String {
        let path = webSocket.prefix { $0 != "?" }
        return path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }
}
