internal import Console
internal import QRCodes

/// The QR code of a link, for devices with a camera. Where there is none, the link is of use without.
enum LinkPicture {
    /// Returns the lines for the terminal; none where the output goes elsewhere, or the terminal is too narrow.
    static func lines(of link: String, on output: StandardOutput) -> String {
        guard let terminal = output.terminal, let symbol = try? QRSymbol(encoding: link),
            symbol.framedSize <= terminal.columns
        else { return "" }
        return symbol.lines.map { "\($0)\n" }.joined()
    }

    /// Returns the picture as SVG; `nil` if there is none.
    static func svg(of link: String) -> String? { try? QRSymbol(encoding: link).svg }
}
