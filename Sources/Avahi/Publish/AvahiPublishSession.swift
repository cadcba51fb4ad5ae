internal import CAvahiClient
internal import CAvahiCommon
internal import DNSSD
internal import HostSystem
internal import Logging

/// Runs a ``AvahiPublishStateMachine``: holds the entry group, and for a while a second one, and carries out the machine's
/// actions on them.
final class AvahiPublishSession: AvahiSession {
    private typealias Group = (object: AvahiObject, id: ObjectID)

    private let id: SessionID
    private let advertisement: Advertisement
    private let report: @Sendable (PublicationState) -> Void
    private var machine: AvahiPublishStateMachine

    /// The entry group; `nil` while there is no daemon, and before the first use.
    private var group: Group?

    /// The second entry group, in which the wanted name is claimed while the first one publishes another name.
    private var claim: Group?

    /// The objects that look for owners of the wanted name.
    private var lookups: [ObjectID: AvahiObject] = [:]

    private var lastObject = 0

    init(
        id: SessionID,
        advertisement: Advertisement,
        report: @escaping @Sendable (PublicationState) -> Void
    ) {
        self.id = id
        self.advertisement = advertisement
        self.report = report
        self.machine = AvahiPublishStateMachine(advertisement)
    }

    func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection) {
        switch condition {
        case .starting, .unavailable:
            group = nil
            claim = nil
            lookups = [:]
        case .up: break
        }
        perform(machine.daemonChanged(to: condition), on: connection)
    }

    func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection) {
        if object == group?.id {
            perform(machine.receive(event, now: connection.clock.now), on: connection)
        } else if object == claim?.id {
            perform(machine.receiveFromClaim(event), on: connection)
        } else if lookups[object] != nil {
            switch event {
            case .record(let kind, data: _, on: _): machine.sawOwner(kind, now: connection.clock.now)
            // A failed look-up finds no owner, but that is no proof that there is none: the present name stays.
            case .failed: stopLooking(on: connection)
            case .allForNow: machine.lookedUp(now: connection.clock.now)
            default: break
            }
        }
    }

    /// Replaces the TXT record.
    func update(_ txt: TXTRecord, on connection: isolated AvahiConnection) {
        perform(machine.update(txt), on: connection)
    }

    func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection) {
        perform(machine.tick(now: now), on: connection)
    }

    func work(on connection: isolated AvahiConnection) -> Bool { false }

    var deadline: ContinuousClock.Instant? { machine.deadline }

    var clientCount: Int { 0 }

    var objectCount: Int { (group == nil ? 0 : 1) + (claim == nil ? 0 : 1) + lookups.count }

    func end(on connection: isolated AvahiConnection) {
        stopLooking(on: connection)
        for group in [group, claim].compactMap(\.self) {
            // The daemon sends goodbye packets for every record of the group (RFC 6762 §10.1).
            connection.loop.blocking { group.object.free() }
        }
        group = nil
        claim = nil
    }

    // MARK: Actions

    private func perform(_ actions: [AvahiPublishAction], on connection: isolated AvahiConnection) {
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
                    try publish(name, txt, in: emptyGroup(on: connection), on: connection)
                    perform(machine.added(nil, now: connection.clock.now), on: connection)
                } catch {
                    refused(error, on: connection)
                }
            case .lookFor(let name):
                look(for: name, on: connection)
            case .stopLooking:
                stopLooking(on: connection)
            case .claim(let name, let txt):
                do throws(AvahiError) {
                    try publish(name, txt, in: claimGroup(on: connection), on: connection)
                } catch {
                    perform(machine.claimed(error), on: connection)
                    failed(error, on: connection)
                }
            case .adopt:
                guard let claim else { break }
                if let group { connection.loop.blocking { group.object.free() } }
                group = claim
                self.claim = nil
            case .abandon:
                guard let claim else { break }
                connection.loop.blocking { claim.object.free() }
                self.claim = nil
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
        perform(machine.added(error, now: connection.clock.now), on: connection)
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
        in group: EntryGroup,
        on connection: isolated AvahiConnection
    ) throws(AvahiError) {
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
                                // A subtype is only a PTR record: the daemon takes no flag about cookies here.
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
                // Interface, family, flags, name, type and domain must be those with which it was added, or it is not
                // found.
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

    /// Returns the entry group, emptied, or a new one if there is none.
    private func emptyGroup(on connection: isolated AvahiConnection) throws(AvahiError) -> EntryGroup {
        if let group = group?.object.group {
            // The group is kept rather than replaced: the daemon limits the rate of commits per group.
            try check(connection.loop.blocking { group.reset() })
            return group
        }
        let (object, id, group) = try newGroup(on: connection)
        self.group = (object, id)
        return group
    }

    /// Returns a second entry group, for the wanted name.
    private func claimGroup(on connection: isolated AvahiConnection) throws(AvahiError) -> EntryGroup {
        let (object, id, group) = try newGroup(on: connection)
        claim = (object, id)
        return group
    }

    private func newGroup(
        on connection: isolated AvahiConnection
    ) throws(AvahiError) -> (AvahiObject, ObjectID, EntryGroup) {
        guard let client = connection.client, let handle = client.client else { throw .disconnected }
        let (id, context) = newContext(on: connection)
        let object = connection.loop.blocking { AvahiObject.entryGroup(handle, context: context) }
        guard let object, let group = object.group else { throw client.lastError }
        return (object, id, group)
    }

    private func newContext(on connection: isolated AvahiConnection) -> (ObjectID, ObjectContext) {
        lastObject += 1
        let id = ObjectID(rawValue: lastObject)
        return (id, ObjectContext(connection: connection, session: self.id, object: id))
    }

    // MARK: Owners of a name

    /// Watches the SRV record of a name, of each type, to find its owners. If the daemon gives no object for that, the
    /// present name stays.
    private func look(for name: String, on connection: isolated AvahiConnection) {
        guard let client = connection.client?.client else { return }
        for type in Set(advertisement.types.map(\.base)) {
            guard let instance = try? ServiceInstance(name: name, type: type) else { continue }
            let (id, context) = newContext(on: connection)
            let object = connection.loop.blocking {
                AvahiObject.recordBrowser(client, name: instance.fullName, type: .srv, context: context)
            }
            if let object { lookups[id] = object }
        }
    }

    private func stopLooking(on connection: isolated AvahiConnection) {
        for object in lookups.values { connection.loop.blocking { object.free() } }
        lookups = [:]
    }

    private func interfaceIndices() throws(AvahiError) -> [InterfaceIndex] {
        guard !advertisement.interfaces.isEmpty else { return [.any] }
        let indices = advertisement.interfaces.sorted().compactMap { name in
            HostInterface.index(ofName: name).map { InterfaceIndex(rawValue: Int32($0)) }
        }
        guard !indices.isEmpty else { throw .invalidInterface }
        return indices
    }

    /// The flags of a service. They exclude the cookie that the daemon may be configured to add: it was not asked for.
    private static var flags: PublishFlags { [.useMulticast, .noCookie] }
}

/// Throws the error that a result code stands for, if it does.
private func check(_ code: Int32) throws(AvahiError) {
    guard code >= 0 else { throw AvahiError(rawValue: code) }
}
