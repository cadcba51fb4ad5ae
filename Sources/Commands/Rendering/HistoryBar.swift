internal import Agent
internal import Console

/// The bars of a history: a line of cells for each gateway, from the beginning of the shown time to its end.
struct HistoryBar {
    /// The characters and colours of the cells.
    enum Style: Hashable, CaseIterable {
        /// Characters of ASCII.
        case plain
        case blocks
        case colouredBlocks

        /// The style for standard output.
        ///
        /// - Parameter isTerminal: Indicates whether that is a terminal.
        static func of(isTerminal: Bool) -> Style {
            guard isTerminal, Environment.canMoveCursor, Environment.hasUTF8 else { return .plain }
            return Environment.wantsColour ? .colouredBlocks : .blocks
        }

        fileprivate func cell(_ part: GatewayHistory.Part) -> String {
            switch (self, part) {
            case (.plain, .answering): "#"
            case (.plain, .gone): "x"
            case (.plain, .unknown): "."
            case (_, .answering): "█"
            case (.blocks, .gone): "▁"
            case (.colouredBlocks, .gone): "\u{1B}[31m▁\u{1B}[0m"
            case (_, .unknown): "·"
            }
        }
    }

    private static let indent = "  "

    /// The number of cells where no width is given, and the most of them.
    private static let standard = 60
    private static let most = 118

    private let history: GatewayHistory
    private let width: Int?
    private let style: Style

    init(_ history: GatewayHistory, width: Int?, style: Style) {
        self.history = history
        self.width = width
        self.style = style
    }

    /// Returns the bar of a gateway.
    func line(of gateway: GatewayHistory.Gateway) -> String {
        let count = width.map { min(max($0 - Self.indent.count, 1), Self.most) } ?? Self.standard
        return Self.indent + history.parts(of: gateway, count: count).map(style.cell).joined()
    }

    /// The meaning of the cells, and the time that a bar is about.
    var legend: [String] {
        let words = GatewayHistory.Part.allCases.map { part in
            let word =
                switch part {
                case .answering: "answering"
                case .gone: "gone"
                case .unknown: "unknown"
                }
            return "\(style.cell(part)) \(word)"
        }
        let span = "\(TimeText.localDay(history.since)) to \(TimeText.localDay(history.until))"
        // Each of both fits a terminal of 40 columns.
        return [Self.indent + words.joined(separator: "  "), Self.indent + span]
    }
}
