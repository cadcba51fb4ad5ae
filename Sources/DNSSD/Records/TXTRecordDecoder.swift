/// Collects the strings of a TXT record, and counts those that it must leave out.
struct TXTRecordDecoder {
    private var record = TXTRecord()
    private var count = 0
    private var isTruncated = false
    private var isCut = false
    private var missingKeys = 0
    private var invalidKeys = 0
    private var repeatedKeys = 0
    private var longStrings = 0
    private var surplus = 0

    /// Takes one string, without its length byte.
    mutating func take(_ string: ArraySlice<UInt8>) {
        // RFC 6763 §6.1: an empty string is allowed and means nothing.
        guard !string.isEmpty else { return }
        guard string.count <= TXTRecord.maximumStringLength else {
            longStrings += 1
            return
        }
        let key = TXTStrings.key(of: string)
        guard !key.isEmpty else {
            missingKeys += 1
            return
        }
        guard TXTRecord.isKey(key) else {
            invalidKeys += 1
            return
        }
        guard count < TXTRecord.maximumEntryCount else {
            surplus += 1
            return
        }
        guard record.string(ofKey: key) == nil else {
            repeatedKeys += 1
            return
        }
        record.append(string)
        count += 1
    }

    /// Records that the last string is shorter than its length byte says.
    mutating func recordTruncatedString() { isTruncated = true }

    /// Records that there were more bytes than are read of any record.
    mutating func recordOverlongRecord() { isCut = true }

    /// Returns the record and the problems in it, each kind of problem once.
    func finish() -> (record: TXTRecord, problems: [TXTRecordProblem]) {
        var problems: [TXTRecordProblem] = []
        if isTruncated { problems.append(.truncatedString) }
        if isCut { problems.append(.recordTooLong) }
        if longStrings > 0 { problems.append(.stringsTooLong(count: longStrings)) }
        if missingKeys > 0 { problems.append(.missingKeys(count: missingKeys)) }
        if invalidKeys > 0 { problems.append(.invalidKeys(count: invalidKeys)) }
        if repeatedKeys > 0 { problems.append(.repeatedKeys(count: repeatedKeys)) }
        if surplus > 0 { problems.append(.tooManyEntries(leftOut: surplus)) }
        return (record, problems)
    }
}
