internal import GRDB
internal import GatewayProtocol

/// The columns that put a pairing or a credential into the bin.
struct BinRow: Hashable {
    let reason: BinReason
    let time: Int

    static let columns = "binnedAt, binReason, binDetail"

    init(reason: BinReason, time: Int) {
        self.reason = reason
        self.time = time
    }

    /// Reads them; `nil` for what is live.
    init?(_ row: Row) throws(StoreError) {
        guard let time: Int = try row.optional("binnedAt") else { return nil }
        self.time = time
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
        case .unpaired(let withdrawnThere): [time, withdrawnThere ? "withdrawn" : "unpaired", nil]
        case .revoked(let word): [time, "revoked", word.stored(StoreLimits.nameBytes)]
        case .forgotten: [time, "forgotten", nil]
        }
    }
}
