internal import DNSSD
internal import Synchronization

/// The latest TXT record of a publication, for a backend that takes the publication up later.
final class TXTRelay: Sendable {
    private let state = Mutex<(text: TXTRecord?, updates: TXTUpdates.Source?)>((nil, nil))

    /// Records that the TXT record has been replaced, and passes it on.
    func update(_ text: TXTRecord) {
        let updates = state.withLock { state in
            state.text = text
            return state.updates
        }
        updates?.send(text)
    }

    /// Returns the current TXT record, if it was replaced; later ones go to `updates`.
    func follow(with updates: TXTUpdates.Source) -> TXTRecord? {
        state.withLock { state in
            state.updates = updates
            return state.text
        }
    }
}
