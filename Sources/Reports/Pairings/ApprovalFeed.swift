package import GatewayProtocol
package import Scanning

/// A filter that turns the updates of a constellation into the devices that begin to wait for an approval, and those that
/// wait no more. A value: no clock, no I/O.
package struct ApprovalFeed: Sendable {
    /// A device that waits, and the session that says so.
    package struct Approval: Hashable, Sendable {
        package let request: DeviceRequest
        package let session: ShownSession
    }

    /// One development.
    package enum Change: Hashable, Sendable {
        /// A device waits, or waits for something else than before.
        case waits(Approval)

        /// A device waits no more: it was approved, rejected, or has given up.
        case over(Approval)
    }

    private var known: [ShownSession.ID: [DeviceRequest]] = [:]
    private var sessions: [ShownSession.ID: ShownSession] = [:]

    /// Makes a feed that has not read anything.
    package init() {}

    /// The devices that wait, sorted by the names of their gateways.
    package var waiting: [Approval] {
        sessions.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.flatMap { session in
            (session.requests ?? []).map { Approval(request: $0, session: session) }
        }
    }

    /// Takes in an update.
    package mutating func take(_ update: ConstellationUpdate) -> [Change] {
        switch update {
        case .snapshot(let snapshot):
            let present = Set(snapshot.sessions.map(\.id))
            for id in sessions.keys where !present.contains(id) { forget(id) }
            return snapshot.sessions.flatMap { show($0) }
        case .changes(let changes, _):
            return changes.flatMap { change -> [Change] in
                switch change {
                case .session(.found(let session)), .session(.changed(let session)): return show(session)
                case .session(.lost(let session, _)): forget(session.id)
                case .gateway, .service, .backend: break
                }
                return []
            }
        }
    }

    private mutating func show(_ session: ShownSession) -> [Change] {
        sessions[session.id] = session
        // Without a session nobody knows; what waited before is no news when there is one again.
        guard let requests = session.requests else { return [] }
        let before = known.updateValue(requests, forKey: session.id) ?? []
        let ids = Set(requests.map(\.id))
        let over = before.filter { !ids.contains($0.id) }.map { Change.over(Approval(request: $0, session: session)) }
        let new = requests.filter { request in
            guard let former = before.first(where: { $0.id == request.id }) else { return true }
            return (former.roles, former.scopes) != (request.roles, request.scopes)
        }
        return over + new.map { .waits(Approval(request: $0, session: session)) }
    }

    private mutating func forget(_ id: ShownSession.ID) {
        sessions[id] = nil
        known[id] = nil
    }
}
