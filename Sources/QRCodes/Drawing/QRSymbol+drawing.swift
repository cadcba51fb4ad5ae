/// The two ways in which a symbol is drawn.
extension QRSymbol {
    /// Dark on light and the reverse, whatever the colours of the terminal are: some readers do not know a light symbol on
    /// a dark ground.
    private static let (light, dark) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[38;5;231;48;5;16m")
    private static let plain = "\u{1B}[0m"

    /// The lines for a terminal. Each has two rows of modules, one in the upper and one in the lower half of a character,
    /// so that modules are about square. They are ``framedSize`` cells wide.
    ///
    /// The upper half is the ground of its cell, and the lower one a half block where it differs. A full block or an upper
    /// half would be an alternative, but in many fonts they leave gaps to the cells beside and above them, with which
    /// no reader finds the corners of the symbol.
    package var lines: [String] {
        stride(from: 0, to: framedSize, by: 2).map { row in
            var line = ""
            var ground: Bool?
            for column in 0..<framedSize {
                let (upper, lower) = (isDark(column, row), isDark(column, row + 1))
                if upper != ground { line += upper ? Self.dark : Self.light }
                ground = upper
                line += upper == lower ? " " : "\u{2584}"
            }
            return line + Self.plain
        }
    }

    /// The picture as SVG 1.1: one path for all dark modules, on a white square.
    package var svg: String {
        let side = framedSize
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while isDark(column, row) { column += 1 }
                if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
                column += 1
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(side * 8)" height="\(side * 8)" \
            viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/>
            <path fill="#000" d="\(path)"/>
            </svg>

            """
    }
}
