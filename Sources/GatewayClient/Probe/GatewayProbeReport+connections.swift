package import DNSSD
package import GatewayProtocol

extension GatewayProbeReport {
    /// Returns the largest number of connections that may have been made to each address, for callers that limit the
    /// connections to an address.
    ///
    /// - Parameter endpoints: The endpoints of the target.
    package func connections(to endpoints: [Endpoint]) -> [IPAddress: Int] {
        var counts: [IPAddress: Int] = [:]
        for step in steps where step.kind == .connect { counts[step.endpoint.address, default: 0] += 1 }
        // An attempt that lost the race is not among the steps.
        let mayHaveRaced = elapsed >= AddressRace.headStart
        for endpoint in endpoints where counts[endpoint.address] == nil && mayHaveRaced { counts[endpoint.address] = 1 }
        return counts
    }
}
