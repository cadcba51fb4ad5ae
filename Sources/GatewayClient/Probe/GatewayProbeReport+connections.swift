public import DNSSD
public import GatewayProtocol

extension GatewayProbeReport {
    /// Returns the number of connections that were made to each address, at most: for those who limit how many an address
    /// sees.
    ///
    /// - Parameter endpoints: Those of the target.
    public func connections(to endpoints: [Endpoint]) -> [IPAddress: Int] {
        var counts: [IPAddress: Int] = [:]
        for step in steps where step.kind == .connect { counts[step.endpoint.address, default: 0] += 1 }
        // An attempt that another one overtook is not among the steps.
        let mayHaveRaced = elapsed >= AddressRace.headStart
        for endpoint in endpoints where counts[endpoint.address] == nil && mayHaveRaced { counts[endpoint.address] = 1 }
        return counts
    }
}
