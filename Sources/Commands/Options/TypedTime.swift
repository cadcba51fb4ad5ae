/// A time as people write it: `500ms`, `90s`, `1m`, `2h`, `7d`, `2w`, `1h30m`, or a number of seconds. The one reader of times
/// on the command line.
enum TypedTime {
    private static let units = [
        "ms": 1.0, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]

    /// Reads a time in milliseconds; `nil` for anything else.
    ///
    /// - Parameter plain: The unit of a number alone; `nil` if it needs one.
    static func milliseconds(_ text: String, plain: String? = "s") -> Double? {
        var rest = text[...]
        var total: Double?
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(letters.count)
            // A number alone is the whole text.
            let isAlone = letters.isEmpty && rest.isEmpty && total == nil
            guard let number = Double(digits), let name = isAlone ? plain : String(letters),
                let unit = units[name.lowercased()]
            else { return nil }
            total = (total ?? 0) + number * unit
        }
        return total
    }
}
