/// A reader of the entries of a message that passes over those that cannot be read.
struct EntryReader {
    var reader = MessageReader()

    /// The first error.
    private(set) var error: DNSMessageError?

    /// Indicates whether the end of an entry could not be found, so that nothing can be read any more.
    private(set) var isCut = false

    mutating func questions(_ count: Int, in bytes: Span<UInt8>) -> [DNSQuestion] {
        guard count > 0, !isCut else { return [] }
        var questions: [DNSQuestion] = []
        // The smallest question has a root name, type and class: nothing is reserved for a count that the bytes cannot
        // hold.
        questions.reserveCapacity(min(count, (bytes.count - reader.position) / 5))
        for _ in 0..<count {
            let start = reader.position
            do throws(DNSMessageError) {
                questions.append(try reader.question(in: bytes))
            } catch {
                if self.error == nil { self.error = error }
                isCut = !reader.skipQuestion(at: start, in: bytes)
                if isCut { break }
            }
        }
        return questions
    }

    mutating func records(_ count: Int, in bytes: Span<UInt8>) -> [DNSRecord] {
        guard count > 0, !isCut else { return [] }
        var records: [DNSRecord] = []
        // The smallest record has a root name, type, class, TTL and length.
        records.reserveCapacity(min(count, (bytes.count - reader.position) / 11))
        for _ in 0..<count {
            let start = reader.position
            do throws(DNSMessageError) {
                records.append(try reader.record(in: bytes))
            } catch {
                if self.error == nil { self.error = error }
                isCut = !reader.skipRecord(at: start, in: bytes)
                if isCut { break }
            }
        }
        return records
    }
}
