internal import CAvahiClient
internal import CAvahiCommon
internal import HostSystem

/// One connection to the bus, and through it to the daemon. Used on the thread of the poll loop only.
///
/// Tests derive a client that is connected to nothing.
class BusClient {
    /// The number of the client; never used twice.
    let id: Int

    /// The number of objects that the daemon keeps for this client.
    var objects = 0

    /// Indicates whether the daemon has refused this client another object.
    var isFull = false

    /// The C object; `nil` once it is freed.
    private(set) var client: Client?

    /// The objects that the C client uses as long as it lives.
    private let poll: BusPoll?
    private let context: ClientContext?

    /// Makes a client that is connected to nothing.
    init(disconnected id: Int) {
        self.id = id
        self.poll = nil
        self.context = nil
    }

    /// Connects. This succeeds even when the daemon is not there (yet): the client's state is then *connecting*.
    /// Blocks.
    init(id: Int, loop: PollLoop, sockets: BusSockets, connection: AvahiConnection) throws(AvahiError) {
        guard let poll = BusPoll(loop.poll, sockets: sockets) else { throw .noMemory }
        let context = ClientContext(connection: connection, client: id)
        var error: Int32 = 0
        let client = loop.blocking {
            Client(
                poll: poll.api,
                flags: .noFail,
                callback: { _, state, context in ClientContext.at(context)?.deliver(state) },
                userData: context.pointer,
                error: &error
            )
        }
        guard let client else { throw AvahiError(rawValue: error) }
        self.id = id
        self.poll = poll
        self.context = context
        self.client = client
    }

    /// Frees the client and every object that was made with it. Does not block: the library disconnects first.
    func free() {
        client?.free()
        client = nil
    }

    /// The error that occurred last.
    var lastError: AvahiError { client.map { AvahiError(rawValue: $0.lastError) } ?? .disconnected }

    /// The present state.
    var state: DaemonState { client.map { DaemonState(avahi_client_get_state($0)) } ?? .failed }
}
