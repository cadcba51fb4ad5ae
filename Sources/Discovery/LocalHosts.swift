package import DNSSD
internal import OneShotQuery

/// The hosts of the link by their names, for a program on a system whose resolver knows nothing of `.local`.
package enum LocalHosts {
    /// The addresses of a host by multicast DNS, as anybody on the link may have made them up; none when nobody answers in
    /// time.
    ///
    /// - Parameters:
    ///   - name: The host, such as `studio.local`.
    ///   - limit: How long it may take.
    package static func addresses(of name: DomainName, within limit: Duration) async -> [IPAddress] {
        await HostLookup.addresses(of: name, within: limit)
    }
}
