internal import NIOCore
internal import Synchronization

/// The connections at one entrance of an agent, of which those are closed that are too many.
final class Visitors: Sendable {
    /// The time within which a stranger at a port has to show a token.
    private static let tokenTimeout = TimeAmount.seconds(5)

    private struct Present {
        var shares = ConnectionShares()
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let entrance: Entrance.Kind
    private let present = Mutex(Present())

    init(_ entrance: Entrance.Kind) {
        self.entrance = entrance
    }

    /// Takes a connection in until it is closed; `false` if it is one too many.
    func enter(_ channel: any Channel) -> Bool {
        let name = ObjectIdentifier(channel)
        guard entrance == .port else {
            guard present.withLock({ $0.shares.enter(known: name) }) else { return false }
            channel.closeFuture.whenComplete { _ in self.leave(name) }
            return true
        }
        let former = present.withLock { present in
            present.channels[name] = channel
            var generator = SystemRandomNumberGenerator()
            return present.shares.enter(stranger: name, using: &generator).flatMap { present.channels[$0] }
        }
        former?.close(promise: nil)
        let timer = channel.eventLoop.scheduleTask(in: Self.tokenTimeout) {
            if self.present.withLock({ $0.shares.isStranger(name) }) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            timer.cancel()
            self.leave(name)
        }
        return true
    }

    /// Takes in that a connection has shown a token; `false` if there are too many that have.
    func prove(_ channel: any Channel) -> Bool {
        present.withLock { $0.shares.prove(ObjectIdentifier(channel)) }
    }

    private func leave(_ name: ObjectIdentifier) {
        present.withLock { present in
            present.shares.leave(name)
            present.channels[name] = nil
        }
    }
}
