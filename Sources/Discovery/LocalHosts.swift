package import DNSSD
internal import OneShotQuery

/// The hosts on the link by their names, for programs on systems whose resolver does not know `.local`.
package enum LocalHosts {
    /// Returns the addresses of a host by multicast DNS, which anybody on the link may have made up; none when there is
    /// no answer in time.
    ///
    /// - Parameters:
    ///   - name: The host, such as `studio.local`.
    ///   - limit: The time that this may take.
    package static func addresses(of name: DomainName, within limit: Duration) async -> [IPAddress] {
        await HostLookup.addresses(of: name, within: limit)
    }
}
