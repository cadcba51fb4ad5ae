import DNSSD
import Synchronization

/// The states that a publication has reported so far.
final class PublicationStates: Sendable {
    private let states = Mutex<[PublicationState]>([])

    var all: [PublicationState] { states.withLock { $0 } }

    func take(_ state: PublicationState) {
        states.withLock { $0.append(state) }
    }
}
