package import GatewayProtocol
internal import HostSystem

extension Secret {
    /// Reads a secret that was typed or piped in.
    ///
    /// - Parameter source: A description of where it comes from, for people.
    package init(typed bytes: [UInt8], _ source: String) throws(CommandFailure) {
        do throws(SecretText.Problem) {
            let text = try SecretText(bytes)
            defer { text.bytes.wipe() }
            self.init(bytes: text.bytes)
        } catch {
            throw CommandFailure(.unavailable, "\(source): \(error).")
        }
    }
}
