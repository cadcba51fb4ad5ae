internal import DNSSD

/// The DNS-SD identity of a service in JSON; the name is not escaped.
struct InstanceOutput: Encodable, Hashable {
    let instance: String
    let type: String
    let domain: String

    init(_ instance: ServiceInstance) {
        self.instance = instance.name
        self.type = instance.type.description
        self.domain = instance.domain
    }
}
