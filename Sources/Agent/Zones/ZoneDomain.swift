package import DNSSD
internal import Discovery

/// A domain that can be published in, as a user writes it.
package enum ZoneDomain {
    /// Reads a domain.
    ///
    /// - Throws: A problem if it is none, or the one of multicast DNS.
    package static func read(_ text: String) throws(ConfigurationProblem) -> DomainName {
        guard let domain = try? DomainName(typed: text), domain.isZone else {
            throw ConfigurationProblem("expected a domain such as kitchen.example.org, found another text")
        }
        return domain
    }
}
