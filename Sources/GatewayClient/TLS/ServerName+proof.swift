internal import DNSSD

/// The comparison of the host name that a peer has to prove with the names in its certificate (RFC 9525).
///
/// The TLS library compares as well, and accepts more: the address that the host name led to, which anybody who answers
/// for DNS chooses; the common name, where there is no other; and a wildcard within a label.
extension ServerName {
    /// Indicates whether a certificate with this `dNSName` is one for the host. A wildcard is the whole left-most
    /// label, and stands for one label.
    func isProved(by name: some Sequence<UInt8>) -> Bool {
        guard let labels = Self.labels(description.utf8), let names = Self.labels(name), names.count == labels.count
        else { return false }
        if names == labels { return true }
        return names.count > 1 && names[0] == [UInt8(ascii: "*")] && names.dropFirst() == labels.dropFirst()
    }
}
