internal import CAvahiClient
internal import CAvahiCommon
internal import DNSSD
internal import Glibc
internal import Logging

/// Runs a ``PublishStateMachine``: holds the one entry group and does with it what the machine wants.
final class PublishSession: AvahiSession {
    private let id: SessionID
    private let advertisement: Advertisement
    private let report: @Sendable (PublicationState) -> Void
    private var machine: PublishStateMachine

    /// The entry group; `nil` while there is no daemon, and before the first use.
    private var group: (object: AvahiObject, id: ObjectID)?

    private var lastObject = 0

    init(
        id: SessionID,
        advertisement: Advertisement,
        configuration: AvahiConfiguration,
        report: @escaping @Sendable (PublicationState) -> Void
    ) {
        self.id = id
        self.advertisement = advertisement
        self.report = report
        self.machine = PublishStateMachine(advertisement, maximumRenames: configuration.maximumRenames)
    }

    func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection) {
        switch condition {
        case .starting, .unavailable: group = nil
        case .up: break
        }
        perform(machine.daemonChanged(to: condition), on: connection)
    }

    func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection) {
        guard object == group?.id else { return }
        perform(machine.receive(event), on: connection)
    }

    /// Replaces the TXT record.
    func update(_ txt: TXTRecord, on connection: isolated AvahiConnection) {
        perform(machine.update(txt), on: connection)
    }

    func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection) {}

    func work(on connection: isolated AvahiConnection) -> Bool { false }

    var deadline: ContinuousClock.Instant? { nil }

    var clientCount: Int { 0 }

    var objectCount: Int { group == nil ? 0 : 1 }

    func end(on connection: isolated AvahiConnection) {
        guard let group else { return }
        // The daemon says goodbye for every record of the group (RFC 6762 §10.1).
        connection.loop.blocking { group.object.free() }
        self.group = nil
    }

    // MARK: Actions

    private func perform(_ actions: [PublishAction], on connection: isolated AvahiConnection) {
        for action in actions {
            switch action {
            case .report(let state):
                connection.logger.debug("publication: \(state)")
                report(state)
            case .reset:
                guard let group = group?.object.group else { break }
                connection.loop.blocking { _ = group.reset() }
            case .publish(let name, let txt):
                do throws(AvahiError) {
                    try publish(name, txt, on: connection)
                    perform(machine.added(nil), on: connection)
                } catch {
                    refused(error, on: connection)
                }
            case .updateTXT(let name, let txt):
                do throws(AvahiError) {
                    try update(name, txt, on: connection)
                } catch {
                    perform(machine.updated(error), on: connection)
                    failed(error, on: connection)
                }
            }
        }
    }

    private func refused(_ error: AvahiError, on connection: isolated AvahiConnection) {
        perform(machine.added(error), on: connection)
        failed(error, on: connection)
    }

    private func failed(_ error: AvahiError, on connection: isolated AvahiConnection) {
        switch error {
        case .disconnected, .dbus, .noDaemon: connection.clientFailed(error)
        default: break
        }
    }

    private func publish(
        _ name: String,
        _ txt: TXTRecord,
        on connection: isolated AvahiConnection
    ) throws(AvahiError) {
        let group = try emptyGroup(on: connection)
        let interfaces = try interfaceIndices()
        let list = try TXTStringList(txt)
        for type in advertisement.types {
            for interface in interfaces {
                try check(
                    connection.loop.blocking {
                        group.addService(
                            interface: interface,
                            family: .any,
                            flags: Self.flags,
                            name: name,
                            type: type.base.description,
                            domain: nil,
                            host: nil,
                            port: advertisement.port,
                            txt: list.head
                        )
                    }
                )
                for subtype in type.subtypes {
                    try check(
                        connection.loop.blocking {
                            group.addSubtype(
                                interface: interface,
                                family: .any,
                                // A subtype is a mere pointer: the daemon takes no flag about cookies here.
                                flags: .useMulticast,
                                name: name,
                                type: type.base.description,
                                domain: nil,
                                subtype: "\(subtype)._sub.\(type.base)"
                            )
                        }
                    )
                }
            }
        }
        try check(connection.loop.blocking { group.commit() })
    }

    private func update(
        _ name: String,
        _ txt: TXTRecord,
        on connection: isolated AvahiConnection
    ) throws(AvahiError) {
        guard let group = group?.object.group else { throw .disconnected }
        let list = try TXTStringList(txt)
        for type in advertisement.types {
            for interface in try interfaceIndices() {
                // The same interface, family, flags, name, type and domain as when it was added, or it is not found.
                try check(
                    connection.loop.blocking {
                        group.updateTXT(
                            interface: interface,
                            family: .any,
                            flags: Self.flags,
                            name: name,
                            type: type.base.description,
                            domain: nil,
                            txt: list.head
                        )
                    }
                )
            }
        }
    }

    /// The group, emptied; a new one where there is none.
    private func emptyGroup(on connection: isolated AvahiConnection) throws(AvahiError) -> EntryGroup {
        if let group = group?.object.group {
            // Kept and not replaced: the daemon limits the rate of commits per group.
            try check(connection.loop.blocking { group.reset() })
            return group
        }
        guard let client = connection.client, let handle = client.client else { throw .disconnected }
        lastObject += 1
        let id = ObjectID(rawValue: lastObject)
        let context = ObjectContext(connection: connection, session: self.id, object: id)
        let object = connection.loop.blocking { AvahiObject.entryGroup(handle, context: context) }
        guard let object, let group = object.group else { throw client.lastError }
        self.group = (object, id)
        return group
    }

    private func interfaceIndices() throws(AvahiError) -> [InterfaceIndex] {
        guard !advertisement.interfaces.isEmpty else { return [.any] }
        let indices = advertisement.interfaces.sorted().compactMap { name in
            let index = if_nametoindex(name)
            return index == 0 ? nil : InterfaceIndex(rawValue: Int32(index))
        }
        guard !indices.isEmpty else { throw .invalidInterface }
        return indices
    }

    /// The cookie that the daemon may be configured to add would not be what was asked for.
    private static var flags: PublishFlags { [.useMulticast, .noCookie] }
}

/// Turns a result code into an error.
private func check(_ code: Int32) throws(AvahiError) {
    guard code >= 0 else { throw AvahiError(rawValue: code) }
}
