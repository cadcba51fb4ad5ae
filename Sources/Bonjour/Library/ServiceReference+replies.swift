internal import CDNSServiceDiscovery
internal import Glibc

/// The callbacks: each finds its ``ReferenceEvents``, and adds a copy of what the library passes to it.
extension ServiceReference {
    static let instanceReply: BrowseReply = { _, flags, interface, error, name, type, domain, context in
        let events = ReferenceEvents.at(context)
        if let error = DNSServiceError(error) {
            events?.append(.failed(error))
        } else {
            events?.append(
                .instance(
                    isAdded: isAdded(flags),
                    name: text(name),
                    type: text(type),
                    domain: text(domain),
                    interface: interface
                )
            )
        }
    }

    static let resolveReply: ResolveReply = { _, _, _, error, _, host, port, count, txt, context in
        let events = ReferenceEvents.at(context)
        if let error = DNSServiceError(error) {
            events?.append(.failed(error))
        } else {
            let txt = Array(UnsafeBufferPointer(start: txt, count: txt == nil ? 0 : Int(count)))
            events?.append(.resolved(host: text(host), port: UInt16(bigEndian: port), txt: txt))
        }
    }

    static let recordReply: RecordReply = { _, flags, _, error, _, _, _, count, data, _, context in
        let events = ReferenceEvents.at(context)
        if let error = DNSServiceError(error) {
            events?.append(.failed(error))
        } else {
            let data = Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(count)))
            events?.append(.record(isAdded: isAdded(flags), data: data))
        }
    }

    static let addressReply: AddressReply = { _, flags, _, error, _, address, _, context in
        let events = ReferenceEvents.at(context)
        if let error = DNSServiceError(error) {
            // Apple's library reports in this way that the host has no address of the family; others may follow.
            if error != .noSuchRecord { events?.append(.failed(error)) }
        } else if let address {
            events?.append(.record(isAdded: isAdded(flags), data: bytes(of: address)))
        }
    }

    static let registerReply: RegisterReply = { _, _, error, name, _, _, context in
        let events = ReferenceEvents.at(context)
        if let error = DNSServiceError(error) {
            events?.append(.failed(error))
        } else {
            events?.append(.registered(name: text(name)))
        }
    }

    private static func isAdded(_ flags: DNSServiceFlags) -> Bool {
        flags & UInt32(kDNSServiceFlagsAdd) != 0
    }

    /// Returns a C string as a Swift string; `nil` when it is not UTF-8.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.flatMap { String(validatingCString: $0) }
    }

    /// Returns the bytes of the address in a `sockaddr`; empty for any other family.
    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8] {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { Array($0) }
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: address) { Array($0) }
        default:
            return []
        }
    }
}
