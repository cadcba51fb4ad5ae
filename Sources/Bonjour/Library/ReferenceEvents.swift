/// An event that the library reports of a reference, as Swift values. A text is `nil` when it is not UTF-8.
enum ReferenceEvent: Hashable, Sendable {
    /// An instance has come or gone on an interface. Avahi's library tells of it once for each address family.
    case instance(isAdded: Bool, name: String?, type: String?, domain: String?, interface: UInt32)

    /// The SRV and TXT records of an instance. The host is an escaped name.
    case resolved(host: String?, port: UInt16, txt: [UInt8])

    /// A record, an address's bytes among them, has come or gone.
    case record(isAdded: Bool, data: [UInt8])

    /// A service is published, under this name.
    case registered(name: String?)

    /// The reference is of no use any longer.
    case failed(DNSServiceError)
}

/// The queue in which the callbacks of one reference leave the events that they are told.
///
/// Kept alive by the ``ServiceReference``, which outlives the C reference; the C side holds an address that it does not
/// retain. The library calls back only inside calls that are made with the reference, so that everything happens on the
/// thread of the loop.
final class ReferenceEvents {
    private var events: [ReferenceEvent] = []

    /// The address to hand to C.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The object at an address that C handed back.
    static func at(_ pointer: UnsafeMutableRawPointer?) -> ReferenceEvents? {
        pointer.map { Unmanaged<ReferenceEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    func append(_ event: ReferenceEvent) {
        events.append(event)
    }

    /// Takes out the events that came since the last time.
    func take() -> [ReferenceEvent] {
        defer { events = [] }
        return events
    }
}
