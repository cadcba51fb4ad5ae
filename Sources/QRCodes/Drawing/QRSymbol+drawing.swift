/// The two ways in which a symbol is drawn.
extension QRSymbol {
    /// Black on white, whatever the colours of the terminal are: some readers do not know a light symbol on a dark ground.
    private static let (colours, plain) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[0m")

    /// The lines for a terminal. Each has two rows of modules, one in the upper and one in the lower half of a character,
    /// so that modules are about square. They are ``framedSize`` cells wide.
    package var lines: [String] {
        stride(from: 0, to: framedSize, by: 2).map { row in
            let cells = (0..<framedSize).map { column in
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (false, false): " "
                case (true, false): "\u{2580}"
                case (false, true): "\u{2584}"
                case (true, true): "\u{2588}"
                }
            }
            return Self.colours + cells.joined() + Self.plain
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
