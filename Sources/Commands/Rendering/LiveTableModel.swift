internal import Console
internal import DNSSD
internal import Reports
internal import Scanning

/// A live table: its content, and how it is drawn. A value: no clock, no I/O.
protocol LiveTable: Sendable {
    /// Applies an update.
    mutating func apply(_ update: ConstellationUpdate, now: ContinuousClock.Instant)

    /// Records that the first look for gateways is over: from now on, a paired one that has not answered is away.
    mutating func noteLooked()

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { get }

    /// Removes the marks whose time is over, and with them the rows that have left.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool

    /// Returns the picture: at most as many lines as the terminal has, each within its width.
    func lines(_ terminal: Terminal, _ caption: LiveTableCaption) -> [String]

    /// Returns the text that stays on the terminal when the live picture has ended.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    func text(width: Int?, style: Style) -> String
}

extension LiveTable {
    mutating func noteLooked() {}
}

/// The text around a live table.
struct LiveTableCaption: Sendable {
    /// The state of the source of the table, in words: one or more lines.
    var status: [String]

    /// The time of day of the last change.
    var lastChange: String

    var style: Style

    /// Lines above the status, such as those about devices that wait for an approval; every text in them is cleaned.
    var notes: [String] = []

    /// Returns the lines below the table, within a width: the last one ends with a summary. Every text in them is
    /// cleaned.
    func footer(_ summary: String, width: Int) -> [String] {
        let last = status.last.map { "\(DisplayText(sentence: $0)) · \(summary)" } ?? summary
        return (notes + status.dropLast().map { DisplayText(sentence: $0).text } + [last]).flatMap {
            WrappedText.lines($0, first: "", width: width, isLive: true)
        }
    }
}

/// The content of a live table: the rows that are present, with temporary marks, and for a while the rows that have
/// left. A value: no clock, no I/O.
struct LiveTableModel<ID: Hashable & Sendable, Value: Sendable, Loss: Hashable & Sendable>: Sendable {
    typealias Mark = TableMark<Loss>

    /// One row.
    struct Row: Sendable {
        var value: Value
        var mark: Mark?
        fileprivate var markEnds: ContinuousClock.Instant?

        /// Indicates whether the row is present, and has not left.
        var isPresent: Bool {
            if case .lost = mark { false } else { true }
        }
    }

    /// The time for which a mark is shown.
    private let markTime: Duration

    private(set) var rows: [ID: Row] = [:]

    init(markTime: Duration) {
        self.markTime = markTime
    }

    mutating func found(_ value: Value, _ id: ID, now: ContinuousClock.Instant) { put(value, id, .new, now) }

    /// Shows a changed value.
    ///
    /// - Parameter staysNew: Whether a row that is marked as new keeps that mark, because only more has become known
    ///   about it.
    mutating func changed(_ value: Value, _ id: ID, staysNew: Bool = true, now: ContinuousClock.Instant) {
        put(value, id, staysNew && rows[id]?.mark == .new ? .new : .changed, now)
    }

    /// Shows another value without a mark of its own.
    mutating func replace(_ value: Value, _ id: ID) {
        rows[id, default: Row(value: value)].value = value
    }

    mutating func lost(_ value: Value, _ id: ID, _ loss: Loss, now: ContinuousClock.Instant) {
        put(value, id, .lost(loss), now)
    }

    /// Removes a row without a mark.
    mutating func remove(_ id: ID) {
        rows[id] = nil
    }

    private mutating func put(_ value: Value, _ id: ID, _ mark: Mark, _ now: ContinuousClock.Instant) {
        rows[id] = Row(value: value, mark: mark, markEnds: now + markTime)
    }

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { rows.values.compactMap(\.markEnds).min() }

    /// Removes the marks whose time is over, and with them the rows that have left.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool {
        var isChanged = false
        for (id, row) in rows {
            guard let end = row.markEnds, end <= now else { continue }
            isChanged = true
            rows[id] = row.isPresent ? Row(value: row.value) : nil
        }
        return isChanged
    }
}
