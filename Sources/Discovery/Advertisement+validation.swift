internal import DNSSD

extension Advertisement {
    /// Checks that the advertisement can be published.
    func validate() throws(BackendError) {
        let bytes = name.utf8
        guard (1...63).contains(bytes.count) else {
            throw BackendError(
                .invalid,
                "an instance name has 1 to 63 bytes (RFC 6763 §4.1.1); \"\(name)\" has \(bytes.count)."
            )
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw BackendError(.invalid, "an instance name has no control characters (RFC 6763 §4.1.1).")
        }
        guard !types.isEmpty else { throw BackendError(.invalid, "there is no service type to publish under.") }
        guard port > 0 else { throw BackendError(.invalid, "port 0 cannot be connected to; give 1 to 65535.") }
        do {
            _ = try txt.encoded()
        } catch {
            throw BackendError(.invalid, "\(error)")
        }
    }
}
