package import GatewayProtocol
internal import SafeFiles
internal import SystemPackage

/// A file with one secret in it, which only its owner can read.
package enum SecretFile {
    /// Reads the secret: the content of the file without trailing line breaks.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`, also when others could read it.
    package static func read(_ path: String) throws(ReferenceGatewayError) -> Secret {
        let bytes: [UInt8]?
        do throws(SafeFileError) {
            bytes = try SafeFile(path: FilePath(path)).read(limit: 4_096)
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(error)")
        }
        let secret = Array((bytes ?? []).reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())
        guard !secret.isEmpty else {
            throw ReferenceGatewayError(.unreadableState, "\(path): expected a secret, found nothing.")
        }
        return Secret(bytes: secret)
    }
}
