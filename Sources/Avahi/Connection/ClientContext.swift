internal import CAvahiClient

/// The context that is passed to the callback of a bus client: it names the connection and the client that the callback
/// is for.
///
/// It is kept alive by the ``BusClient``; the C side holds an address that it does not retain.
final class ClientContext {
    private unowned let connection: AvahiConnection
    private let client: Int

    init(connection: AvahiConnection, client: Int) {
        self.connection = connection
        self.client = client
    }

    /// The address to hand to C.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The context at an address that C handed back.
    static func at(_ pointer: UnsafeMutableRawPointer?) -> ClientContext? {
        pointer.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Hands a new state to the actor. Called on the thread of the poll loop, which is the actor's executor.
    func deliver(_ state: ClientState) {
        let client = client
        let daemon = DaemonState(state)
        connection.assumeIsolated { $0.clientChanged(client, to: daemon) }
    }
}
