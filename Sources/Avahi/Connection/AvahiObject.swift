internal import CAvahiClient
internal import CAvahiCommon
internal import DNSSD

/// One object that the daemon keeps for us: a browser, a resolver or an entry group.
///
/// It is owned by a session, on the thread of the poll loop. Freeing its client frees it too: after that, ``free()``
/// must not be called.
struct AvahiObject {
    private enum Handle {
        case serviceBrowser(ServiceBrowser)
        case serviceResolver(ServiceResolver)
        case recordBrowser(RecordBrowser)
        case entryGroup(EntryGroup)
    }

    private let handle: Handle

    /// The context that is passed to the callback. The object's owner keeps it alive for as long as the C object lives.
    private let context: ObjectContext

    /// Browses for the instances of a service type on every interface and family.
    static func serviceBrowser(
        _ client: Client,
        type: String,
        domain: String,
        context: ObjectContext
    ) -> AvahiObject? {
        ServiceBrowser(
            client: client,
            interface: .any,
            family: .any,
            type: type,
            domain: domain,
            flags: .useMulticast,
            callback: { _, interface, family, event, name, type, domain, flags, context in
                guard let context = ObjectContext.at(context) else { return }
                switch event {
                case .new, .remove:
                    guard let path = AvahiPath(interface, family) else { return }
                    context.deliver(
                        .instance(
                            event == .new ? .new : .remove,
                            name: name.flatMap { String(validatingCString: $0) },
                            type: type.flatMap { String(validatingCString: $0) },
                            domain: domain.flatMap { String(validatingCString: $0) },
                            on: path,
                            isOurs: flags.contains(.ourOwn),
                            isOwn: flags.contains(.local)
                        )
                    )
                case .cacheExhausted: context.deliver(.cacheExhausted)
                case .allForNow: context.deliver(.allForNow)
                case .failure: context.deliver(.failed(.failure))
                }
            },
            userData: context.pointer
        ).map { AvahiObject(handle: .serviceBrowser($0), context: context) }
    }

    /// Looks up the SRV and TXT records of an instance on one path, in one call, without the addresses: those of hosts
    /// are watched anyway.
    static func serviceResolver(
        _ client: Client,
        name: String,
        type: String,
        domain: String,
        on path: AvahiPath,
        context: ObjectContext
    ) -> AvahiObject? {
        ServiceResolver(
            client: client,
            interface: InterfaceIndex(rawValue: path.interface),
            family: ProtocolFamily(path.family),
            name: name,
            type: type,
            domain: domain,
            addressFamily: .any,
            flags: [.useMulticast, .noAddress],
            callback: { _, _, _, event, _, _, _, host, _, port, txt, _, context in
                guard let context = ObjectContext.at(context) else { return }
                switch event {
                case .found:
                    let host = host.flatMap { String(validatingCString: $0) }
                    context.deliver(.resolved(host: host, port: port, txt: TXTStringList.strings(txt)))
                case .failure:
                    context.deliver(.failed(.failure))
                }
            },
            userData: context.pointer
        ).map { AvahiObject(handle: .serviceResolver($0), context: context) }
    }

    /// Watches the records of one name and type on every interface and family.
    ///
    /// - Parameter name: An escaped domain name.
    static func recordBrowser(
        _ client: Client,
        name: String,
        type: RecordType,
        context: ObjectContext
    ) -> AvahiObject? {
        RecordBrowser(
            client: client,
            interface: .any,
            family: .any,
            name: name,
            class: UInt16(AVAHI_DNS_CLASS_IN),
            type: type.rawValue,
            flags: .useMulticast,
            callback: { _, interface, family, event, _, _, _, data, size, _, context in
                guard let context = ObjectContext.at(context) else { return }
                switch event {
                case .new, .remove:
                    guard let path = AvahiPath(interface, family) else { return }
                    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
                    context.deliver(.record(event == .new ? .new : .remove, data: [UInt8](bytes), on: path))
                case .cacheExhausted: context.deliver(.cacheExhausted)
                case .allForNow: context.deliver(.allForNow)
                case .failure: context.deliver(.failed(.failure))
                }
            },
            userData: context.pointer
        ).map { AvahiObject(handle: .recordBrowser($0), context: context) }
    }

    /// Makes an empty entry group.
    static func entryGroup(_ client: Client, context: ObjectContext) -> AvahiObject? {
        EntryGroup(
            client: client,
            callback: { _, state, context in
                guard let context = ObjectContext.at(context) else { return }
                switch state {
                case .uncommitted: break
                case .registering: context.deliver(.groupRegistering)
                case .established: context.deliver(.groupEstablished)
                case .collision: context.deliver(.groupCollision)
                case .failure: context.deliver(.failed(.failure))
                @unknown default: context.deliver(.failed(.failure))
                }
            },
            userData: context.pointer
        ).map { AvahiObject(handle: .entryGroup($0), context: context) }
    }

    /// The entry group, if it is one.
    var group: EntryGroup? {
        if case .entryGroup(let group) = handle { group } else { nil }
    }

    /// Makes the daemon forget the object. May block.
    func free() {
        switch handle {
        case .serviceBrowser(let browser): _ = browser.free()
        case .serviceResolver(let resolver): _ = resolver.free()
        case .recordBrowser(let browser): _ = browser.free()
        case .entryGroup(let group): _ = group.free()
        }
    }
}

extension InterfaceIndex {
    /// Every interface: `AVAHI_IF_UNSPEC`.
    static var any: InterfaceIndex { InterfaceIndex(rawValue: Int32(AVAHI_IF_UNSPEC)) }
}

extension ProtocolFamily {
    init(_ family: AddressFamily) {
        switch family {
        case .ipv4: self.init(rawValue: Int32(AVAHI_PROTO_INET))
        case .ipv6: self.init(rawValue: Int32(AVAHI_PROTO_INET6))
        }
    }

    /// Both families: `AVAHI_PROTO_UNSPEC`.
    static var any: ProtocolFamily { ProtocolFamily(rawValue: Int32(AVAHI_PROTO_UNSPEC)) }
}

extension AvahiPath {
    /// The path that a callback names; `nil` when it names none.
    fileprivate init?(_ interface: InterfaceIndex, _ family: ProtocolFamily) {
        switch Int(family.rawValue) {
        case AVAHI_PROTO_INET: self.init(interface: interface.rawValue, family: .ipv4)
        case AVAHI_PROTO_INET6: self.init(interface: interface.rawValue, family: .ipv6)
        default: return nil
        }
    }
}

/// The number of an object in its session; never used twice.
struct ObjectID: Hashable, Sendable {
    let rawValue: Int
}
