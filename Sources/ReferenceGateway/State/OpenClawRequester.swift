internal import GatewayProtocol

/// The device that asks an OpenClaw gateway to be paired, and as what.
struct OpenClawRequester: Hashable, Sendable {
    /// The most bytes of what a stranger says of itself, and the most scopes.
    private static let limits = (bytes: 128, scopes: 32)

    let deviceID: String
    let role: String
    let scopes: Set<String>

    /// - Parameter params: Those of `connect`.
    init(_ params: JSONValue?) {
        func text(_ value: JSONValue?) -> String? { value?.string?.cut(toBytes: Self.limits.bytes) }

        deviceID = text(params?["device"]?["id"]) ?? ""
        role = text(params?["role"]) ?? "operator"
        scopes = Set((params?["scopes"]?.array ?? []).prefix(Self.limits.scopes).compactMap { text($0) })
    }
}
