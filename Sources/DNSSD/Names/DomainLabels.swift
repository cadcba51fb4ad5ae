/// The labels of a ``DomainName``, one after the other, each 1–63 bytes.
public struct DomainLabels: Sequence, IteratorProtocol, Sendable {
    private let wire: [UInt8]
    private var position = 0

    init(wire: [UInt8]) {
        self.wire = wire
    }

    public mutating func next() -> ArraySlice<UInt8>? {
        let length = Int(wire[position])
        guard length > 0 else { return nil }
        let start = position + 1
        position = start + length
        return wire[start..<position]
    }
}
