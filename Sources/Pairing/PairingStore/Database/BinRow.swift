internal import GRDB

/// The columns that put a pairing or a credential into the bin.
struct BinRow: Hashable {
    let reason: BinReason
    let time: Int

    /// The cut-off time of the first purge that found this overdue; `nil` while it is not.
    private(set) var overdueSince: Int?

    static let columns = "binnedAt, binReason, binDetail, overdueSince"

    /// - Parameters:
    ///   - reason: The reason.
    ///   - time: The time.
    ///   - former: The present columns, if it is in the bin already: its times stay.
    init(reason: BinReason, time: Int, after former: BinRow? = nil) {
        self.reason = reason
        self.time = former?.time ?? time
        self.overdueSince = former?.overdueSince
    }

    /// Reads the columns; `nil` for a live pairing or credential.
    init?(_ row: Row) throws(StoreError) {
        guard let time: Int = try row.optional("binnedAt") else { return nil }
        self.time = time
        overdueSince = try row.optional("overdueSince")
        reason =
            switch try row.value("binReason") as String {
            case "unpaired": .unpaired(withdrawnThere: false)
            case "withdrawn": .unpaired(withdrawnThere: true)
            case "revoked": .revoked(try row.optional("binDetail") ?? "")
            case "forgotten": .forgotten
            default: throw Row.unreadable("binReason")
            }
    }

    var arguments: StatementArguments {
        switch reason {
        case .unpaired(let withdrawnThere): [time, withdrawnThere ? "withdrawn" : "unpaired", nil, overdueSince]
        case .revoked(let word): [time, "revoked", word.stored(StoreLimits.nameBytes), overdueSince]
        case .forgotten: [time, "forgotten", nil, overdueSince]
        }
    }

    /// Returns the columns after a purge; `nil` when the pairing or credential is to be deleted.
    ///
    /// - Parameter time: The cut-off time: anything older is overdue. It may be wrong, since it comes from a clock.
    func purged(before time: Int) -> BinRow? {
        var result = self
        guard self.time < time else {
            result.overdueSince = nil
            return result
        }
        // If the clock was ahead when the first purge recorded this, that time begins again.
        let since = min(overdueSince ?? time, time)
        result.overdueSince = since
        let (age, overflows) = time.subtractingReportingOverflow(since)
        return !overflows && age < BinnedPairing.purgeInterval ? result : nil
    }
}
