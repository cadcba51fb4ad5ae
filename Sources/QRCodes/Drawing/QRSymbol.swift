/// A QR code as a square of modules, each dark or light. A value: what draws it is in extensions.
package struct QRSymbol: Hashable, Sendable {
    /// The width of the light frame that every reader needs around a symbol, in modules (ISO/IEC 18004 §5.3.8).
    package static let quietZone = 4

    /// The number of modules on a side, without the frame.
    package let size: Int

    /// The modules, row by row: `true` for dark.
    private let modules: [Bool]

    /// Creates a symbol; `nil` unless the modules are a square.
    ///
    /// - Parameters:
    ///   - size: The number of modules on a side.
    ///   - modules: The modules, row by row: `true` for dark.
    package init?(size: Int, modules: [Bool]) {
        guard size > 0, modules.count == size * size else { return nil }
        self.size = size
        self.modules = modules
    }

    /// The number of modules on a side, with the frame.
    package var framedSize: Int { size + 2 * Self.quietZone }

    /// Indicates whether a module is dark. The coordinates include the frame, and what is outside of it is light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        let (column, row) = (column - Self.quietZone, row - Self.quietZone)
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return modules[row * size + column]
    }
}
