/// A writer of the parts of a message, one after the other.
struct MessageWriter {
    /// The highest offset that a pointer can hold.
    private static let lastTarget = 0x3FFF

    /// The bytes that have been written.
    private(set) var bytes: [UInt8] = []

    private let compression: DNSNameCompression

    /// The labels that have been written; `nil` if names are not compressed.
    private var table: LabelTable?

    /// The offsets of the labels in the name that is being written, kept so that the buffer is allocated only once.
    private var starts: [Int] = []

    init(compression: DNSNameCompression, capacity: Int) {
        self.compression = compression
        self.table = compression == .none ? nil : LabelTable()
        bytes.reserveCapacity(capacity)
        starts.reserveCapacity(8)
    }

    /// Removes the bytes from this offset on.
    mutating func cut(to count: Int) {
        bytes.removeLast(bytes.count - count)
        table?.forget(from: count)
    }

    // MARK: Numbers

    mutating func write(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func write(_ value: UInt32) {
        write(UInt16(truncatingIfNeeded: value >> 16))
        write(UInt16(truncatingIfNeeded: value))
    }

    mutating func write(_ value: UInt128) {
        for shift in stride(from: UInt128(96), through: 0, by: -32) {
            write(UInt32(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func write(_ value: [UInt8]) {
        bytes += value
    }

    /// Overwrites a number that was written before.
    mutating func replace(at offset: Int, by value: UInt16) {
        bytes[offset] = UInt8(truncatingIfNeeded: value >> 8)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: value)
    }

    // MARK: Names

    /// Writes a name, replacing as much of it by a pointer as is allowed and possible.
    mutating func write(_ name: DomainName) {
        guard table != nil, !name.isRoot else {
            bytes += name.wire
            return
        }
        let wire = name.wire
        starts.removeAll(keepingCapacity: true)
        var cursor = 0
        while wire[cursor] != 0 {
            starts.append(cursor)
            cursor += Int(wire[cursor]) + 1
        }

        // From the top-level label down: finds how much of the name the message contains already, and where.
        var known = starts.count
        var rest: UInt16 = 0
        while known > 0, let offset = table?.offset(of: label(known - 1, of: wire), rest: rest, in: bytes) {
            rest = offset
            known -= 1
        }

        let base = bytes.count
        for byte in wire[..<(known < starts.count ? starts[known] : wire.count)] { bytes.append(byte) }
        if known < starts.count { write(0xC000 | rest) }

        var index = known - 1
        while index >= 0 {
            let offset = base + starts[index]
            // A label whose rest is out of a pointer's reach can never be found again, so it is not entered.
            if offset <= Self.lastTarget, index == known - 1 || base + starts[index + 1] <= Self.lastTarget {
                let rest = index == known - 1 ? rest : UInt16(truncatingIfNeeded: base + starts[index + 1])
                let label = label(index, of: wire)
                table?.insert(label, rest: rest, at: UInt16(truncatingIfNeeded: offset))
            }
            index -= 1
        }
    }

    /// Writes a name of a kind that only multicast DNS compresses.
    private mutating func writeCompressedInMulticast(_ name: DomainName) {
        if compression == .multicast { write(name) } else { bytes += name.wire }
    }

    private func label(_ index: Int, of wire: [UInt8]) -> ArraySlice<UInt8> {
        let start = starts[index]
        return wire[(start + 1)...(start + Int(wire[start]))]
    }

    // MARK: Questions and records

    mutating func write(_ question: DNSQuestion) {
        write(question.name)
        write(question.type.rawValue)
        write(question.dnsClass.rawValue | (question.isUnicastWanted ? 0x8000 : 0))
    }

    mutating func write(_ record: DNSRecord) {
        write(record.name)
        write(record.type.rawValue)
        write(record.dnsClass.rawValue | (record.isCacheFlush ? 0x8000 : 0))
        write(record.ttl)
        let start = bytes.count
        write(0 as UInt16)
        write(record.data)
        // A record with more than 65,535 bytes does not fit into any message and will be removed again.
        replace(at: start, by: UInt16(truncatingIfNeeded: bytes.count - start - 2))
    }

    mutating func write(_ data: DNSRecordData) {
        switch data {
        case .a(let address): write(address)
        case .aaaa(let address): write(address)
        case .cname(let name), .ns(let name), .ptr(let name): write(name)
        case .nsec(let nsec):
            writeCompressedInMulticast(nsec.nextName)
            write(nsec.bitmaps)
        case .opt(let opt):
            for option in opt.options {
                write(option.code)
                write(UInt16(truncatingIfNeeded: option.data.count))
                write(option.data)
            }
        case .soa(let soa):
            write(soa.primary)
            write(soa.mailbox)
            for number in [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum] { write(number) }
        case .srv(let srv):
            write(srv.priority)
            write(srv.weight)
            write(srv.port)
            writeCompressedInMulticast(srv.target)
        case .tsig(let tsig): write(tsig)
        case .txt(let bytes), .other(_, let bytes): write(bytes)
        }
    }

    /// Writes TSIG data, in which the name of the algorithm is not compressed (RFC 8945 §4.2).
    private mutating func write(_ tsig: TSIGData) {
        bytes += tsig.algorithm.wire
        write(UInt16(truncatingIfNeeded: tsig.timeSigned >> 32))
        write(UInt32(truncatingIfNeeded: tsig.timeSigned))
        write(tsig.fudge)
        write(UInt16(truncatingIfNeeded: tsig.code.count))
        write(tsig.code)
        write(tsig.originalID)
        write(tsig.error)
        write(UInt16(truncatingIfNeeded: tsig.otherData.count))
        write(tsig.otherData)
    }
}

extension DNSRecordData {
    /// The RDATA without compressed names, by which two claims to one name are compared (RFC 6762 §8.2).
    package var uncompressed: [UInt8] {
        var writer = MessageWriter(compression: .none, capacity: 64)
        writer.write(self)
        return writer.bytes
    }
}
