/// The context that is passed to the callback of an Avahi object: it names the session and the object that the callback
/// is for.
///
/// It is kept alive by the ``AvahiObject`` that holds the C object; the C side holds an address that it does not
/// retain. Callbacks can come while the constructor still runs: the caller of the constructor keeps it alive until
/// then.
final class ObjectContext {
    /// The actor that owns the object. Unowned, since the actor owns the session that owns this context.
    private unowned let connection: AvahiConnection

    /// The session of the actor that the object works for.
    private let session: SessionID

    /// The object's number in that session. Numbers are never used twice, so that events queued for an object that has
    /// been freed reach no other object.
    private let object: ObjectID

    init(connection: AvahiConnection, session: SessionID, object: ObjectID) {
        self.connection = connection
        self.session = session
        self.object = object
    }

    /// The address to hand to C.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The context at an address that C handed back.
    static func at(_ pointer: UnsafeMutableRawPointer?) -> ObjectContext? {
        pointer.map { Unmanaged<ObjectContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Hands an event to the actor. Called on the thread of the poll loop, which is the actor's executor.
    func deliver(_ event: ObjectEvent) {
        let session = session
        let object = object
        connection.assumeIsolated { $0.receive(event, from: object, of: session) }
    }
}
