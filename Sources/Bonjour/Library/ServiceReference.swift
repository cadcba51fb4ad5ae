internal import CDNSServiceDiscovery
internal import DNSSD
internal import HostSystem

/// One `DNSServiceRef`: a question or a registration, with its descriptor. Used on the thread of the loop only.
///
/// A reference that has reported a failure may only be freed: that is the library's rule when a daemon has gone. It is
/// never freed inside a callback, since callbacks only store events, see ``ReferenceEvents``.
final class ServiceReference {
    /// Owned: freed once, by ``free()``.
    private let reference: Reference
    private let events: ReferenceEvents
    private let loop: SocketLoop
    private let pool: ReferencePool

    /// The descriptor to wait for. It belongs to the library.
    let descriptor: CInt

    /// Starts a question or a registration.
    ///
    /// - Returns: `nil` when the pool has no reference for it.
    /// - Throws: The library's error.
    init?(_ inquiry: Inquiry, on loop: SocketLoop, from pool: ReferencePool) throws(DNSServiceError) {
        guard pool.take(for: inquiry.purpose) else { return nil }
        LibrarySymbols.prepare()
        let events = ReferenceEvents()
        var reference: Reference?
        let result = loop.blocking {
            // Even if the call fails, the library may use the address while it runs.
            withExtendedLifetime(events) { Self.start(inquiry, &reference, events.pointer) }
        }
        // If the call failed, the library has freed the reference itself.
        guard let reference, DNSServiceError(result) == nil else {
            pool.giveBack()
            throw DNSServiceError(result) ?? .unknown
        }
        let descriptor = reference.descriptor
        guard descriptor >= 0 else {
            loop.blocking { reference.free() }
            pool.giveBack()
            throw .unknown
        }
        self.reference = reference
        self.events = events
        self.descriptor = descriptor
        self.loop = loop
        self.pool = pool
    }

    /// Returns the events that have come. Call it only when the descriptor is readable: it blocks otherwise.
    func read() -> [ReferenceEvent] {
        let result = loop.blocking { reference.processResult() }
        return events.take() + (DNSServiceError(result).map { [.failed($0)] } ?? [])
    }

    /// Replaces the TXT record of a registration.
    func updateTXT(_ data: [UInt8]) throws(DNSServiceError) {
        let result = loop.blocking {
            reference.updateRecord(record: nil, flags: 0, count: UInt16(clamping: data.count), data: data, ttl: 0)
        }
        if let error = DNSServiceError(result) { throw error }
    }

    /// Ends the question, or withdraws the registration. The reference must not be used afterwards.
    func free() {
        loop.blocking { reference.free() }
        pool.giveBack()
    }

    // MARK: Calls

    private static func start(
        _ inquiry: Inquiry,
        _ reference: inout Reference?,
        _ context: UnsafeMutableRawPointer
    ) -> ErrorNumber {
        switch inquiry {
        case .browse(let type, let domain):
            return CDNSServiceDiscovery.browse(
                &reference,
                flags: 0,
                interface: 0,
                type: type,
                domain: domain,
                reply: instanceReply,
                context: context
            )
        case .resolve(let name, let interface):
            return CDNSServiceDiscovery.resolve(
                &reference,
                flags: 0,
                interface: interface,
                name: name.name,
                type: name.type.description,
                domain: name.domain,
                reply: resolveReply,
                context: context
            )
        case .addresses(let host, let family, let interface):
            if let ask = LibrarySymbols.getAddressInfo {
                // kDNSServiceProtocol_IPv4 and kDNSServiceProtocol_IPv6, which Avahi's header lacks.
                let result = ask(&reference, 0, interface, family == .ipv4 ? 1 : 2, host.escaped, addressReply, context)
                if result.rawValue != DNSServiceError.unsupported.rawValue { return result }
                reference = nil
            }
            let type = UInt16(family == .ipv4 ? kDNSServiceType_A : kDNSServiceType_AAAA)
            return query(&reference, host.escaped, type, interface, context)
        case .text(let name, let interface):
            return query(&reference, name.fullName, UInt16(kDNSServiceType_TXT), interface, context)
        case .register(let name, let type, let port, let txt, let interface):
            return CDNSServiceDiscovery.register(
                &reference,
                flags: 0,
                interface: interface,
                name: name,
                type: type.description,
                domain: nil,
                host: nil,
                port: port.bigEndian,
                count: UInt16(clamping: txt.count),
                txt: txt,
                reply: registerReply,
                context: context
            )
        }
    }

    private static func query(
        _ reference: inout Reference?,
        _ name: String,
        _ type: UInt16,
        _ interface: UInt32,
        _ context: UnsafeMutableRawPointer
    ) -> ErrorNumber {
        queryRecord(
            &reference,
            flags: 0,
            interface: interface,
            name: name,
            type: type,
            class: UInt16(kDNSServiceClass_IN),
            reply: recordReply,
            context: context
        )
    }
}
