internal import DNSSD
internal import Scanning

/// A gateway that the settings name, with the places to which the name leads, as far as they are known. A value.
struct NamedPlace: Hashable, Sendable {
    /// The key by which it is watched. It comes from the settings alone: what answers there, and whether anything does, can
    /// be another thing from one run of the agent to the next.
    let key: String

    /// The address as the settings have it.
    let text: String

    /// The places; none while the addresses of a host name are not known.
    var endpoints: Set<Endpoint>

    /// - Parameter found: The places to which a host name leads.
    init(_ address: ProbeAddress, _ found: Set<Endpoint> = []) {
        text = address.resource == "/" ? "\(address)" : "\(address)\(address.resource)"
        if let literal = IPAddress(address.host) {
            let endpoint = address.endpoint(at: literal)
            key = "endpoint:\(endpoint)"
            endpoints = found.union([endpoint])
        } else {
            key = "endpoint:\(text.lowercased())"
            endpoints = found
        }
    }
}
