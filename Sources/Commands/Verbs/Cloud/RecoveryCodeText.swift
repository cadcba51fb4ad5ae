internal import QRCodes

/// A recovery code as it is shown on the terminal.
enum RecoveryCodeText {
    /// Returns the QR code, if there is one and room for it, and the text in lines of seven groups.
    static func lines(_ text: String, columns: Int) -> [String] {
        let groups = text.split(separator: "-")
        let rows = stride(from: 0, to: groups.count, by: 7).map {
            groups[$0..<min($0 + 7, groups.count)].joined(separator: "-")
        }
        guard let symbol = try? QRSymbol(encoding: text), symbol.framedSize <= columns else { return rows }
        return symbol.lines + [""] + rows
    }
}
