package import Scanning

/// A gateway of this host that is to be advertised.
package struct AdvertisedGateway: Hashable, Sendable {
    /// The address at which the gateway is asked.
    package let address: ProbeAddress

    /// The name to advertise, of a gateway that gives itself none; `nil` for its own.
    package let name: String?

    /// The zone in which it is published; `nil` for the LAN.
    package let zone: ZoneSetting?

    /// Creates one.
    ///
    /// - Throws: A problem if it cannot be advertised: those who find a gateway ask it at `/`.
    package init(_ address: ProbeAddress, name: String? = nil) throws(ConfigurationProblem) {
        try self.init(address, name: name, zone: nil)
    }

    /// Creates one that is published in a zone, if one is named.
    package init(_ address: ProbeAddress, name: String?, zone: ZoneSetting?) throws(ConfigurationProblem) {
        guard address.resource == "/" else {
            throw ConfigurationProblem("expected a gateway at the path /, where those who find it ask, found another")
        }
        guard address.hasPort else {
            throw ConfigurationProblem("expected a gateway with its port, found \(address)")
        }
        self.address = address
        self.name = name
        self.zone = zone
    }
}

extension [AdvertisedGateway] {
    /// Adds one.
    ///
    /// - Throws: A problem if it is there already: typed as a URL or not, it is one gateway. It may be on the LAN and in zones.
    package mutating func add(_ gateway: AdvertisedGateway) throws(ConfigurationProblem) {
        guard
            !contains(where: {
                $0.address.description == gateway.address.description && $0.zone?.domain == gateway.zone?.domain
            })
        else {
            throw ConfigurationProblem("expected each gateway once, found \(gateway.address) again")
        }
        append(gateway)
    }
}
