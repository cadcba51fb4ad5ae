package import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// A file with one secret in it, which only its owner can read.
package enum SecretFile {
    /// Reads the secret: the content of the file without white space around it.
    ///
    /// - Throws: ``ReferenceGatewayError`` `unreadableState`, also when others could read it.
    package static func read(_ path: String) throws(ReferenceGatewayError) -> Secret {
        let text: SecretText?
        do throws(SafeFileError) {
            text = try SecretText.read(FilePath(path), limit: 4_096)
        } catch {
            throw ReferenceGatewayError(.unreadableState, "\(error)")
        }
        guard let text, !text.bytes.isEmpty else {
            throw ReferenceGatewayError(.unreadableState, "\(path): expected a secret, found nothing.")
        }
        return Secret(bytes: text.bytes)
    }
}
