internal import DNSSD

/// The question or registration that a reference is for. Interface 0 means all.
enum Inquiry: Hashable, Sendable {
    /// The instances of a type, or of one subtype of it (`_openclaw._tcp,_home`).
    case browse(type: String, domain: String)

    /// The SRV and TXT records of an instance, once.
    case resolve(ServiceInstance, interface: UInt32)

    /// The addresses of a host.
    case addresses(DomainName, AddressFamily, interface: UInt32)

    /// The TXT record of an instance, and its later changes.
    case text(ServiceInstance, interface: UInt32)

    /// The registration of a service. The TXT record is in its wire form.
    case register(name: String, type: ServiceType, port: UInt16, txt: [UInt8], interface: UInt32)

    var purpose: ReferenceQuota.Purpose {
        switch self {
        case .browse, .register: .standing
        case .text: .watch
        case .resolve, .addresses: .lookup
        }
    }
}
