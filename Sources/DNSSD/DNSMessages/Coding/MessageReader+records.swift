extension MessageReader {
    mutating func question(in bytes: Span<UInt8>) throws(DNSMessageError) -> DNSQuestion {
        let name = try name(in: bytes)
        let type = DNSRecordType(rawValue: try uint16(in: bytes))
        let bits = try uint16(in: bytes)
        return DNSQuestion(
            name: name,
            type: type,
            dnsClass: DNSClass(rawValue: bits),
            isUnicastWanted: bits & 0x8000 != 0
        )
    }

    mutating func record(in bytes: Span<UInt8>) throws(DNSMessageError) -> DNSRecord {
        let name = try name(in: bytes)
        let type = DNSRecordType(rawValue: try uint16(in: bytes))
        let bits = try uint16(in: bytes)
        let dnsClass = DNSClass(rawValue: bits)
        let ttl = try uint32(in: bytes)
        let length = Int(try uint16(in: bytes))
        let end = position + length
        guard end <= bytes.count else { throw DNSMessageError(.truncated, at: bytes.count) }
        let data: DNSRecordData
        if length == 0, dnsClass == .any || dnsClass == .none {
            // The prerequisites and deletions of an update give only a type, without data (RFC 2136 §2.4, §2.5).
            data = .other(type, [])
        } else {
            data = try self.data(type, until: end, in: bytes)
            guard position == end else { throw DNSMessageError(.invalidRecordData, at: position) }
        }
        return DNSRecord(name: name, dnsClass: dnsClass, isCacheFlush: bits & 0x8000 != 0, ttl: ttl, data: data)
    }

    /// Reads RDATA, which may turn out to end before or after `end`: the caller checks.
    private mutating func data(
        _ type: DNSRecordType,
        until end: Int,
        in bytes: Span<UInt8>
    ) throws(DNSMessageError) -> DNSRecordData {
        switch type {
        case .a: .a(try uint32(in: bytes))
        case .aaaa: .aaaa(try uint128(in: bytes))
        case .cname: .cname(try name(in: bytes))
        case .ns: .ns(try name(in: bytes))
        case .ptr: .ptr(try name(in: bytes))
        case .nsec: .nsec(try nsec(until: end, in: bytes))
        case .opt: .opt(try opt(until: end, in: bytes))
        case .soa: .soa(try soa(in: bytes))
        case .srv: .srv(try srv(in: bytes))
        case .tsig: .tsig(try tsig(in: bytes))
        case .txt: .txt(try self.bytes(end - position, in: bytes))
        default: .other(type, try self.bytes(end - position, in: bytes))
        }
    }

    private mutating func srv(in bytes: Span<UInt8>) throws(DNSMessageError) -> SRVData {
        let priority = try uint16(in: bytes)
        let weight = try uint16(in: bytes)
        let port = try uint16(in: bytes)
        return SRVData(priority: priority, weight: weight, port: port, target: try name(in: bytes))
    }

    private mutating func soa(in bytes: Span<UInt8>) throws(DNSMessageError) -> SOAData {
        let primary = try name(in: bytes)
        let mailbox = try name(in: bytes)
        let serial = try uint32(in: bytes)
        let refresh = try uint32(in: bytes)
        let retry = try uint32(in: bytes)
        let expire = try uint32(in: bytes)
        return SOAData(
            primary: primary,
            mailbox: mailbox,
            serial: serial,
            refresh: refresh,
            retry: retry,
            expire: expire,
            minimum: try uint32(in: bytes)
        )
    }

    /// Reads NSEC data, whose windows are in ascending order, each with 1–32 octets (RFC 4034 §4.1.2).
    private mutating func nsec(until end: Int, in bytes: Span<UInt8>) throws(DNSMessageError) -> NSECData {
        let nextName = try name(in: bytes)
        guard position <= end else { throw DNSMessageError(.invalidRecordData, at: position) }
        let start = position
        var cursor = start
        var lastWindow = -1
        while cursor < end {
            guard end - cursor >= 3 else { throw DNSMessageError(.invalidRecordData, at: cursor) }
            let (window, length) = (Int(bytes[cursor]), Int(bytes[cursor + 1]))
            guard window > lastWindow, (1...32).contains(length), cursor + 2 + length <= end else {
                throw DNSMessageError(.invalidRecordData, at: cursor)
            }
            lastWindow = window
            cursor += 2 + length
        }
        return NSECData(nextName: nextName, checkedBitmaps: try self.bytes(end - start, in: bytes))
    }

    private mutating func opt(until end: Int, in bytes: Span<UInt8>) throws(DNSMessageError) -> OPTData {
        var options: [OPTData.Option] = []
        while position < end {
            guard end - position >= 4 else { throw DNSMessageError(.invalidRecordData, at: position) }
            let code = try uint16(in: bytes)
            let length = Int(try uint16(in: bytes))
            guard length <= end - position else { throw DNSMessageError(.invalidRecordData, at: position) }
            options.append(OPTData.Option(code: code, data: try self.bytes(length, in: bytes)))
        }
        return OPTData(options: options)
    }

    private mutating func tsig(in bytes: Span<UInt8>) throws(DNSMessageError) -> TSIGData {
        let algorithm = try name(in: bytes)
        let timeSigned = try uint48(in: bytes)
        let fudge = try uint16(in: bytes)
        let codeLength = Int(try uint16(in: bytes))
        let code = try self.bytes(codeLength, in: bytes)
        let originalID = try uint16(in: bytes)
        let error = try uint16(in: bytes)
        let otherLength = Int(try uint16(in: bytes))
        return TSIGData(
            algorithm: algorithm,
            timeSigned: timeSigned,
            fudge: fudge,
            code: code,
            originalID: originalID,
            error: error,
            otherData: try self.bytes(otherLength, in: bytes)
        )
    }
}
