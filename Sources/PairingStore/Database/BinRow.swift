internal import GRDB
internal import GatewayProtocol

/// The columns that put a pairing or a credential into the bin.
struct BinRow: Hashable {
    let reason: BinReason
    let time: Int

    /// The time before which everything was overdue when this first was; `nil` while it is not.
    private(set) var overdueSince: Int?

    static let columns = "binnedAt, binReason, binDetail, overdueSince"

    /// - Parameters:
    ///   - reason: The reason.
    ///   - time: The time.
    ///   - former: The columns that are there: times count from the first.
    init(reason: BinReason, time: Int, after former: BinRow? = nil) {
        self.reason = reason
        self.time = former?.time ?? time
        self.overdueSince = former?.overdueSince
    }

    /// Reads them; `nil` for what is live.
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

    /// The columns after a purge; `nil` when what they are of is to be deleted.
    ///
    /// - Parameter time: The time before which everything is overdue. A clock that was wrong once may have made it so.
    func purged(before time: Int) -> BinRow? {
        var result = self
        guard self.time < time else {
            result.overdueSince = nil
            return result
        }
        // A note of a clock that was ahead begins anew.
        let since = min(overdueSince ?? time, time)
        result.overdueSince = since
        let (age, overflows) = time.subtractingReportingOverflow(since)
        return !overflows && age < BinnedPairing.grace ? result : nil
    }
}
