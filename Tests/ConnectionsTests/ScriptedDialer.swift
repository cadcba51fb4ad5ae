import DNSSD
import GatewayProtocol
import PairingStore
import TestSupport

@testable import Connections

/// A dialer that waits for what the test says, in place of a network.
final class ScriptedDialer: SessionDialer {
    /// One attempt, in the hands of the test.
    struct Attempt: Sendable {
        let call: SessionCall

        fileprivate let end: AsyncStream<SessionFailure>.Continuation

        /// Answers as a peer that shows this.
        func open(_ shown: TrustAttempt.Shown) async -> Bool {
            guard let endpoint = call.path.endpoint else { return false }
            return await call.opened(shown, endpoint)
        }

        /// Answers, sends the token as the real one does, and grants the session.
        func connect(_ shown: TrustAttempt.Shown, token: Secret? = nil) async throws -> Secret? {
            guard await open(shown), let endpoint = call.path.endpoint else { return nil }
            let secret = try call.secret()
            guard try call.decide(shown, endpoint).isAllowed else { return nil }
            var leaf: LeafFingerprint?
            if case .leaf(let found) = shown { leaf = found }
            await call.granted(
                GrantedSession(
                    endpoint: endpoint,
                    leaf: leaf,
                    tick: nil,
                    deviceToken: token,
                    bots: [],
                    roundTrip: .milliseconds(2)
                )
            )
            return secret
        }

        /// Indicates whether the token may be sent at this moment to a peer that shows this.
        func isPermitted(_ shown: TrustAttempt.Shown) -> Bool {
            guard let endpoint = call.path.endpoint else { return false }
            return (try? call.decide(shown, endpoint))?.isAllowed == true
        }

        /// Ends it.
        func fail(_ failure: SessionFailure = .unreachable) { end.yield(failure) }
    }

    private let attempts: AsyncStream<Attempt>
    private let continuation: AsyncStream<Attempt>.Continuation

    init() {
        (attempts, continuation) = AsyncStream.makeStream(of: Attempt.self)
    }

    /// The attempts as they are made.
    func makeAttempts() -> AsyncStream<Attempt>.Iterator { attempts.makeAsyncIterator() }

    func dial(_ call: SessionCall) async -> SessionFailure {
        let (ends, end) = AsyncStream.makeStream(of: SessionFailure.self)
        continuation.yield(Attempt(call: call, end: end))
        return await withTaskGroup(of: SessionFailure.self) { tasks in
            tasks.addTask {
                for await failure in ends { return failure }
                return .unreachable
            }
            tasks.addTask {
                for await command in call.commands {
                    if case .close = command { break }
                }
                return .unreachable
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? .unreachable
        }
    }
}

extension TurnedClock {
    /// Waits until somebody waits for a time.
    func waitForSleeper() async {
        while sleepers == 0 { await Task.yield() }
    }

    /// Turns it to the time for which the first sleeper waits, once somebody does.
    func turnToNext() async {
        while true {
            if let next = waits.first { return turn(by: max(next, .zero)) }
            await Task.yield()
        }
    }
}
