import DNSSD
import Synchronization

/// What a publication has told so far.
final class PublicationStates: Sendable {
    private let states = Mutex<[PublicationState]>([])

    var all: [PublicationState] { states.withLock { $0 } }

    func take(_ state: PublicationState) {
        states.withLock { $0.append(state) }
    }
}
