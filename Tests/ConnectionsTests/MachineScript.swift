import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// A suite that sends events to a ``SessionMachine`` step by step, with a simulated clock.
protocol MachineScript {
    var machine: SessionMachine<SeededGenerator> { get set }
    var now: ContinuousClock.Instant { get set }
}

extension MachineScript {
    static func path(_ number: UInt8, _ reach: Reach = .local) -> SessionPath {
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(number))), port: 3_000)
        return SessionPath(
            place: .endpoint(endpoint),
            reach: reach,
            policy: .certified(host: "a.example")
        )
    }

    static var lan: SessionPath { path(1) }
    static var tunnel: SessionPath { path(9, .remote) }
    static var elsewhere: SessionPath {
        var path = path(7)
        path.isElsewhere = true
        return path
    }

    /// Moves the clock by a duration, sends an event to the machine, and returns the actions.
    mutating func tell(_ event: SessionEvent, after time: Duration = .zero) -> [SessionAction] {
        now += time
        return machine.handle(event, at: now)
    }

    /// Turns the clock to the machine's deadline, and returns the actions that are due then.
    mutating func turnToDeadline() -> [SessionAction] {
        guard let deadline = machine.deadline else { return [] }
        now = max(now, deadline)
        return machine.handle(.timePassed, at: now)
    }

    /// Returns the connections that are opened by actions.
    func connects(_ actions: [SessionAction]) -> [(id: AttemptID, path: SessionPath)] {
        actions.compactMap { if case .connect(let id, let path) = $0 { (id, path) } else { nil } }
    }

    /// Establishes a session on this network.
    mutating func connect(tick: Duration? = nil) throws -> AttemptID {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let id = try #require(connects(tell(.start)).first?.id)
        #expect(tell(.opened(id, .allowed)).contains(.authenticate(id)))
        #expect(tell(.granted(id, tick: tick)).contains(.established(id, Self.lan)))
        return id
    }

    static func refusal(_ reason: SessionRefusal.Reason) -> SessionRefusal {
        SessionRefusal(dialect: .openClaw, reason: reason, credential: .deviceToken)
    }

    /// Turns the clock by a duration, gives a sign of life for each ping, and returns the connections that were opened.
    mutating func live(for time: Duration) -> [(id: AttemptID, path: SessionPath)] {
        let end = now + time
        var found: [(id: AttemptID, path: SessionPath)] = []
        while let deadline = machine.deadline, deadline <= end {
            let actions = turnToDeadline()
            found += connects(actions)
            for case .ping(let id) in actions { found += connects(tell(.signOfLife(id))) }
        }
        now = end
        return found
    }

    /// The attempts that are under way beside the session.
    var successorAttempts: [AttemptID] {
        if case .live(let session) = machine.phase { session.successor?.attempts.map(\.id) ?? [] } else { [] }
    }
}
