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
