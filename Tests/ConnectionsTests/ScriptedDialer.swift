import DNSSD
import GatewayProtocol
import TestSupport

@testable import Pairing

/// A dialer that has no network: the test decides the outcome of each attempt.
final class ScriptedDialer: SessionDialer {
    /// One attempt, whose outcome the test decides.
    struct Attempt: Sendable {
        let call: SessionCall

        fileprivate let end: AsyncStream<SessionFailure>.Continuation

        /// The orders to ask for a sign of life.
        let pings: AsyncStream<Void>

        /// The endpoint to which it leads: all names lead to one address.
        private var endpoint: Endpoint {
            switch call.path.place {
            case .endpoint(let endpoint): endpoint
            case .host(_, let port):
                Endpoint(address: .v4(IPv4Address(bits: 0xCB00_7109)), port: port, resource: call.path.resource)
            }
        }

        /// Opens the connection, as a peer that shows this proof.
        func open(_ shown: TrustAttempt.Shown) async -> Bool { await call.opened(shown, endpoint) }

        /// The answer to each request in a session.
        static func answer(to method: String) -> GatewayResponse {
            GatewayResponse(id: "1", outcome: .success(.string("\(method) is answered")))
        }

        /// Opens the connection, sends the token as the real dialer does, and grants the session.
        ///
        /// - Returns: The token; `nil` if it was not allowed to be sent.
        func connect(
            _ shown: TrustAttempt.Shown,
            token: Secret? = nil,
            scopes: [String]? = nil,
            told: DiscoverPayload? = nil,
            clawline: ClawlineSession? = nil,
            say: @escaping GatewaySession.Say = GatewaySession.cannotSay,
            ask: @escaping GatewaySession.Ask = { method, _, _ in Self.answer(to: method) }
        ) async throws -> Secret? {
            guard await open(shown) else { return nil }
            let secret = try await call.secret()
            guard try await call.decide(shown, endpoint).isAllowed else { return nil }
            if clawline?.isHistoryReset == true { call.history.reset() }
            let leaf: LeafFingerprint? =
                switch shown {
                case .leaf(let found): found
                case .certified(host: _, leaf: let found): found
                case .plain: nil
                }
            await call.granted(
                GrantedSession(
                    endpoint: endpoint,
                    leaf: leaf,
                    tick: nil,
                    deviceToken: token,
                    scopes: scopes,
                    told: told,
                    roundTrip: .milliseconds(2),
                    ask: ask,
                    say: say,
                    clawline: clawline
                )
            )
            return secret
        }

        /// Indicates whether the token may be sent now to a peer that shows this proof.
        func isPermitted(_ shown: TrustAttempt.Shown) async -> Bool {
            (try? await call.decide(shown, endpoint))?.isAllowed == true
        }

        /// Ends the attempt, or its session.
        func fail(_ failure: SessionFailure = .unreachable) { end.yield(failure) }
    }

    private let attempts: AsyncStream<Attempt>
    private let continuation: AsyncStream<Attempt>.Continuation

    init() {
        (attempts, continuation) = AsyncStream.makeStream(of: Attempt.self)
    }

    /// Returns the attempts as they are made.
    func makeAttempts() -> AsyncStream<Attempt>.Iterator { attempts.makeAsyncIterator() }

    func dial(_ call: SessionCall) async -> SessionFailure {
        let (ends, end) = AsyncStream.makeStream(of: SessionFailure.self)
        let (pings, ping) = AsyncStream.makeStream(of: Void.self)
        continuation.yield(Attempt(call: call, end: end, pings: pings))
        return await withTaskGroup(of: SessionFailure.self) { tasks in
            tasks.addTask {
                for await failure in ends { return failure }
                return .unreachable
            }
            tasks.addTask {
                for await command in call.commands {
                    if case .close = command { return .unreachable }
                    ping.yield()
                }
                return .unreachable
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? .unreachable
        }
    }
}

extension TurnedClock {
    /// Waits until something sleeps until a time of this clock.
    func waitForSleeper() async {
        while sleepers == 0 { await Task.yield() }
    }

    /// Turns the clock to the time at which the first sleeper wakes, as soon as there is one.
    func turnToNext() async {
        while true {
            if let next = waits.first { return turn(by: max(next, .zero)) }
            await Task.yield()
        }
    }
}
