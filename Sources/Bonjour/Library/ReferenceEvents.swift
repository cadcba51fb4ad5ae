/// An event that the library reports about a reference, in Swift values. A string is `nil` when it is not UTF-8.
enum ReferenceEvent: Hashable, Sendable {
    /// An instance has come or gone on an interface. Avahi's library reports it once for each address family.
    case instance(isAdded: Bool, name: String?, type: String?, domain: String?, interface: UInt32)

    /// The SRV and TXT records of an instance. The host is an escaped name.
    case resolved(host: String?, port: UInt16, txt: [UInt8])

    /// A record has come or gone. For an address, the data are the address's bytes.
    case record(isAdded: Bool, data: [UInt8])

    /// A service is published, under this name.
    case registered(name: String?)

    /// The reference has failed, and can only be freed.
    case failed(DNSServiceError)
}

/// The queue in which the callbacks of one reference store their events.
///
/// It is kept alive by the ``ServiceReference``, which outlives the C reference; the C side holds an address that it
/// does not retain. The library calls back only inside calls that are made with the reference, so that everything
/// happens on the thread of the loop.
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

    /// Takes out the events that have come since the last time.
    func take() -> [ReferenceEvent] {
        defer { events = [] }
        return events
    }
}
