internal import DNSSD

/// One of the registrations of a publication: a type on an interface; 0 is all interfaces.
struct RegistrationKey: Hashable, Sendable {
    let type: ServiceType
    let interface: UInt32
}
