package import DNSSD

/// A packet with one service, and a last record that cannot be used as it is.
///
/// The last record claims something about the same service or its host, with a cache-flush bit or as a goodbye: who
/// believed it would lose a record that is valid.
package struct DamagedPacket: Sendable, CustomStringConvertible {
    /// The fault of the last record.
    package let fault: String

    package let bytes: [UInt8]

    package var description: String { fault }

    /// Returns a packet for each fault, about a service of this instance name on this host.
    package static func all(instance: String = "Den", host: String = "den") throws(DNSSDError) -> [DamagedPacket] {
        try faults(try Names(instance: instance, host: host)).map { fault, record, announced throws(DNSSDError) in
            DamagedPacket(fault: fault, bytes: try packet(instance, host, record, announced: announced))
        }
    }

    /// Returns a packet with the records of a service, and the bytes of another record after them.
    ///
    /// - Parameter announced: The number of records that the header announces beyond those of the service.
    private static func packet(
        _ instance: String,
        _ host: String,
        _ record: [UInt8],
        announced: Int
    ) throws(DNSSDError) -> [UInt8] {
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        let instance = try type.prepending(instance.utf8)
        let host = try DomainName(escaped: "\(host).local")
        let location = SRVData(port: 3_000, target: host)
        let message = DNSMessage(
            flags: .authoritativeResponse,
            answers: [DNSRecord(name: type, ttl: 4_500, data: .ptr(instance))],
            additionals: [
                DNSRecord(name: instance, isCacheFlush: true, ttl: 120, data: .srv(location)),
                DNSRecord(name: instance, isCacheFlush: true, ttl: 4_500, data: .txt([3] + "v=1".utf8)),
                DNSRecord(name: host, isCacheFlush: true, ttl: 120, data: .a(0x0A00_0002)),
            ]
        )
        var bytes = message.encoded(compression: .none).bytes + record
        bytes[11] += UInt8(announced)
        return bytes
    }

    /// The names of the service, uncompressed.
    private struct Names {
        let type: [UInt8]
        let instance: [UInt8]
        let host: [UInt8]

        init(instance: String, host: String) throws(DNSSDError) {
            let type = try DomainName(escaped: "_openclaw._tcp.local")
            self.type = type.wire
            self.instance = try type.prepending(instance.utf8).wire
            self.host = try DomainName(escaped: "\(host).local").wire
        }
    }

    /// Returns a record, as it is on the wire: in the class IN with the cache-flush bit unless told otherwise.
    private static func record(
        _ owner: [UInt8],
        _ type: UInt8,
        _ data: [UInt8],
        length: Int? = nil,
        recordClass: [UInt8] = [0x80, 1],
        ttl: UInt8 = 120
    ) -> [UInt8] {
        let length = length ?? data.count
        return owner + [0, type] + recordClass + [0, 0, 0, ttl, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }

    /// Returns the faults, each with the bytes of the last record, and the number of records that these announce.
    private static func faults(_ names: Names) -> [(fault: String, record: [UInt8], announced: Int)] {
        let (type, instance, host) = (names.type, names.instance, names.host)
        /// Priority, weight and port of an SRV record.
        let location: [UInt8] = [0, 0, 0, 0, 0, 9]
        /// Pointers to far behind, and to the name itself if it begins at the pointer.
        let forward: [UInt8] = [0xFF, 0xF0]
        /// The offset of the first byte after the service's own records.
        let end = 12 + type.count + instance.count + 2 * instance.count + 2 * host.count + 4 * 10 + 6 + 4 + 4
        let here: [UInt8] = [0xC0 | UInt8(end >> 8), UInt8(end & 0xFF)]
        let label = [63] + [UInt8](repeating: 0x61, count: 63)
        let longName = label + label + label + label + label + [0]
        let longLabel = [0x7F] + [UInt8](repeating: 0x61, count: 127) + [0]
        let whole = record(host, 1, [10, 0, 0, 66])
        return [
            ("the next name of NSEC is a pointer to anywhere", record(host, 47, forward + [0, 1, 0x40]), 1),
            ("the target of SRV is a pointer to anywhere", record(instance, 33, location + forward), 1),
            ("PTR points to anywhere, as a goodbye", record(type, 12, forward, ttl: 0), 1),
            ("a string of TXT is longer than the record", record(host, 16, [200, 0x61]), 1),
            ("the owner is a pointer to itself", record(here, 1, [10, 0, 0, 66]), 1),
            ("the owner is a pointer forward", record(forward, 1, [10, 0, 0, 66]), 1),
            ("the data is longer than the packet", record(host, 1, [10, 0, 0, 66], length: 400), 1),
            ("the length is shorter than the name in the data", record(instance, 33, location + host, length: 8), 1),
            ("the type is not known", record(host, 0xE7, [0xC0, 0, 7]), 1),
            ("the class is not known", record(host, 1, [10, 0, 0, 66], recordClass: [0x80, 42]), 1),
            ("an option of OPT is longer than the record", record([0], 41, [0, 1, 0, 9, 1]), 1),
            ("a label has more than 63 bytes", record(longLabel, 1, [10, 0, 0, 66]), 1),
            ("a name has more than 255 bytes", record(instance, 33, location + longName), 1),
            ("an owner has more than 255 bytes", record(longName, 1, [10, 0, 0, 66]), 1),
            ("A has three bytes", record(host, 1, [10, 0, 66]), 1),
            ("AAAA has fifteen bytes", record(host, 28, [UInt8](repeating: 1, count: 15)), 1),
            ("the packet ends in the header of the record", Array(whole.prefix(host.count + 5)), 1),
            ("the packet ends in the data", Array(whole.dropLast(2)), 1),
            ("the header announces more records than there are", [], 9),
            ("there are bytes after the last record", [0xC0, 0xFF, 1, 2, 3], 0),
        ]
    }
}
