package import DNSSD

/// The condition of a ``Browser``, apart from the services that it sees.
package struct BrowserCondition: Hashable, Sendable {
    /// The status of the backend.
    package var status: BackendStatus

    /// The warnings that the user should know of, in the order in which they came up.
    package var warnings: [BackendWarning]

    /// The status of each domain that could not be browsed by unicast DNS at some time.
    package var domains: [DomainName: BackendStatus] = [:]

    /// The reasons why domains cannot be browsed now, for people.
    package var troubles: [String] {
        domains.sorted { $0.key < $1.key }.compactMap { _, status in
            if case .unavailable(let error) = status { error.message } else { nil }
        }
    }
}
