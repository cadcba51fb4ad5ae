public import Scanning

/// A gateway of this host that is to be advertised.
public struct AdvertisedGateway: Hashable, Sendable {
    /// The address at which the gateway is asked.
    public let address: ProbeAddress

    /// The name to advertise, of a gateway that gives itself none; `nil` for its own.
    public let name: String?

    /// Creates one.
    ///
    /// - Throws: A problem if it cannot be advertised: those who find a gateway ask it at `/`.
    public init(_ address: ProbeAddress, name: String? = nil) throws(ConfigurationProblem) {
        guard address.resource == "/" else {
            throw ConfigurationProblem("expected a gateway at the path /, where those who find it ask, found another")
        }
        guard address.hasPort else {
            throw ConfigurationProblem("expected a gateway with its port, found \(address)")
        }
        self.address = address
        self.name = name
    }
}

extension [AdvertisedGateway] {
    /// Adds one.
    ///
    /// - Throws: A problem if it is there already: typed as a URL or not, it is one gateway.
    package mutating func add(_ gateway: AdvertisedGateway) throws(ConfigurationProblem) {
        guard !contains(where: { $0.address.description == gateway.address.description }) else {
            throw ConfigurationProblem("expected each gateway once, found \(gateway.address) again")
        }
        append(gateway)
    }
}
