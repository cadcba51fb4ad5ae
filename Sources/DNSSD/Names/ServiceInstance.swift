/// The identity of one DNS-SD service instance: name, type and domain (RFC 6763 §4.1).
///
/// The name comes from the network and can hold anything, including controls; clean it with ``DisplayText`` before
/// showing it to a person. Two instances are equal when their bytes are, with ASCII letters folded (RFC 6762 §16).
public struct ServiceInstance: Sendable, CustomStringConvertible {
    /// The storage of the parts. Every table of services uses instances as keys, and most tables hold the same ones:
    /// sharing the parts saves copies, and their hash is computed only once.
    private final class Parts: Sendable {
        let name: String
        let type: ServiceType
        let domain: String
        let hash: Int

        init(_ name: String, _ type: ServiceType, _ domain: String) {
            self.name = name
            self.type = type
            self.domain = domain
            var hasher = Hasher()
            ASCIICase.hash(name.utf8, into: &hasher)
            hasher.combine(type)
            ASCIICase.hash(domain.utf8, into: &hasher)
            self.hash = hasher.finalize()
        }
    }

    private let parts: Parts

    /// The instance name exactly as on the network, 1–63 bytes of UTF-8, not escaped.
    public var name: String { parts.name }

    /// The type of the service, always without subtypes.
    public var type: ServiceType { parts.type }

    /// The domain of the service, escaped, without the trailing dot.
    public var domain: String { parts.domain }

    /// Creates an instance from its parts.
    ///
    /// - Parameters:
    ///   - name: The instance name, not escaped.
    ///   - type: The service type; its subtypes are dropped.
    ///   - domain: The domain, escaped where necessary, with or without the trailing dot.
    /// - Throws: ``DNSSDError`` if the name or the domain is not valid.
    public init(name: String, type: ServiceType, domain: String = "local") throws(DNSSDError) {
        guard (1...DomainName.maximumLabelLength).contains(name.utf8.count) else {
            throw .invalidInstanceName(count: name.utf8.count)
        }
        if domain == "local" {
            // Nearly every instance: even with the longest name and type the full name is short enough.
            self.parts = Parts(name, type.base, domain)
        } else {
            let parsed: DomainName
            do { parsed = try DomainName(escaped: domain) } catch { throw .invalidInstanceDomain(error) }
            guard !parsed.isRoot else { throw .missingInstanceDomain }
            self.parts = Parts(name, type.base, parsed.escaped)
            guard fullLength(domain: parsed) <= DomainName.maximumWireLength else {
                throw .invalidInstanceDomain(.domainNameTooLong)
            }
        }
    }

    /// The name cleaned for people, with type and domain. Machines use ``fullName``.
    public var description: String { "\(DisplayText(name)).\(type).\(domain)" }

    private func fullLength(domain: DomainName) -> Int {
        // The length bytes of the name, of "_name" and of "_tcp", and the underscores.
        name.utf8.count + 1 + type.name.utf8.count + 2 + 5 + domain.wire.count
    }
}

extension ServiceInstance: Hashable, Comparable {
    public static func == (lhs: ServiceInstance, rhs: ServiceInstance) -> Bool {
        if lhs.parts === rhs.parts { return true }
        return lhs.parts.hash == rhs.parts.hash && ASCIICase.equal(lhs.name.utf8, rhs.name.utf8)
            && lhs.type == rhs.type && ASCIICase.equal(lhs.domain.utf8, rhs.domain.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts.hash)
    }

    /// Orders by name, then type, then domain, each by bytes with ASCII letters folded.
    public static func < (lhs: ServiceInstance, rhs: ServiceInstance) -> Bool {
        let order = ASCIICase.order(lhs.name.utf8, rhs.name.utf8)
        if order != 0 { return order < 0 }
        if lhs.type != rhs.type { return lhs.type < rhs.type }
        return ASCIICase.order(lhs.domain.utf8, rhs.domain.utf8) < 0
    }
}
