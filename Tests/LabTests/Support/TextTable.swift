import Foundation

/// A text table with aligned columns, for results that a test prints.
struct TextTable: Sendable {
    let heading: [String]
    var rows: [[String]] = []

    var text: String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
