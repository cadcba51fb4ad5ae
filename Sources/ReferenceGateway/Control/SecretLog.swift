internal import GatewayProtocol
internal import SystemPackage

/// The file in which a gateway records every secret that it receives, and its sender: for tests only.
///
/// Each is one line of JSON: `at` (milliseconds since 1970), `connection`, `peer`, `field` and `secret`.
package struct SecretLog: Sendable {
    private let path: FilePath

    /// Makes the file, which only its owner may read, or continues an existing one.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unwritableState`.
    package init(path: String) throws(ReferenceGatewayError) {
        self.path = FilePath(path)
        try append([])
    }

    /// Records the secrets of a message.
    func note(_ message: [UInt8], from peer: GatewayPeer, at time: GatewayTime) throws(ReferenceGatewayError) {
        let lines = ReceivedSecret.find(in: message).flatMap { secret in
            JSONValue.object([
                "at": .number(JSONNumber(time.date)), "connection": .number(JSONNumber(peer.connection)),
                "peer": .string(peer.address), "field": .string(secret.field), "secret": .string(secret.text),
            ]).encoded + [UInt8(ascii: "\n")]
        }
        if !lines.isEmpty { try append(lines) }
    }

    private func append(_ bytes: [UInt8]) throws(ReferenceGatewayError) {
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.append, .create, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            throw ReferenceGatewayError(.unwritableState, "\(path) cannot be written: \(error).")
        }
    }
}
