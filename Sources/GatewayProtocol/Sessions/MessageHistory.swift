/// The messages of a Clawline provider that were received in all sessions of this process, so that each is delivered
/// once: after a reconnection the provider repeats some. A value.
package struct MessageHistory: Hashable, Sendable {
    /// The number of messages that are remembered.
    package static let most = 1_024

    /// The greatest length of an identifier that is remembered, in bytes.
    private static let longest = 128

    /// The beginning of the identifiers that the provider gives. Others are of devices.
    private static let providersPrefix = "s_"

    /// The identifier of the last message of the provider; `nil` before the first.
    package private(set) var last: String?

    /// The identifiers, in a ring whose oldest is at ``oldest`` once it is full.
    private var ring: [String] = []
    private var oldest = 0
    private var seen: Set<String> = []

    /// Creates the history of a process.
    ///
    /// - Parameter last: The identifier of the last message that an earlier process has received; `nil` if none has.
    package init(after last: String? = nil) {
        guard let last, last.utf8.count <= Self.longest else { return }
        self.last = last
        ring = [last]
        seen = [last]
    }

    /// Records a message.
    ///
    /// The parts of a message that is still being written have one identifier, and only the whole is remembered.
    ///
    /// - Returns: `false` if it was received before.
    package mutating func isNew(_ event: GatewayEvent) -> Bool {
        // An acknowledgement has the identifier of a message of this device.
        guard event.name != "ack", let id = event.payload?["id"]?.string, !id.isEmpty, id.utf8.count <= Self.longest
        else { return true }
        guard !seen.contains(id) else { return false }
        guard event.payload?["streaming"]?.bool != true else { return true }
        if id.hasPrefix(Self.providersPrefix) { last = id }
        seen.insert(id)
        guard ring.count == Self.most else {
            ring.append(id)
            return true
        }
        seen.remove(ring[oldest])
        ring[oldest] = id
        oldest = (oldest + 1) % Self.most
        return true
    }

    /// Forgets all messages, since the provider begins a new history.
    package mutating func reset() {
        self = MessageHistory()
    }
}
